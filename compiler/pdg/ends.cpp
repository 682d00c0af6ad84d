#include "compiler/pdg/ends.h"

#include <algorithm>
#include <map>

#include "compiler/pdg/traversal.h"

namespace rlc::pdg {

namespace {

// The recurrence behind the first point at which something no longer holds.
NodeId existsBehind(const Graph& graph, NodeId end, Var dim) {
  const auto* reduce = std::get_if<Reduce>(&graph.node(end).op);
  if (!reduce || reduce->kind != ReduceKind::FirstTrue) return -1;
  NodeId id = graph.node(end).inputs[0].producer;
  while (true) {
    const Node& node = graph.node(id);
    if (node.type != DType::Bool || !node.shape.empty()) return -1;
    const auto* merge = std::get_if<Merge>(&node.op);
    if (merge && merge->pieces.size() > 1)
      return !node.dims.empty() && node.dims.back() == dim ? id : -1;
    const auto* map = std::get_if<Map>(&node.op);
    if (!merge && !(map && map->op == ScalarOp::Not)) return -1;
    id = node.inputs[0].producer;
  }
}

// What reads the node, directly or through others, without leaving the index.
std::vector<bool> readersAlong(const Graph& graph, NodeId origin, Var dim) {
  const std::vector<std::vector<NodeId>> readers = users(graph);
  std::vector<bool> found(static_cast<size_t>(graph.size()));
  std::vector<NodeId> pending{origin};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    for (NodeId reader : readers[static_cast<size_t>(id)]) {
      const auto& dims = graph.node(reader).dims;
      if (found[static_cast<size_t>(reader)] ||
          std::find(dims.begin(), dims.end(), dim) == dims.end())
        continue;
      found[static_cast<size_t>(reader)] = true;
      pending.push_back(reader);
    }
  }
  return found;
}

// Points of a node or a reduction's range that lie past the static end of an index.
int64_t ownPointsBeyond(const Graph& graph, const Node& node, Var dim) {
  const auto has = [&](const std::vector<Var>& vars) {
    return std::find(vars.begin(), vars.end(), dim) != vars.end();
  };
  const auto* reduce = std::get_if<Reduce>(&node.op);
  const bool bound = reduce && has(reduce->bound);
  if (!bound && !has(node.dims)) return 0;
  const auto last =
      (bound ? reduce->domain : node.domain).maximum(IndexExpr(dim) - graph.dim(dim).hi);
  return last ? std::max<int64_t>(0, *last + 1) : 0;
}

// Whether evaluating the node always evaluates its k-th input: not what a condition chooses.
bool isAlwaysRead(const Node& node, size_t k) {
  if (const auto* map = std::get_if<Map>(&node.op)) return map->op != ScalarOp::Select || k == 0;
  if (const auto* reduce = std::get_if<Reduce>(&node.op)) return !reduce->hasFilter || k == 1;
  return true;
}

// Where a read is along an index; null: what it reads does not run along it.
const IndexExpr* positionAlong(const Graph& graph, const Read& read, Var dim) {
  const auto& dims = graph.node(read.producer).dims;
  const auto place = std::find(dims.begin(), dims.end(), dim);
  return place == dims.end() ? nullptr : &read.at[static_cast<size_t>(place - dims.begin())];
}

// Whether a value is chosen, as gradients choose zero where what they are of has no value.
bool isChosen(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const auto* merge = std::get_if<Merge>(&node.op);
  if (merge && merge->pieces.size() == 1) return isChosen(graph, node.inputs[0].producer);
  const auto* map = std::get_if<Map>(&node.op);
  return map && map->op == ScalarOp::Select;
}

// Whether a truth follows from the index's own points and what does not run along it, as where it
// ends.
bool isOfPoints(const Graph& graph, NodeId id, Var dim) {
  const Node& node = graph.node(id);
  if (node.type != DType::Bool || !std::holds_alternative<Map>(node.op)) return false;
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const Read& read) {
    return std::holds_alternative<IndexValue>(graph.node(read.producer).op) ||
           positionAlong(graph, read, dim) == nullptr;
  });
}

// Whether the k-th input is read along the whole declared range, under another variable or as the
// range of a sum, as gradients do: what they read is zero past the end. A reduction that steps
// along the index itself stops with it. What is read at one point is asked for there; what the
// user has named has a check that the index gets so far.
bool isReadThroughout(const Graph& graph, const Node& node, size_t k, const EndingIndex& index,
                      const std::vector<Var>& steps) {
  const auto* reduce = std::get_if<Reduce>(&node.op);
  const IndexExpr* at = positionAlong(graph, node.inputs[k], index.dim);
  if (at == nullptr || at->hasValue() || (reduce && reduce->hasFilter)) return false;
  const Node& producer = graph.node(node.inputs[k].producer);
  const bool chosen = isChosen(graph, producer.id);
  if (at->asConstant())
    return (producer.name.empty() || producer.adjoint) &&
           (chosen || isOfPoints(graph, producer.id, index.dim));
  if (!chosen) return false;
  if (!at->mentions(index.dim)) return true;
  const bool bound = reduce && std::find(reduce->bound.begin(), reduce->bound.end(), index.dim) !=
                                   reduce->bound.end();
  const auto& asked = graph.node(index.exists).dims;
  return bound && !std::all_of(asked.begin(), asked.end(), [&](Var var) {
           return std::find(node.dims.begin(), node.dims.end(), var) != node.dims.end() ||
                  std::find(steps.begin(), steps.end(), var) != steps.end();
         });
}

// A static piece may cover fewer points than the node that reads it, so the reader's points past
// the end are the piece's as well.
std::vector<int64_t> pointsBeyond(const Graph& graph, const EndingIndex& index,
                                  const Steps& steps) {
  const Var dim = index.dim;
  std::vector<int64_t> beyond(static_cast<size_t>(graph.size()));
  std::vector<NodeId> pending;
  for (const Node& node : graph.nodes()) {
    int64_t& own = beyond[static_cast<size_t>(node.id)];
    own = ownPointsBeyond(graph, node, dim);
    if (own > 0) pending.push_back(node.id);
  }
  const auto need = [&](NodeId id, int64_t points) {
    int64_t& known = beyond[static_cast<size_t>(id)];
    if (points <= known) return;
    known = points;
    pending.push_back(id);
  };
  for (const Node& node : graph.nodes())
    for (size_t k = 0; k < node.inputs.size(); ++k)
      if (isReadThroughout(graph, node, k, index, steps[static_cast<size_t>(node.id)]))
        need(node.inputs[k].producer, kAllPoints);
  while (!pending.empty()) {
    const Node& reader = graph.node(pending.back());
    pending.pop_back();
    for (size_t k = 0; k < reader.inputs.size(); ++k) {
      const Read& read = reader.inputs[k];
      const IndexExpr* at = positionAlong(graph, read, dim);
      if (at == nullptr || !isAlwaysRead(reader, k)) continue;
      const int64_t own = beyond[static_cast<size_t>(reader.id)];
      const auto shifted = at->asShifted();
      const bool along = shifted && shifted->var == dim;
      // What is read further on has its own point for the end: none may go on for ever.
      if (own < kAllPoints && (!along || shifted->offset > 0)) continue;
      need(read.producer, own < kAllPoints ? own + shifted->offset : kAllPoints);
    }
  }
  return beyond;
}

}  // namespace

bool staysFalse(const Graph& graph, const std::vector<EndingIndex>& indices, const Read& read,
                Var along) {
  const Node& node = graph.node(read.producer);
  for (const EndingIndex& index : indices) {
    if (index.exists != read.producer) continue;
    const auto last = read.at.back().asShifted();
    if (!last || last->var != along) return false;
    return std::none_of(read.at.begin(), read.at.end() - 1, [&](const IndexExpr& e) {
      std::vector<Var> vars;
      e.collectVariables(vars);
      return e.hasValue() || std::find(vars.begin(), vars.end(), along) != vars.end();
    });
  }
  // Through aliases and conjunctions, in the variables of the reader.
  const auto* merge = std::get_if<Merge>(&node.op);
  const auto* map = std::get_if<Map>(&node.op);
  if (!(merge && merge->pieces.size() == 1) && !(map && map->op == ScalarOp::And)) return false;
  std::map<Var, IndexExpr> values;
  for (size_t k = 0; k < node.dims.size(); ++k) values[node.dims[k]] = read.at[k];
  // A conjunction may be false for what comes and goes.
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const Read& input) {
    Read composed = input;
    for (IndexExpr& e : composed.at) {
      if (e.hasValue()) return false;
      e = e.substitute(values);
    }
    return staysFalse(graph, indices, composed, along);
  });
}

std::vector<EndingIndex> endingIndices(const Graph& graph, const Steps& steps) {
  std::vector<EndingIndex> indices = endingIndices(graph);
  for (EndingIndex& index : indices) index.beyond = pointsBeyond(graph, index, steps);
  return indices;
}

std::vector<EndingIndex> endingIndices(const Graph& graph) {
  std::vector<EndingIndex> result;
  for (int d = 0; d < graph.dimCount(); ++d) {
    const auto dim = Var::dim(d);
    if (graph.dim(dim).end < 0) continue;
    EndingIndex index;
    index.dim = dim;
    index.exists = existsBehind(graph, graph.dim(dim).end, dim);
    if (index.exists < 0) continue;
    index.before = reachable(graph, {index.exists});
    index.aware = readersAlong(graph, index.exists, dim);
    result.push_back(std::move(index));
  }
  return result;
}

}  // namespace rlc::pdg
