// What may be a fault is computed at the points that something asks for, as the interpreter does.
#pragma once

#include "compiler/pdg/graph.h"

namespace rlc::passes {

// Narrows the domain of each node that may fault to what its readers take of it, and the domains of
// those readers that ask for more than is asked of them. After the faults' texts are known: they
// name a tensor's whole domain.
void computeFaultsWhereAsked(pdg::Graph& graph);

}  // namespace rlc::passes
