#include "compiler/passes/dead_code.h"

#include "compiler/passes/rewrite.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

void deadCode(pdg::Graph& graph, Notes& notes) {
  int inputs = 0;
  for (NodeId id = 0; id < graph.size(); ++id) inputs += dropUnusedInputs(graph.node(id));
  const int before = graph.size();
  compact(graph, pdg::reachable(graph, pdg::roots(graph)));
  notes.count(before - graph.size(), "removed");
  if (inputs > 0) notes.did({}, std::to_string(inputs) + " subscript values no longer read");
}

}  // namespace rlc::passes
