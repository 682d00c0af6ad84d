#include "compiler/pdg/before_end.h"

#include <algorithm>
#include <iterator>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"

namespace rlc::pdg {

namespace {

// Whether all of some nodes read from the same point of an index or earlier ones: nothing goes on
// to later points, or asks for points of its own choice.
bool goesOnlyBack(const Graph& graph, const std::vector<bool>& nodes, Var dim) {
  for (const Node& node : graph.nodes()) {
    if (!nodes[static_cast<size_t>(node.id)]) continue;
    for (const Read& read : node.inputs) {
      const IndexExpr* at = positionAlong(graph, read, dim);
      if (at == nullptr) continue;
      const auto shifted = at->asShifted();
      if (!runsAlong(node, {dim}) || !shifted || shifted->var != dim || shifted->offset > 0)
        return false;
    }
  }
  return true;
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
    for (const Read& read : graph.node(id).inputs) {
      const bool earlier = std::any_of(back_.begin(), back_.end(), [&](Var dim) {
        const IndexExpr* at = positionAlong(graph, read, dim);
        return at != nullptr && at->asShifted()->offset < 0;
      });
      if (!earlier) pending.push_back(read.producer);
    }
  }
}

bool Before::mayBeAskedBy(NodeId reader, const std::vector<IndexExpr>& at) const {
  if (!ever_[static_cast<size_t>(reader)]) return true;
  if (known_[static_cast<size_t>(reader)]) return false;
  // From its own point back: what is asked for depends on the reader at earlier points only.
  return std::all_of(back_.begin(), back_.end(), [&](Var dim) {
    const auto place = std::find(dims_.begin(), dims_.end(), dim) - dims_.begin();
    const auto shifted = at[static_cast<size_t>(place)].asShifted();
    return shifted && shifted->var == dim && shifted->offset <= 0;
  });
}

}  // namespace rlc::pdg
