#include "compiler/schedule/sum_orders.h"

#include <algorithm>

#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

using Execution = ScheduleNode::Execution;

class Orders {
 public:
  Orders(const Graph& graph, const Statements& statements, const Schedule& schedule)
      : graph_(graph), statements_(statements), schedule_(schedule) {}

  SumOrders find() {
    for (const auto& root : schedule_.roots) noteScans(*root);
    for (size_t s = 0; s < statements_.list.size(); ++s) {
      const Statement& statement = statements_.list[s];
      if (statement.node < 0) continue;
      if (statement.role == Statement::Role::Update)
        add(statement.node, scheduled(s), scans_.contains(static_cast<int>(s)));
      else
        inlined(graph_.node(statement.node), insideLanes(s));
    }
    return std::move(result_);
  }

 private:
  void noteScans(const ScheduleNode& node) {
    if (node.kind == ScheduleNode::Kind::Scan)
      scans_.insert(node.statements.begin(), node.statements.end());
    for (const auto& child : node.children) noteScans(*child);
  }

  bool rounds(const pdg::Node& node) const {
    const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
    return reduce && !node.again && isFloat(node.type) &&
           (reduce->kind == pdg::ReduceKind::Sum || reduce->kind == pdg::ReduceKind::Prod);
  }

  void add(NodeId id, const std::string& order, bool scan = false) {
    const pdg::Node& node = graph_.node(id);
    if (!rounds(node)) return;
    result_[id].loops.insert(order + (addsProduct(node) ? " products" : ""));
    result_[id].known &= !scan;
  }

  // Where a product is computed where it is added, one rounding does for both.
  bool addsProduct(const pdg::Node& node) const {
    const NodeId added = node.inputs[0].producer;
    const auto* map = std::get_if<pdg::Map>(&graph_.node(added).op);
    return map && map->op == ScalarOp::Mul &&
           statements_.placement[static_cast<size_t>(added)] == Placement::Inline;
  }

  // Sums within a statement: each is in its own order, but for the innermost loop, which has lanes
  // where none are around.
  void inlined(const pdg::Node& node, const std::string& where) {
    const auto& bound = statements_.scheduledBound[static_cast<size_t>(node.id)];
    if (bound.empty()) add(node.id, where);
    for (const pdg::Read& read : node.inputs)
      if (statements_.placement[static_cast<size_t>(read.producer)] == Placement::Inline)
        inlined(graph_.node(read.producer), where);
  }

  std::string insideLanes(size_t s) const {
    const auto& loops = schedule_.placed[s].loops;
    const bool lanes =
        std::any_of(loops.begin(), loops.end(), [](const auto* loop) { return isLanes(*loop); });
    return lanes ? "in lanes" : "alone";
  }

  std::string scheduled(size_t s) const {
    const Statement& statement = statements_.list[s];
    const Placed& placed = schedule_.placed[s];
    const auto& bound = statements_.scheduledBound[static_cast<size_t>(statement.node)];
    std::string order = insideLanes(s);
    for (size_t k = 0; k < placed.loops.size(); ++k) {
      const ScheduleNode& loop = *placed.loops[k];
      const auto& var = placed.scanned[k];
      if (!var || !contains(bound, *var)) continue;
      order += " " + loop.name + (loop.descending ? " down" : " up");
      if (loop.execution == Execution::Sequential) continue;
      // Which points share a lane or a thread depends on where the loop begins and ends.
      order += " as " + std::to_string(static_cast<int>(loop.execution)) + " in " +
               (loop.lo - placed.shift[k]).toString(namer()) + ".." +
               (loop.hi - placed.shift[k]).toString(namer());
    }
    return order + ownLoops(s);
  }

  // A matrix that is summed up in loops of its own is a product of matrices, with one rounding for
  // a product and its addition.
  std::string ownLoops(size_t s) const {
    if (graph_.node(statements_.list[s].node).shape.empty()) return "";
    const auto& loops = schedule_.placed[s].loops;
    int own = 0;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop, ++own)
      if ((*loop)->children.size() != 1 || (*loop)->execution != Execution::Sequential) break;
    return " own " + std::to_string(own);
  }

  polyhedral::VarNamer namer() const {
    return [this](Var var) {
      const int32_t loop = var.id - graph_.dimCount();
      return !var.isElement() && loop >= 0 ? schedule_.loopNames[static_cast<size_t>(loop)]
                                           : graph_.namer()(var);
    };
  }

  const Graph& graph_;
  const Statements& statements_;
  const Schedule& schedule_;
  std::set<int> scans_;  // statements that isl orders
  SumOrders result_;
};

}  // namespace

SumOrders sumOrders(const Graph& graph, const Statements& statements, const Schedule& schedule) {
  return Orders(graph, statements, schedule).find();
}

}  // namespace rlc::schedule
