// Which parts of the tensors in the host's memory a kernel works with in copies on the device.
#include <algorithm>

#include "compiler/types/lists.h"
#include "jit/cpu/plan.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/abi.h"
#include "jit/gpu/generator.h"

namespace rlc::gpu {

// The buffers that the plan's kernel works with, and those of them that it changes.
std::set<BufferId> Generator::buffersOf(const Plan& plan, std::set<BufferId>& written) const {
  if (plan.kind == Plan::Kind::Combine) {
    for (const Copy& copy : plan.copies)
      if (copy.reduction.buffer >= 0) written.insert(copy.reduction.buffer);
    return written;
  }
  Touched touched;
  for (const Stmt* stmt : plan.statements) touched.add(*stmt);
  written = touched.written;
  touched.loaded.insert(written.begin(), written.end());
  return touched.loaded;
}

// All of the buffer, or the window that the host can tell by its own loops.
Transfer Generator::transferOf(const Plan& plan, BufferId id, bool written) const {
  Transfer transfer{id, loops::index(0), buffer(id).elements, written};
  if (plan.kind == Plan::Kind::Combine) return transfer;
  std::set<VarId> bound;
  std::vector<Expr> indices;
  bool called = false;
  const auto note = [&](const Stmt& s) {
    if (s.var >= 0) bound.insert(s.var);
    if (s.buffer == id && s.index) indices.push_back(s.index);
    for (const auto& place : s.places) called |= place.buffer == id;
    cpu::forEachExpr(s, [&](const Expr& e) {
      cpu::forEachNode(e, [&](const ExprNode& node) {
        if (node.kind == ExprNode::Kind::Load && node.buffer == id) indices.push_back(node.args[0]);
      });
    });
  };
  for (const Stmt* stmt : plan.statements) {
    note(*stmt);
    for (const Block* block : {&stmt->body, &stmt->otherwise}) cpu::forEachStmt(*block, note);
  }
  if (called || indices.empty()) return transfer;
  const auto window = windowOf(indices, bound, ranges_);
  if (!window || window->size >= transfer.elements) return transfer;
  bool known = true;
  cpu::forEachNode(window->base, [&](const ExprNode& node) {
    known &= node.kind != ExprNode::Kind::Variable || contains(plan.hostLoops, node.var);
  });
  if (!known) return transfer;
  transfer.first = window->base;
  transfer.elements = window->size;
  return transfer;
}

// Those that fit half of the memory for copies, for the next kernel's are copied meanwhile; the
// smallest first.
void Generator::chooseTransfers(const Plan& plan, Kernel& kernel) const {
  std::set<BufferId> written;
  const std::set<BufferId> used = buffersOf(plan, written);
  std::vector<Transfer> away;
  for (BufferId id : used)
    if (buffer(id).kind == Buffer::Kind::Arena && isSwapped(buffer(id)))
      away.push_back(transferOf(plan, id, written.count(id) != 0));
  const auto bytesOf = [&](const Transfer& transfer) {
    return transferSize(transfer.elements *
                        static_cast<int64_t>(byteSize(buffer(transfer.buffer).type)));
  };
  std::stable_sort(away.begin(), away.end(),
                   [&](const Transfer& a, const Transfer& b) { return bytesOf(a) < bytesOf(b); });
  // A library's product reads its matrices where they are.
  int64_t left = plan.kind == Plan::Kind::Product ? 0 : transferHalf(program_.transferBytes);
  for (Transfer& transfer : away) {
    // Tensors that share bytes would have copies apart.
    const bool alone = std::none_of(used.begin(), used.end(), [&](BufferId other) {
      return other != transfer.buffer && cpu::mayOverlap(program_, other, transfer.buffer);
    });
    if (!alone || bytesOf(transfer) > left || kernel.transfers.size() == kMostTransfers) {
      kernel.reachesHost = true;
      continue;
    }
    left -= bytesOf(transfer);
    kernel.transfers.push_back(std::move(transfer));
  }
}

}  // namespace rlc::gpu
