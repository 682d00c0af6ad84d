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

}  // namespace

int64_t pointsPastEnd(const Graph& graph, const EndingIndex& index, const Node& node) {
  const auto past = node.domain.maximum(IndexExpr(index.dim) - graph.dim(index.dim).hi);
  return past ? std::max<int64_t>(0, *past + 1) : 0;
}

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
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Read& input) {
    Read composed = input;
    for (IndexExpr& e : composed.at) {
      if (e.hasValue()) return false;
      e = e.substitute(values);
    }
    return staysFalse(graph, indices, composed, along);
  });
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
