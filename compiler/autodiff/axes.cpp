// Where the nodes on paths stand along a dim of the loss, and how far the reads move.
#include <algorithm>
#include <deque>

#include "compiler/autodiff/paths.h"
#include "compiler/pdg/reads.h"
#include "compiler/types/lists.h"

namespace rlc::autodiff {

// Breadth first from the loss: a node keeps the variable of the consumer that it is first reached
// from, or takes the dim at which that consumer reads it.
bool Paths::assignPositions(Axis& axis, int dim) const {
  axis.position.resize(at(graph_.size()));
  const Node& loss = graph_.node(group_.loss.producer);
  axis.position[at(loss.id)] = IndexExpr(loss.dims[static_cast<size_t>(dim)]);
  std::deque<NodeId> pending{loss.id};
  while (!pending.empty()) {
    const NodeId consumer = pending.front();
    pending.pop_front();
    const Var own = *axis.position[at(consumer)]->asVariable();
    for (int number : reads_[at(consumer)]) {
      const Edge& edge = edges_[static_cast<size_t>(number)];
      if (!live(edge) || axis.position[at(edge.producer)]) continue;
      const Node& producer = graph_.node(edge.producer);
      const Read& read = graph_.node(consumer).inputs[static_cast<size_t>(edge.input)];
      auto& position = axis.position[at(producer.id)];
      if (contains(producer.dims, own)) position = IndexExpr(own);
      auto take = [&](const std::vector<Var>& from) {
        for (size_t i = 0; i < read.at.size() && !position; ++i) {
          const auto subscript = read.at[i].asShifted();
          if (subscript && contains(from, subscript->var)) position = IndexExpr(producer.dims[i]);
        }
      };
      take({own});
      take(pdg::boundVariables(graph_.node(consumer)));
      if (position) pending.push_back(producer.id);
    }
  }
  // What a node without a position reads may stand anywhere.
  std::vector<NodeId> lost;
  for (NodeId id : nodes())
    if (!axis.position[at(id)]) lost.push_back(id);
  while (!lost.empty()) {
    const NodeId consumer = lost.back();
    lost.pop_back();
    for (int number : reads_[at(consumer)]) {
      const Edge& edge = edges_[static_cast<size_t>(number)];
      if (!live(edge) || !axis.position[at(edge.producer)]) continue;
      axis.position[at(edge.producer)].reset();
      lost.push_back(edge.producer);
    }
  }
  return axis.position[at(loss.id)].has_value();
}

IndexExpr Paths::move(const Axis& axis, const Edge& edge) const {
  const Node& producer = graph_.node(edge.producer);
  const Read& read = graph_.node(edge.consumer).inputs[static_cast<size_t>(edge.input)];
  Substitution where;
  for (size_t i = 0; i < producer.dims.size(); ++i) where.emplace(producer.dims[i], read.at[i]);
  return axis.position[at(edge.producer)]->substitute(where) - *axis.position[at(edge.consumer)];
}

Set Paths::keptPoints(const Edge& edge) const {
  Condition condition = Condition::always();
  for (const Axis& axis : axes_)
    if (axis.matched) condition = condition && Condition::equal(move(axis, edge), 0);
  return pdg::readDomain(graph_.node(edge.consumer), edge.input).intersect(condition);
}

std::optional<Paths::Moves> Paths::moves(const Axis& axis, const Edge& edge) const {
  const IndexExpr distance = move(axis, edge);
  if (auto constant = distance.asConstant()) return Moves{*constant, *constant};
  const Var only = scratch(0);
  const Set all = Set::access(keptPoints(edge), {distance}, {only}).projectOnto({only});
  const auto least = all.minimum(only), most = all.maximum(only);
  if (!least) return std::nullopt;
  return Moves{*least, *most};
}

// Shifts every node's position by a constant so that all moves have one sign (difference
// constraints, by Bellman and Ford, as in the retiming of circuits: Leiserson and Saxe, 1991); the
// targets' so that they meet the loss's, if that can be.
bool Paths::shiftPositions(Axis& axis) const {
  std::vector<std::pair<const Edge*, Moves>> all;
  for (const Edge& edge : edges_) {
    if (!live(edge) || !axis.position[at(edge.producer)]) continue;
    if (const auto range = moves(axis, edge)) all.emplace_back(&edge, *range);
  }
  // What the target's shift has to be.
  bool meets = true;
  std::map<NodeId, int64_t> wanted;
  for (NodeId id : group_.grads) {
    const pdg::Read& read = graph_.node(id).inputs[1];
    if (!on(read.producer)) continue;
    const auto position = targetPosition(axis, read);
    const auto shift = position ? (axis.loss - *position).asConstant() : std::nullopt;
    if (!shift || (wanted.contains(read.producer) && wanted[read.producer] != *shift))
      meets = false;
    if (shift) wanted[read.producer] = *shift;
  }
  for (bool match : {true, false}) {
    if (match && !meets) continue;
    for (int sign : {-1, 1}) {
      const auto shifts = solveShifts(all, sign, match ? wanted : std::map<NodeId, int64_t>{});
      if (!shifts) continue;
      bool still = true;
      for (const auto& [edge, range] : all) {
        const int64_t by = (*shifts)[at(edge->producer)] - (*shifts)[at(edge->consumer)];
        still = still && range.least + by == 0 && range.most + by == 0;
      }
      for (size_t i = 0; i < axis.position.size(); ++i)
        if (axis.position[i]) axis.position[i] = *axis.position[i] + (*shifts)[i];
      axis.sign = still ? 0 : sign;
      axis.matched = match;
      if (match) axis.target = axis.loss;
      if (!match) compareTargets(axis);
      return true;
    }
  }
  return false;
}

// With sign -1: shift[producer] + move <= shift[consumer] for every move. The loss's shift is 0.
std::optional<std::vector<int64_t>> Paths::solveShifts(
    const std::vector<std::pair<const Edge*, Moves>>& all, int sign,
    const std::map<NodeId, int64_t>& wanted) const {
  struct Constraint {
    NodeId from, to;
    int64_t weight;  // shift[to] <= shift[from] + weight, of shifts times -sign
  };
  std::vector<Constraint> constraints;
  int64_t floor = -1;
  auto add = [&](NodeId from, NodeId to, int64_t weight) {
    constraints.push_back({from, to, weight});
    floor += std::min<int64_t>(0, weight);
  };
  for (const auto& [edge, range] : all) {
    const int64_t worst = sign < 0 ? range.most : range.least;
    if (worst == INT64_MAX || worst == INT64_MIN) return std::nullopt;
    add(edge->consumer, edge->producer, sign * worst);
  }
  const NodeId loss = group_.loss.producer;
  for (const auto& [target, shift] : wanted) {
    add(loss, target, -sign * shift);
    add(target, loss, sign * shift);
  }
  // The largest shifts that do: the closest bounds on what a path reaches.
  constexpr int64_t kFar = INT64_MAX;
  std::vector<int64_t> shifts(at(graph_.size()), kFar);
  shifts[at(loss)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Constraint& c : constraints) {
      int64_t& to = shifts[at(c.to)];
      if (shifts[at(c.from)] == kFar || shifts[at(c.from)] + c.weight >= to) continue;
      to = shifts[at(c.from)] + c.weight;
      if (to < floor) return std::nullopt;  // a cycle goes on for ever
      changed = true;
    }
  }
  for (int64_t& shift : shifts) shift = shift == kFar ? 0 : shift * -sign;
  return shifts;
}

std::optional<IndexExpr> Paths::targetPosition(const Axis& axis, const pdg::Read& read) const {
  const Node& target = graph_.node(read.producer);
  if (!axis.position[at(target.id)]) return std::nullopt;
  Substitution where;
  for (size_t i = 0; i < target.dims.size(); ++i) where.emplace(target.dims[i], read.at[i]);
  const IndexExpr position = axis.position[at(target.id)]->substitute(where);
  if (position.hasValue()) return std::nullopt;
  return position;
}

void Paths::compareTargets(Axis& axis) const {
  bool first = true;
  for (NodeId id : group_.grads) {
    const pdg::Read& read = graph_.node(id).inputs[1];
    if (!on(read.producer)) continue;
    const auto position = targetPosition(axis, read);
    if (first) axis.target = position;
    if (axis.target != position) axis.target.reset();
    first = false;
  }
}

void Paths::cutMoves(const Axis& axis) {
  for (Edge& edge : edges_) {
    if (!live(edge)) continue;
    const IndexExpr distance = move(axis, edge);
    const auto constant = distance.asConstant();
    edge.cut = constant ? *constant != 0
                        : keptPoints(edge).intersect(Condition::equal(distance, 0)).isEmpty();
  }
}

}  // namespace rlc::autodiff
