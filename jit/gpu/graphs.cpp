#include "jit/gpu/graphs.h"

#include <algorithm>
#include <set>

#include "jit/cpu/walk.h"
#include "jit/gpu/abi.h"
#include "jit/gpu/host_values.h"

namespace rlc::gpu {

namespace {

using loops::Expr;
using loops::ExprNode;
using loops::VarId;

constexpr int64_t kMostNodes = 2000;  // of one graph
constexpr size_t kMostGraphs = 8;     // of the same steps

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
    if (kernel.loops.size() > kMostGivenLoops) return std::nullopt;
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
  int64_t nodes = 0;
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

void forEachLaunch(const Step& step, const SetVariable& set,
                   const std::function<void(int kernel)>& launch) {
  if (step.kind == Step::Kind::Launch) return launch(step.kernel);
  const loops::Stmt& stmt = *step.statement;
  const int64_t lo = *evaluate(stmt.lo, {}), hi = *evaluate(stmt.hi, {});
  for (int64_t n = 0; n < hi - lo; ++n) {
    set(stmt.var, stmt.descending ? hi - 1 - n : lo + n);
    for (const Step& inner : step.body) forEachLaunch(inner, set, launch);
  }
  set(stmt.var, std::nullopt);
}

Graphs::~Graphs() {
  for (auto& [steps, graphs] : graphs_) {
    for (auto& [blocks, captured] : graphs) {
      if (captured.executable != nullptr) device_.api().cuGraphExecDestroy(captured.executable);
      if (captured.graph != nullptr) device_.api().cuGraphDestroy(captured.graph);
    }
  }
}

CUgraphExec Graphs::find(const Step& first, const std::vector<unsigned>& blocks) const {
  const auto graphs = graphs_.find(&first);
  if (graphs == graphs_.end()) return nullptr;
  const auto found = graphs->second.find(blocks);
  return found == graphs->second.end() ? nullptr : found->second.executable;
}

bool Graphs::full(const Step& first) const {
  const auto graphs = graphs_.find(&first);
  return graphs != graphs_.end() && graphs->second.size() >= kMostGraphs;
}

void Graphs::begin() const {
  constexpr int kRelaxed = 2;
  check(device_.api().cuStreamBeginCapture_v2(stream_, kRelaxed), "recording an iteration");
}

CUgraphExec Graphs::end(const Step& first, const std::vector<unsigned>& blocks) {
  Captured& captured = graphs_[&first][blocks];
  check(device_.api().cuStreamEndCapture(stream_, &captured.graph), "recording an iteration");
  check(device_.api().cuGraphInstantiateWithFlags(&captured.executable, captured.graph, 0),
        "preparing an iteration");
  return captured.executable;
}

}  // namespace rlc::gpu
