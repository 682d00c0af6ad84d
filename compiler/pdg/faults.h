// Which operations may end a run with a fault.
#pragma once

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

// Whether computing the node from values of its inputs may raise a fault: a subscript that is data
// without a known range (what must hold, among them: see requirements.h), a value that does not
// fit, a division by zero, a draw or an extremum of nothing. What its inputs raise is theirs.
bool mayFault(const Graph& graph, const Node& node);

}  // namespace rlc::pdg
