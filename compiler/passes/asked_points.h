// What may be a fault is computed at the points that something asks for, as the interpreter does.
#pragma once

#include "compiler/pdg/graph.h"

namespace rlc::passes {

// Narrows the domain of each node that may fault to a hull of what is read of it, and the domains
// of those readers that take more than is asked for of them. After the faults' texts are known:
// they name a tensor's whole domain.
void computeFaultsWhereAsked(pdg::Graph& graph);

}  // namespace rlc::passes
