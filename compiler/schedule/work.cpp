#include "compiler/schedule/work.h"

#include <algorithm>

#include "compiler/pdg/reads.h"
#include "compiler/types/lists.h"
#include "jit/runtime/sum_tree.h"

namespace rlc::schedule {

namespace {

double largest(const IndexExpr& extent, const pdg::Node& node) {
  if (auto constant = extent.asConstant()) return static_cast<double>(*constant);
  const auto most = node.domain.maximum(extent);
  return most ? static_cast<double>(*most) : 0.0;
}

// A node of a sum tree that a descent comes by is added and compared.
constexpr double kPerTreeNode = 2.0;

double descent(const pdg::TreeShape& tree) {
  const runtime::SumTreeLayout layout(tree.capacity, tree.fanout);
  return kPerTreeNode * layout.levels * layout.fanout;
}

// An element that is sorted is moved several times and compared or counted each time; a permutation
// sorts random words.
constexpr double kPerSorted = 50.0;

bool isSorted(const pdg::Node& node) {
  const auto* draw = std::get_if<pdg::Draw>(&node.op);
  return std::holds_alternative<pdg::Sort>(node.op) ||
         (draw && draw->kind == pdg::DrawKind::Permutation);
}

class Estimator {
 public:
  Estimator(const Graph& graph, const Statements& statements)
      : graph_(graph), statements_(statements) {}

  // One element of the node, its inlined operands included.
  double perElement(const pdg::Node& node, bool update) {
    double total = 1.0;
    for (const pdg::Read& read : node.inputs)
      if (statements_.placement[static_cast<size_t>(read.producer)] == Placement::Inline)
        total += perElement(graph_.node(read.producer), false);
    if (const auto* reduce = std::get_if<pdg::Reduce>(&node.op)) {
      double range = 1.0;
      for (Var var : reduce->bound) {
        const auto& scheduled = statements_.scheduledBound[static_cast<size_t>(node.id)];
        if (update && contains(scheduled, var)) continue;
        const auto lo = reduce->domain.minimum(IndexExpr(var)),
                   hi = reduce->domain.maximum(IndexExpr(var));
        if (lo && hi) range *= static_cast<double>(*hi - *lo + 1);
      }
      total *= range;
    }
    if (const auto* find = std::get_if<pdg::TreeFind>(&node.op)) total += descent(find->tree);
    if (isSorted(node)) total += kPerSorted;
    return total;
  }

 private:
  const Graph& graph_;
  const Statements& statements_;
};

}  // namespace

double elementsOf(const pdg::Node& node, const pdg::Node* update) {
  double count = 1.0;
  for (size_t axis = 0; axis < node.shape.size(); ++axis)
    if (!update || !pdg::isKeyed(*update, Var::element(static_cast<int>(axis))))
      count *= largest(node.shape[axis], node);
  return count;
}

double operationsOf(const Graph& graph, const Statements& statements, const Statement& statement) {
  if (statement.node < 0) return 1.0;
  const pdg::Node& node = graph.node(statement.node);
  Estimator estimator(graph, statements);
  if (statement.role == Statement::Role::Init) return elementsOf(node);
  if (statement.piece >= 0) {
    const pdg::Read& read = node.inputs[static_cast<size_t>(statement.piece)];
    const bool inlined =
        statements.placement[static_cast<size_t>(read.producer)] == Placement::Inline;
    return elementsOf(node, pdg::pointUpdateOf(graph, node, statement.piece)) *
           (inlined ? estimator.perElement(graph.node(read.producer), false) : 1.0);
  }
  return elementsOf(node) * estimator.perElement(node, statement.role == Statement::Role::Update);
}

double pointsAround(const Set& domain, const std::vector<Var>& vars) {
  double points = 1.0;
  for (Var var : vars) {
    const auto lo = domain.minimum(IndexExpr(var)), hi = domain.maximum(IndexExpr(var));
    if (lo && hi) points *= static_cast<double>(*hi - *lo + 1);
  }
  return points;
}

int64_t tripCount(const ScheduleNode& loop, const Schedule& schedule) {
  const IndexExpr trip = loop.hi - loop.lo;
  if (auto constant = trip.asConstant()) return std::max<int64_t>(*constant, 0);
  // Bounds over outer loop variables: the widest over the statements inside.
  int64_t widest = 0;
  for (const Placed& placed : schedule.placed) {
    if (!contains(placed.loops, &loop)) continue;
    const auto lo = placed.domain.minimum(IndexExpr(loop.loopVar)),
               hi = placed.domain.maximum(IndexExpr(loop.loopVar));
    if (lo && hi) widest = std::max(widest, *hi - *lo + 1);
  }
  return widest;
}

}  // namespace rlc::schedule
