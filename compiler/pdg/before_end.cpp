#include "compiler/pdg/before_end.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"

namespace rlc::pdg {

namespace {

// How many points further on than at its own a node reads its k-th input along an index, at most;
// none: at points of another choice.
std::optional<int64_t> pointsAhead(const Graph& graph, const Node& node, size_t k, Var dim) {
  const IndexExpr& at = *positionAlong(graph, node.inputs[k], dim);
  if (at.hasValue()) return std::nullopt;
  if (!runsAlong(node, {dim})) {  // the first point is no later than any
    const auto point = at.asConstant(), first = graph.dim(dim).lo.asConstant();
    return point && first && *point <= *first ? std::optional<int64_t>(0) : std::nullopt;
  }
  const auto shifted = at.asShifted();
  if (shifted && shifted->var == dim) return shifted->offset;
  return readDomain(node, static_cast<int>(k)).maximum(at - IndexExpr(dim));
}

// Whether all of some nodes read from the same point of an index or earlier ones: nothing goes on
// to later points, or asks for points of its own choice.
bool goesOnlyBack(const Graph& graph, const std::vector<bool>& nodes, Var dim) {
  return std::all_of(graph.nodes().begin(), graph.nodes().end(), [&](const Node& node) {
    for (size_t k = 0; nodes[static_cast<size_t>(node.id)] && k < node.inputs.size(); ++k) {
      if (positionAlong(graph, node.inputs[k], dim) == nullptr) continue;
      const auto ahead = pointsAhead(graph, node, k, dim);
      if (!ahead || *ahead > 0) return false;
    }
    return true;
  });
}

}  // namespace

Before::Before(const Graph& graph, NodeId node, const std::vector<Var>& indices)
    : dims_(graph.node(node).dims), ever_(reachable(graph, {node})), known_(ever_) {
  std::copy_if(indices.begin(), indices.end(), std::back_inserter(back_),
               [&](Var dim) { return goesOnlyBack(graph, ever_, dim); });
  if (back_.empty()) return;
  known_.assign(known_.size(), false);
  std::vector<NodeId> pending{node};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (known_[static_cast<size_t>(id)]) continue;
    known_[static_cast<size_t>(id)] = true;
    const Node& reader = graph.node(id);
    for (size_t k = 0; k < reader.inputs.size(); ++k) {
      const bool earlier = std::any_of(back_.begin(), back_.end(), [&](Var dim) {
        return positionAlong(graph, reader.inputs[k], dim) != nullptr &&
               *pointsAhead(graph, reader, k, dim) < 0;
      });
      if (!earlier) pending.push_back(reader.inputs[k].producer);
    }
  }
}

bool Before::mayBeAskedBy(const Node& reader, const std::vector<IndexExpr>& at) const {
  if (!ever_[static_cast<size_t>(reader.id)]) return true;
  if (known_[static_cast<size_t>(reader.id)]) return false;
  // From its own point back: what is asked for depends on the reader at earlier points only.
  return std::all_of(back_.begin(), back_.end(), [&](Var dim) {
    const auto place = std::find(dims_.begin(), dims_.end(), dim) - dims_.begin();
    const IndexExpr& position = at[static_cast<size_t>(place)];
    std::vector<Var> vars;
    position.collectVariables(vars);
    if (position.hasValue() || !runsAlong(reader, {dim}) || !runsAlong(reader, vars)) return false;
    const auto ahead = reader.domain.maximum(position - IndexExpr(dim));
    return !ahead || *ahead <= 0;
  });
}

}  // namespace rlc::pdg
