// Nodes that compute the same from the same are one node: also where they name their dims or bound
// variables differently, and where one covers more points than the other. That is how the loss
// reuses what the rollout computed as long as both read the same parameters. After simplify and
// domain-reduction, so that equal values look equal.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void commonSubexpressions(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
