#include "jit/cpu/shared_reads.h"

#include <set>

#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestBytes = 4096;  // of an array; fewer are there soon
constexpr int64_t kMostBytes = int64_t{128} << 10;

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

std::vector<BufferId> sharedReads(const Program& program, const Stmt& parallel) {
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
  std::vector<BufferId> shared;
  int64_t total = 0;
  for (BufferId id : read) {
    const Buffer& buffer = program.buffers[static_cast<size_t>(id)];
    const int64_t bytes = bytesOf(buffer);
    if (buffer.kind != Buffer::Kind::Arena || bytes < kFewestBytes || others.count(id) != 0 ||
        isInFile(program, buffer))
      continue;
    shared.push_back(id);
    total += bytes;
  }
  if (total > kMostBytes) shared.clear();
  return shared;
}

}  // namespace rlc::cpu
