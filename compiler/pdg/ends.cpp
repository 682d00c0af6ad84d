#include "compiler/pdg/ends.h"

#include <algorithm>
#include <optional>

#include "compiler/pdg/before_end.h"
#include "compiler/pdg/pending_reads.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"
#include "compiler/pdg/truths.h"
#include "compiler/types/lists.h"

namespace rlc::pdg {

namespace {

// Gradients that are read one point further on each other's, past this, are computed throughout.
constexpr int64_t kMostPoints = 8;

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

// What reads the node, directly or through others, at its own points of the index; but for what the
// user has named, which has no values past the end.
std::vector<bool> readersAlong(const Graph& graph, NodeId origin, Var dim) {
  const std::vector<std::vector<NodeId>> readers = users(graph);
  const auto readsOwn = [&](const Node& reader, NodeId producer) {
    return std::any_of(reader.inputs.begin(), reader.inputs.end(), [&](const Read& read) {
      const IndexExpr* at = positionAlong(graph, read, dim);
      return read.producer == producer && at != nullptr && at->mentions(dim);
    });
  };
  std::vector<bool> found(static_cast<size_t>(graph.size()));
  std::vector<NodeId> pending{origin};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    for (NodeId reader : readers[static_cast<size_t>(id)]) {
      const Node& node = graph.node(reader);
      const bool named = !node.name.empty() && !node.adjoint;
      if (found[static_cast<size_t>(reader)] || named || !runsAlong(node, {dim}) ||
          !readsOwn(node, id))
        continue;
      found[static_cast<size_t>(reader)] = true;
      pending.push_back(reader);
    }
  }
  return found;
}

// Points of a node or a reduction's range that lie past the static end of an index.
int64_t ownPointsBeyond(const Graph& graph, const Node& node, Var dim) {
  const auto has = [&](const std::vector<Var>& vars) { return contains(vars, dim); };
  const auto* reduce = std::get_if<Reduce>(&node.op);
  const bool bound = reduce && has(reduce->bound);
  if (!bound && !has(node.dims)) return 0;
  return pointsPastRange(graph, bound ? reduce->domain : node.domain, dim).value_or(0);
}

// How many points further on an index the k-th input is read at most, where the reader has to ask
// for them. What is read further on has a point of its own for the end, but for gradients: those
// are zero there.
std::optional<int64_t> pointsAsked(const Graph& graph, const Node& reader, size_t k,
                                   const IndexExpr& at, Var dim) {
  const bool adjoint = graph.node(reader.inputs[k].producer).adjoint;
  if (const auto shifted = at.asShifted()) {
    const bool asks = shifted->var == dim && (shifted->offset <= 0 || adjoint);
    return asks ? std::optional(shifted->offset) : std::nullopt;
  }
  if (!adjoint || at.hasValue() || !at.mentions(dim)) return std::nullopt;
  return readDomain(reader, static_cast<int>(k)).maximum(at - IndexExpr(dim));
}

// Whether a value is chosen, as gradients choose zero where what they are of has no value.
bool isChosen(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (const Read* same = passedOn(node)) return isChosen(graph, same->producer);
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
  if (at == nullptr || at->hasValue()) return false;
  const Node& producer = graph.node(node.inputs[k].producer);
  // What a scatter filters by is false past the end, and the rest is not asked for there.
  if (reduce && reduce->hasFilter)
    return k == 1 && !reduce->keys.empty() && producer.name.empty() && !at->mentions(index.dim);
  const bool byUser = !producer.name.empty() && !producer.adjoint;
  const bool chosen = !byUser && isChosen(graph, producer.id);
  if (at->asConstant()) return chosen || (!byUser && isOfPoints(graph, producer.id, index.dim));
  // A scatter without a filter takes its keys at all of its points, to add zero past the end.
  const bool isKey = !keysOf(node).empty() && static_cast<int>(k) >= node.dataInputs();
  if (!chosen && !isKey) return false;
  if (!at->mentions(index.dim)) return true;
  const bool bound = reduce && contains(reduce->bound, index.dim);
  const auto& asked = graph.node(index.exists).dims;
  return bound && !std::all_of(asked.begin(), asked.end(), [&](Var var) {
           return contains(node.dims, var) || contains(steps, var);
         });
}

// A position, in the reader's variables.
std::optional<IndexExpr> expressionOf(const Graph& graph, const Read& position) {
  const Node& point = graph.node(position.producer);
  const auto* value = std::get_if<IndexValue>(&point.op);
  if (!value || value->expr.hasValue()) return std::nullopt;
  return value->expr.substitute(valuesOf(point, position));
}

// How many points from the end on a node may read its k-th input at: what a selection by the end
// leaves out is not read there. Other selections are no limit.
int64_t mostPointsRead(const Graph& graph, const EndingIndex& index,
                       const std::vector<EndingIndex>& indices, const Node& node, size_t k) {
  if (static_cast<int>(k) >= node.dataInputs()) return 0;
  const std::vector<Var>& dims = graph.node(index.exists).dims;
  int64_t most = kAllPoints;
  forEachChosenBy(graph, node, k, [&](const Read& truth) {
    const auto exists = asExists(graph, indices, truth);
    if (!exists || exists->producer != index.exists ||
        !std::equal(dims.begin(), dims.end() - 1, exists->at.begin(),
                    [](Var dim, const IndexExpr& at) { return at == IndexExpr(dim); }))
      return;
    const auto shifted = exists->at.back().asShifted();
    if (shifted && shifted->var == index.dim)
      most = std::min(most, std::max<int64_t>(0, -shifted->offset));
  });
  return most;
}

// How many points from the end on a selection by the end has values at, and what is made of it, as
// gradients are: their domains don't tell, where less of them is read.
void chosenPoints(const Graph& graph, const EndingIndex& index,
                  const std::vector<EndingIndex>& indices, std::vector<int64_t>& beyond) {
  const std::vector<std::vector<NodeId>> readers = users(graph);
  std::vector<int64_t> chosen(beyond.size());
  std::vector<std::pair<NodeId, int64_t>> pending;
  for (const Node& node : graph.nodes()) {
    const auto* map = std::get_if<Map>(&node.op);
    if (!map || map->op != ScalarOp::Select) continue;
    const int64_t most = mostPointsRead(graph, index, indices, node, 1);
    if (most != kAllPoints && runsAlong(node, {index.dim})) pending.emplace_back(node.id, most);
  }
  while (!pending.empty()) {
    const auto [id, points] = pending.back();
    pending.pop_back();
    int64_t &known = chosen[static_cast<size_t>(id)], &all = beyond[static_cast<size_t>(id)];
    if (points <= known) continue;
    known = points;
    all = std::max(all, points);
    for (const NodeId by : readers[static_cast<size_t>(id)]) {
      const Node& reader = graph.node(by);
      if (!reader.name.empty() && !reader.adjoint) continue;
      for (size_t k = 0; k < reader.inputs.size(); ++k) {
        const IndexExpr* at = positionAlong(graph, reader.inputs[k], index.dim);
        if (reader.inputs[k].producer == id && at != nullptr && *at == IndexExpr(index.dim))
          pending.emplace_back(by,
                               std::min(points, mostPointsRead(graph, index, indices, reader, k)));
      }
    }
  }
}

// Whether a gradient is read where the index may end at another point than the reader's: at another
// round or lane.
bool isOfAnotherEnd(const Graph& graph, const EndingIndex& index, const Read& read) {
  if (!graph.node(read.producer).adjoint) return false;
  const std::vector<Var>& dims = graph.node(index.exists).dims;
  return std::any_of(dims.begin(), dims.end() - 1, [&](Var dim) {
    const IndexExpr* at = positionAlong(graph, read, dim);
    return at != nullptr && !(*at == IndexExpr(dim));
  });
}

// By node, at how many points past the end it is asked for: those that it has of its own, those at
// which a selection by the end chooses it, all of what gradients read throughout, and those at
// which who reads it is asked for, for a static piece may cover fewer points than its reader. Grows
// to a fixed point.
std::vector<int64_t> pointsBeyond(const Graph& graph, const EndingIndex& index,
                                  const std::vector<EndingIndex>& indices, const Steps& steps) {
  const Var dim = index.dim;
  std::vector<int64_t> beyond(static_cast<size_t>(graph.size()));
  std::vector<NodeId> pending;
  for (const Node& node : graph.nodes()) {
    beyond[static_cast<size_t>(node.id)] = ownPointsBeyond(graph, node, dim);
    pending.push_back(node.id);
  }
  chosenPoints(graph, index, indices, beyond);
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
    // Where it is computed it asks for the ends of its other indices.
    for (const EndingIndex& other : indices)
      if (other.dim != dim && runsAlong(reader, graph.node(other.exists).dims))
        need(other.exists, beyond[static_cast<size_t>(reader.id)]);
    for (size_t k = 0; k < reader.inputs.size(); ++k) {
      const Read& read = reader.inputs[k];
      const IndexExpr* at = positionAlong(graph, read, dim);
      if (at == nullptr) continue;
      const int64_t own = std::min(beyond[static_cast<size_t>(reader.id)],
                                   mostPointsRead(graph, index, indices, reader, k));
      if (own == kAllPoints || isOfAnotherEnd(graph, index, read)) {
        need(read.producer, kAllPoints);
        continue;
      }
      const auto ahead = pointsAsked(graph, reader, k, *at, dim);
      if (!ahead) continue;
      const int64_t points = own + *ahead;
      need(read.producer, points <= kMostPoints ? points : kAllPoints);
    }
  }
  return beyond;
}

}  // namespace

std::optional<Read> asExists(const Graph& graph, const std::vector<EndingIndex>& indices,
                             const Read& truth) {
  for (const EndingIndex& index : indices)
    if (index.exists == truth.producer) return truth;
  const Node& node = graph.node(truth.producer);
  const auto* map = std::get_if<Map>(&node.op);
  if (!map || map->op != ScalarOp::Lt) return std::nullopt;
  const auto position = readThrough(node, truth, node.inputs[0]);
  const auto expr = position ? expressionOf(graph, *position) : std::nullopt;
  auto bound = readThrough(node, truth, node.inputs[1]);
  if (!expr || !bound) return std::nullopt;
  PendingReads pending(std::move(*bound));
  while (const auto next = pending.next()) {
    const Read& read = *next;
    for (const EndingIndex& index : indices) {
      if (read.producer != graph.dim(index.dim).end) continue;
      Read exists{index.exists, read.at, {}};
      exists.at.push_back(*expr);
      return exists;
    }
    const Node& of = graph.node(read.producer);
    const auto* least = std::get_if<Map>(&of.op);
    const bool goesOn = (least && least->op == ScalarOp::Min) || passedOn(of) != nullptr;
    for (size_t k = 0; goesOn && k < of.inputs.size(); ++k)
      if (auto inner = readThrough(of, read, of.inputs[k])) pending.add(std::move(*inner));
  }
  return std::nullopt;
}

bool staysFalse(const Graph& graph, const std::vector<EndingIndex>& indices, const Read& read,
                Var along) {
  const auto stays = [&](const Read& part) {
    const bool exists = std::any_of(indices.begin(), indices.end(), [&](const EndingIndex& index) {
      return index.exists == part.producer;
    });
    if (!exists) return false;
    const auto last = part.at.back().asShifted();
    if (!last || last->var != along) return false;
    return std::none_of(part.at.begin(), part.at.end() - 1,
                        [&](const IndexExpr& e) { return e.hasValue() || e.mentions(along); });
  };
  // A conjunction may be false for what comes and goes.
  bool all = true;
  forEachConjunct(graph, read, [&](const Read& part) { all = all && stays(part); });
  return all;
}

std::vector<EndingIndex> endingIndices(const Graph& graph, const Steps& steps) {
  std::vector<EndingIndex> indices = endingIndices(graph);
  for (EndingIndex& index : indices) index.beyond = pointsBeyond(graph, index, indices, steps);
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
    const std::vector<Var>& dims = graph.node(index.exists).dims;
    index.before = Before(graph, index.exists, {dims.begin(), dims.end() - 1}).known();
    index.aware = readersAlong(graph, index.exists, dim);
    result.push_back(std::move(index));
  }
  return result;
}

}  // namespace rlc::pdg
