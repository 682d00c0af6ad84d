#include "jit/cpu/shared_reads.h"

#include <algorithm>
#include <set>

#include "compiler/loops/effects.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestBytes = 4096;               // of an array; fewer are there soon
constexpr int64_t kMostShared = int64_t{128} << 10;  // bytes
// Operations, and for each byte: fits updates with batches of 32 to 128 samples of 16 and 80 kB of
// weights on two cores of an Intel Xeon (docs/performance.md).
constexpr int64_t kWorthRereading = 3'000'000, kWorthByte = 160;

// What may differ between chunks or lanes: their loops' variables and all locals.
std::set<VarId> ownVariables(const Stmt& parallel) {
  std::set<VarId> own = {parallel.var};
  forEachStmt(parallel.body, [&](const Stmt& stmt) {
    if (stmt.kind == Stmt::Kind::Let || stmt.kind == Stmt::Kind::Declare ||
        (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Lanes))
      own.insert(stmt.var);
  });
  return own;
}

}  // namespace

bool SharedReads::fit() const { return bytes <= kMostShared; }

int64_t SharedReads::worthThreads() const {
  return buffers.empty() ? 0 : kWorthRereading + kWorthByte * std::min(bytes, kMostShared);
}

SharedReads sharedReads(const Program& program, const Stmt& parallel, const Stmt* around) {
  if (around == nullptr) return {};
  const std::set<VarId> own = ownVariables(parallel);
  std::set<VarId> inner;  // of the loops inside that run one after the other
  forEachStmt(parallel.body, [&](const Stmt& stmt) {
    if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Sequential) inner.insert(stmt.var);
  });
  std::set<BufferId> read, others;  // at the same points, and elsewhere or written
  forEachStmt(parallel.body, [&](const Stmt& stmt) {
    if (stmt.buffer >= 0) others.insert(stmt.buffer);
    for (const Stmt::Place& place : stmt.places) others.insert(place.buffer);
    forEachExpr(stmt, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) {
        if (node.kind != ExprNode::Kind::Load) return;
        bool same = true, along = false;  // of a loop inside: what it reads is more than an element
        forEachNode(node.args[0], [&](const ExprNode& part) {
          const bool variable = part.kind == ExprNode::Kind::Variable;
          same &= part.kind != ExprNode::Kind::Load && !(variable && own.count(part.var) != 0);
          along |= variable && inner.count(part.var) != 0;
        });
        if (!same) others.insert(node.buffer);
        if (same && along) read.insert(node.buffer);
      });
    });
  });
  const std::set<BufferId> changed = loops::effectsOf(*around).writes;
  SharedReads shared;
  for (BufferId id : read) {
    const Buffer& buffer = program.buffers[static_cast<size_t>(id)];
    const int64_t bytes = bytesOf(buffer);
    if (buffer.kind != Buffer::Kind::Arena || bytes < kFewestBytes || others.count(id) != 0 ||
        isInFile(program, buffer) ||
        std::none_of(
            changed.begin(), changed.end(),
            [&](BufferId other) { return mayOverlap(program, id, other); }))
      continue;
    shared.buffers.push_back(id);
    shared.bytes += bytes;
  }
  return shared;
}

}  // namespace rlc::cpu
