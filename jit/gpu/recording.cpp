#include "jit/gpu/recording.h"

#include <algorithm>
#include <set>

#include "jit/cpu/walk.h"
#include "jit/gpu/host_values.h"

namespace rlc::gpu {

namespace {

using loops::Expr;
using loops::ExprNode;
using loops::VarId;

constexpr int64_t kMostNodes = 2000;  // of one graph

bool madeOf(const std::set<VarId>& variables, const Expr& e) {
  bool all = true;
  cpu::forEachNode(e, [&](const ExprNode& node) {
    all &= node.kind != ExprNode::Kind::Variable || variables.count(node.var) != 0;
  });
  return all;
}

// The kernels that a step launches each time, and what is copied for them, or none where that
// depends on data or on loops around it; `inside`: the loops that the graph has.
std::optional<int64_t> nodesOf(const Module& module, const Step& step, std::set<VarId> inside) {
  if (step.kind == Step::Kind::Launch) {
    const Kernel& kernel = module.kernels[static_cast<size_t>(step.kernel)];
    int64_t nodes = 1;
    for (const Transfer& transfer : kernel.transfers) {
      if (!madeOf(inside, transfer.first)) return std::nullopt;
      nodes += transfer.written ? 2 : 1;
    }
    return nodes;
  }
  if (step.kind != Step::Kind::Loop) return std::nullopt;
  const auto lo = evaluate(step.statement->lo, {}), hi = evaluate(step.statement->hi, {});
  if (!lo || !hi) return std::nullopt;
  inside.insert(step.statement->var);
  int64_t nodes = 1;
  for (const Step& inner : step.body) {
    const auto count = nodesOf(module, inner, inside);
    if (!count) return std::nullopt;
    nodes += *count;
  }
  return std::max<int64_t>(0, *hi - *lo) * nodes;
}

}  // namespace

size_t recordable(const Module& module, const std::vector<Step>& steps, size_t first) {
  int64_t nodes = 0;
  size_t count = 0;
  for (size_t k = first; k < steps.size(); ++k, ++count) {
    const auto own = nodesOf(module, steps[k], {});
    if (!own || nodes + *own > kMostNodes) break;
    nodes += *own;
  }
  return nodes >= 2 ? count : 0;
}

}  // namespace rlc::gpu
