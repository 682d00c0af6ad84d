#include "compiler/passes/value_ranges.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/passes/rewrite.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

constexpr int kChanges = 6;  // of a node in a recurrence, before it is taken to grow forever
constexpr int kRoundsDown = 3;
constexpr size_t kThresholds = 100;
constexpr int kConditionDepth = 16;  // of nested conditions

Interval ofConstant(const DenseTensor& value) {
  Interval range;
  for (const Scalar& element : value.elements) range = unite(range, exactly(element));
  return range;
}

// Of comparisons, minima and maxima, with both signs; none where they are many, for each is a
// round.
std::vector<double> comparedNumbers(const Graph& graph) {
  std::set<double> numbers;
  for (const Node& node : graph.nodes()) {
    const auto* map = std::get_if<pdg::Map>(&node.op);
    if (map == nullptr || (map->op != ScalarOp::Lt && map->op != ScalarOp::Le &&
                           map->op != ScalarOp::Min && map->op != ScalarOp::Max))
      continue;
    for (size_t k : {size_t{0}, size_t{1}})
      if (const auto value = pdg::splatValue(graph.node(node.inputs[k].producer)))
        if (const double x = value->asDouble(); !std::isnan(x)) numbers.insert({x, -x});
  }
  if (numbers.size() > kThresholds) return {};
  return {numbers.begin(), numbers.end()};
}

// Each node's place in an order in which producers come first, but for those that a recurrence
// reads from later: a walk in that order carries a change on to the recurrence's end.
std::vector<int> placesInOrder(const Graph& graph) {
  struct Open {
    NodeId id;
    size_t next;  // the input to look at
  };
  std::vector<int> places(static_cast<size_t>(graph.size()));
  std::vector<bool> seen(places.size());
  int place = 0;
  for (NodeId root = 0; root < graph.size(); ++root) {
    std::vector<Open> open;
    const auto enter = [&](NodeId id) {
      if (!seen[static_cast<size_t>(id)]) open.push_back({id, 0});
      seen[static_cast<size_t>(id)] = true;
    };
    enter(root);
    while (!open.empty()) {
      const Node& node = graph.node(open.back().id);
      if (open.back().next < node.inputs.size()) {
        enter(node.inputs[open.back().next++].producer);
      } else {
        places[static_cast<size_t>(node.id)] = place++;
        open.pop_back();
      }
    }
  }
  return places;
}

// What the consumer's own variables make of `inner`, which the producer that `outer` reads reads;
// none where a subscript is data.
std::optional<Read> composed(const Node& producer, const Read& outer, const Read& inner) {
  if (hasValues(outer) || hasValues(inner)) return std::nullopt;
  const auto values = valuesOf(producer, outer);
  Read result{inner.producer, {}, {}};
  for (const IndexExpr& e : inner.at) result.at.push_back(e.substitute(values));
  for (const IndexExpr& e : inner.element) result.element.push_back(e.substitute(values));
  return result;
}

}  // namespace

struct ValueRanges::Fact {
  Read read;
  Interval range;
};

// From nothing upward; what still grows after a few rounds grows to the next number that something
// is compared with, at last without bound. What bounds it all the same shows when each node is
// computed from the others once more.
ValueRanges::ValueRanges(const Graph& graph)
    : graph_(graph),
      ranges_(static_cast<size_t>(graph.size())),
      thresholds_(comparedNumbers(graph)) {
  const std::vector<int> places = placesInOrder(graph);
  for (auto& component : pdg::components(graph)) {
    std::sort(component.begin(), component.end(), [&](NodeId a, NodeId b) {
      return places[static_cast<size_t>(a)] < places[static_cast<size_t>(b)];
    });
    std::vector<int> changes(component.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = 0; k < component.size(); ++k) {
        Interval& known = ranges_[static_cast<size_t>(component[k])];
        const Interval now = unite(known, computed(graph.node(component[k])));
        if (now == known) continue;
        known = ++changes[k] > kChanges ? widened(known, now) : now;
        changed = true;
      }
    }
    for (int round = 0; round < kRoundsDown && component.size() > 1; ++round)
      for (NodeId id : component) {
        Interval& known = ranges_[static_cast<size_t>(id)];
        known = intersect(known, computed(graph.node(id)));
      }
  }
}

Interval ValueRanges::widened(Interval known, Interval now) const {
  if (now.lo < known.lo) {
    const auto above = std::upper_bound(thresholds_.begin(), thresholds_.end(), now.lo);
    now.lo = above == thresholds_.begin() ? Interval::all().lo : *std::prev(above);
  }
  if (now.hi > known.hi) {
    const auto at = std::lower_bound(thresholds_.begin(), thresholds_.end(), now.hi);
    now.hi = at == thresholds_.end() ? Interval::all().hi : *at;
  }
  return now;
}

Interval ValueRanges::computed(const Node& node) const {
  const auto input = [&](size_t k) { return of(node.inputs[k].producer); };
  if (const auto* constant = std::get_if<pdg::Constant>(&node.op))
    return ofConstant(constant->value);
  if (const auto* map = std::get_if<pdg::Map>(&node.op)) return mapped(node, map->op);
  if (std::holds_alternative<pdg::Detach>(node.op) ||
      std::holds_alternative<pdg::PointUpdate>(node.op) ||
      std::holds_alternative<pdg::Merge>(node.op)) {
    Interval range;
    for (int k = 0; k < node.dataInputs(); ++k) range = unite(range, input(static_cast<size_t>(k)));
    return range;
  }
  if (const auto* sort = std::get_if<pdg::Sort>(&node.op))
    return sort->positions ? Interval::all() : input(0);
  if (const auto* reduce = std::get_if<pdg::Reduce>(&node.op)) {
    if (node.type == DType::Bool) return {0, 1};
    const bool chooses =
        reduce->kind == pdg::ReduceKind::Max || reduce->kind == pdg::ReduceKind::Min;
    return chooses && reduce->keys.empty() ? input(0) : Interval::all();
  }
  if (const auto* draw = std::get_if<pdg::Draw>(&node.op)) {
    switch (draw->kind) {
      case pdg::DrawKind::Uniform01:
        return {0, 1};
      case pdg::DrawKind::UniformInt:
        return unite(input(0), input(1));
      case pdg::DrawKind::Categorical:
        return {0, static_cast<double>(draw->categories)};
      case pdg::DrawKind::StandardGamma:
        return {0, Interval::all().hi};
      case pdg::DrawKind::StandardNormal:
      case pdg::DrawKind::Permutation:
        break;
    }
  }
  return Interval::all();
}

Interval ValueRanges::mapped(const Node& node, ScalarOp op) const {
  if (op == ScalarOp::Select) return unite(selected(node, true), selected(node, false));
  const NodeId first = node.inputs[0].producer;
  const DType operand = graph_.node(first).type;
  const Interval a = of(first);
  const Interval b = arity(op) > 1 ? of(node.inputs[1].producer) : a;
  Interval range = apply(op, operand, node.type, a, b);
  // A square.
  if (op == ScalarOp::Mul && isFloat(operand) && sameRead(node.inputs[0], node.inputs[1]))
    range = intersect(range, {0, Interval::all().hi});
  return range;
}

// The operand that a selection takes where its condition holds, or does not.
Interval ValueRanges::selected(const Node& node, bool holds) const {
  const Read& taken = node.inputs[holds ? 1 : 2];
  Interval range = of(taken.producer);
  std::vector<Fact> facts;
  assume(node.inputs[0], holds, 0, facts);
  for (const Fact& fact : facts)
    if (sameRead(fact.read, taken)) range = intersect(range, fact.range);
  return range;
}

void ValueRanges::assume(const Read& condition, bool holds, int depth,
                         std::vector<Fact>& facts) const {
  const Node& node = graph_.node(condition.producer);
  const auto* map = std::get_if<pdg::Map>(&node.op);
  if (map == nullptr || depth > kConditionDepth) return;
  const auto operand = [&](size_t k) { return composed(node, condition, node.inputs[k]); };
  const auto a = operand(0), b = arity(map->op) > 1 ? operand(1) : a;
  if (!a || !b) return;
  switch (map->op) {
    case ScalarOp::Not:
      return assume(*a, !holds, depth + 1, facts);
    case ScalarOp::And:
    case ScalarOp::Or:
      if (holds != (map->op == ScalarOp::And)) return;
      assume(*a, holds, depth + 1, facts);
      return assume(*b, holds, depth + 1, facts);
    case ScalarOp::Lt:
    case ScalarOp::Le:
      return compare(*a, *b, holds, facts);
    default:
      return;
  }
}

// `smaller` <= `larger`, or not. A comparison that does not hold says nothing of a number beside
// NaN.
void ValueRanges::compare(const Read& smaller, const Read& larger, bool holds,
                          std::vector<Fact>& facts) const {
  if (!holds) {
    if (neverNan(smaller.producer))
      limit(larger, {Interval::all().lo, of(smaller.producer).hi}, facts);
    if (neverNan(larger.producer))
      limit(smaller, {of(larger.producer).lo, Interval::all().hi}, facts);
    return;
  }
  limit(smaller, {Interval::all().lo, of(larger.producer).hi}, facts);
  limit(larger, {of(smaller.producer).lo, Interval::all().hi}, facts);
}

void ValueRanges::limit(const Read& read, Interval to, std::vector<Fact>& facts) const {
  const Node& node = graph_.node(read.producer);
  const auto* map = std::get_if<pdg::Map>(&node.op);
  facts.push_back({read, to});
  if (map == nullptr || !isFloat(node.type)) return;
  const auto operand = composed(node, read, node.inputs[0]);
  if (!operand) return;
  if (map->op == ScalarOp::Abs) limit(*operand, {-to.hi, to.hi}, facts);
  if (map->op == ScalarOp::Neg) limit(*operand, {-to.hi, -to.lo}, facts);
}

bool ValueRanges::neverNan(NodeId id) const {
  const Node& node = graph_.node(id);
  if (!isFloat(node.type)) return true;
  const auto value = pdg::splatValue(node);
  return value && !std::isnan(value->asDouble());
}

}  // namespace rlc::passes
