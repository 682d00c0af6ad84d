#include "compiler/passes/end_bounds.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "compiler/passes/rewrite.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"
#include "compiler/pdg/truths.h"
#include "compiler/types/lists.h"

namespace rlc::passes {

namespace {

constexpr int kMostFollowed = 64;
constexpr int kMostChanges = 16;  // of a node's bounds

void add(std::vector<EndBound>& bounds, EndBound bound) {
  for (EndBound& known : bounds)
    if (known.var == bound.var && known.end == bound.end && known.at == bound.at) {
      known.beyond = std::min(known.beyond, bound.beyond);
      return;
    }
  bounds.push_back(std::move(bound));
}

// What both say.
std::vector<EndBound> meet(const std::vector<EndBound>& a, const std::vector<EndBound>& b) {
  std::vector<EndBound> result;
  for (const EndBound& x : a)
    for (const EndBound& y : b)
      if (x.var == y.var && x.end == y.end && x.at == y.at)
        result.push_back({x.var, x.end, x.at, std::max(x.beyond, y.beyond)});
  return result;
}

bool isMap(const Node& node, ScalarOp op) {
  const auto* map = std::get_if<pdg::Map>(&node.op);
  return map && map->op == op;
}

// Whether only the operand asks for the input: what serves its subscripts is read where it is.
bool servesOnly(const Node& node, size_t input, size_t operand) {
  if (input == operand) return true;
  if (static_cast<int>(input) < node.dataInputs()) return false;
  const auto serves = [&](const Read& read) {
    const std::vector<int> values = pdg::valueInputs(read);
    return contains(values, static_cast<int>(input));
  };
  for (size_t k = 0; k < node.inputs.size(); ++k)
    if (k != operand && k != input && serves(node.inputs[k])) return false;
  return serves(node.inputs[operand]) && pdg::keysOf(node).empty();
}

}  // namespace

EndBounds::EndBounds(const Graph& graph)
    : graph_(graph),
      isEnd_(static_cast<size_t>(graph.size())),
      indices_(pdg::endingIndices(graph)),
      readers_(static_cast<size_t>(graph.size())),
      bounds_(static_cast<size_t>(graph.size())) {
  const std::vector<bool> live = pdg::reachable(graph, pdg::roots(graph));
  for (const Node& node : graph.nodes())
    for (size_t k = 0; k < node.inputs.size() && live[static_cast<size_t>(node.id)]; ++k)
      readers_[static_cast<size_t>(node.inputs[k].producer)].push_back({node.id, k});
  for (int d = 0; d < graph.dimCount(); ++d)
    if (const NodeId end = graph.dim(Var::dim(d)).end; end >= 0) {
      isEnd_[static_cast<size_t>(end)] = true;
      bounds_[static_cast<size_t>(end)] = own(graph.node(end));
    }
  for (const pdg::Sink& sink : graph.sinks()) addSink(sink);
  follow();
}

// The host asks for a sink's points where its condition holds.
void EndBounds::addSink(const pdg::Sink& sink) {
  std::vector<EndBound> shown;
  if (sink.where) addCondition(*sink.where, shown);
  const auto ask = [&](const Read& leaf) {
    const Node& node = graph_.node(leaf.producer);
    shown_[leaf.producer].push_back(inDimsOf(node, leaf, shown));
  };
  pdg::forEachLeaf(sink.value, ask);
  if (sink.where) ask(*sink.where);
}

// Consumers first, and again what recurrences ask of themselves, from nothing at all on: each round
// may ask for a point more.
void EndBounds::follow() {
  std::vector<int> changes(static_cast<size_t>(graph_.size()));
  std::vector<NodeId> order = producersFirst(graph_);
  std::deque<NodeId> pending(order.rbegin(), order.rend());
  while (!pending.empty()) {
    const Node& node = graph_.node(pending.front());
    pending.pop_front();
    const auto id = static_cast<size_t>(node.id);
    if (isEnd_[id] || node.adjoint || changes[id] > kMostChanges) continue;
    std::optional<std::vector<EndBound>> asked = ofReaders(node.id);
    if (!asked) continue;
    // What goes on growing has no bound but that of its indices.
    if (changes[id] == kMostChanges) asked->clear();
    for (EndBound& bound : own(node)) add(*asked, std::move(bound));
    if (bounds_[id] == asked) continue;
    ++changes[id];
    bounds_[id] = std::move(asked);
    for (const Read& read : node.inputs) pending.push_back(read.producer);
  }
}

std::vector<EndBound> EndBounds::own(const Node& node) const {
  std::vector<EndBound> bounds;
  for (const Var var : node.dims) {
    const NodeId end = graph_.dim(var).end;
    if (end < 0) continue;
    const auto& over = graph_.node(end).dims;
    const bool has = std::all_of(over.begin(), over.end(),
                                 [&](Var other) { return contains(node.dims, other); });
    if (has)
      bounds.push_back({var, end, pdg::identity(over), pdg::pointsPastRange(graph_, node, var)});
  }
  return bounds;
}

// Where anything asks for the node; none: nothing that is known so far does.
std::optional<std::vector<EndBound>> EndBounds::ofReaders(NodeId id) const {
  std::optional<std::vector<EndBound>> result;
  const auto also = [&](std::vector<EndBound> bounds) {
    result = result ? meet(*result, bounds) : std::move(bounds);
  };
  if (const auto shown = shown_.find(id); shown != shown_.end())
    for (const auto& bounds : shown->second) also(bounds);
  const Node& own = graph_.node(id);
  const bool hasRanges = std::any_of(own.dims.begin(), own.dims.end(), [&](Var var) {
    return graph_.dim(var).isRange && graph_.dim(var).end < 0;
  });
  for (const auto& [reader, input] : readers_[static_cast<size_t>(id)]) {
    const Node& node = graph_.node(reader);
    if (!bounds_[static_cast<size_t>(reader)]) {
      // A gradient asks for what the program has computed, of ranges only for what it has read.
      if (node.adjoint && !own.adjoint && !hasRanges) also({});
      continue;
    }
    also(inDimsOf(own, node.inputs[input], whereRead(node, input)));
  }
  return result;
}

// Bounds of a reader's variables as those of the producer's dims.
std::vector<EndBound> EndBounds::inDimsOf(const Node& producer, const Read& read,
                                          const std::vector<EndBound>& bounds) {
  const std::vector<Var>& dims = producer.dims;
  const auto inDims = [&](const IndexExpr& e) -> std::optional<IndexExpr> {
    if (e.asConstant()) return e;
    const auto place = std::find(read.at.begin(), read.at.end(), e);
    if (place == read.at.end()) return std::nullopt;
    return IndexExpr(dims[static_cast<size_t>(place - read.at.begin())]);
  };
  std::vector<EndBound> result;
  for (const EndBound& bound : bounds) {
    std::vector<IndexExpr> at;
    for (const IndexExpr& e : bound.at)
      if (auto own = inDims(e)) at.push_back(std::move(*own));
    if (at.size() < bound.at.size()) continue;
    for (size_t k = 0; k < dims.size(); ++k)
      if (const auto shifted = read.at[k].asShifted(); shifted && shifted->var == bound.var)
        add(result, {dims[k], bound.end, at, bound.beyond + shifted->offset});
  }
  return result;
}

const std::optional<std::vector<EndBound>>& EndBounds::asked(const Node& node) const {
  return bounds_[static_cast<size_t>(node.id)];
}

std::vector<EndBound> EndBounds::conditionsOf(const Node& node, size_t input) const {
  std::vector<EndBound> bounds;
  const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
  if (reduce && reduce->hasFilter && servesOnly(node, input, 0))
    addCondition(node.inputs[1], bounds);
  if ((isMap(node, ScalarOp::Select) || isMap(node, ScalarOp::And)) && servesOnly(node, input, 1))
    addCondition(node.inputs[0], bounds);
  return bounds;
}

std::vector<EndBound> EndBounds::whereRead(const Node& node, size_t input) const {
  std::vector<EndBound> bounds = asked(node).value_or(std::vector<EndBound>());
  for (EndBound& bound : conditionsOf(node, input)) add(bounds, std::move(bound));
  const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
  if (!reduce) return bounds;
  // Ranges that follow a variable which ends.
  const std::vector<EndBound> known = bounds;
  for (const EndBound& bound : known)
    for (const Var own : reduce->bound) {
      if (bound.var == own || reduce->domain.isEmpty()) continue;
      const auto& vars = reduce->domain.vars();
      if (!contains(vars, bound.var)) continue;
      const auto apart = reduce->domain.maximum(IndexExpr(own) - IndexExpr(bound.var));
      if (apart && *apart < INT64_MAX)
        add(bounds, {own, bound.end, bound.at, bound.beyond + *apart});
    }
  return bounds;
}

// Conjunctions of `e < end`, `e <= end` and of the recurrences that say that a point exists.
void EndBounds::addCondition(const Read& condition, std::vector<EndBound>& bounds) const {
  pdg::forEachConjunct(graph_, condition, [&](const Read& part) {
    addExistence(part, bounds);
    addComparison(part, bounds);
  });
}

void EndBounds::addExistence(const Read& read, std::vector<EndBound>& bounds) const {
  for (const pdg::EndingIndex& index : indices_) {
    if (index.exists != read.producer) continue;
    // Where exists[max(e - 1, lo)] holds, so does e - 1 < end.
    const IndexExpr& last = read.at.back();
    std::vector<IndexExpr> below{last};
    if (last.terms().size() == 1 && last.terms()[0].coefficient == 1 &&
        last.terms()[0].atom->kind == IndexExpr::AtomKind::Max)
      for (const IndexExpr& e : last.terms()[0].atom->args)
        below.push_back(e + last.constantTerm());
    for (const IndexExpr& e : below)
      if (const auto shifted = e.asShifted())
        add(bounds, {shifted->var,
                     graph_.dim(index.dim).end,
                     {read.at.begin(), read.at.end() - 1},
                     -shifted->offset});
  }
}

void EndBounds::addComparison(const Read& read, std::vector<EndBound>& bounds) const {
  const Node& node = graph_.node(read.producer);
  const bool closed = isMap(node, ScalarOp::Le);
  if (!closed && !isMap(node, ScalarOp::Lt)) return;
  const auto left = pdg::readThrough(node, read, node.inputs[0]);
  const auto right = pdg::readThrough(node, read, node.inputs[1]);
  if (!left || !right) return;
  const Node& compared = graph_.node(left->producer);
  const auto* index = std::get_if<pdg::IndexValue>(&compared.op);
  const auto end = endValue(*right);
  if (!index || index->expr.hasValue() || !end) return;
  if (const auto shifted = index->expr.substitute(valuesOf(compared, *left)).asShifted())
    add(bounds,
        {shifted->var, end->end, end->at, end->offset - shifted->offset + (closed ? 1 : 0)});
}

std::optional<EndValue> EndBounds::endValue(const Read& read) const {
  Read at = read;
  int64_t offset = 0;
  for (int depth = 0; depth < kMostFollowed; ++depth) {
    if (isEnd_[static_cast<size_t>(at.producer)]) return EndValue{at.producer, at.at, offset};
    const Node& node = graph_.node(at.producer);
    const Read* next = pdg::passedOn(node);
    const bool adds = isMap(node, ScalarOp::Add), subtracts = isMap(node, ScalarOp::Sub);
    for (size_t k = 0; k < 2 && (adds || subtracts) && isInteger(node.type) && !next; ++k) {
      const auto value = pdg::splatValue(graph_.node(node.inputs[1 - k].producer));
      if (!value || (subtracts && k == 1)) continue;
      next = &node.inputs[k];
      offset += subtracts ? -value->i : value->i;
    }
    if (!next) return std::nullopt;
    auto composed = pdg::readThrough(node, at, *next);
    if (!composed) return std::nullopt;
    at = std::move(*composed);
  }
  return std::nullopt;
}

}  // namespace rlc::passes
