// Gives what is printed at one point of an index a copy of its own: the host reads what is printed
// after the run, and would need all points of the tensor until then.
#pragma once

#include "compiler/pdg/graph.h"

namespace rlc::schedule {

void copyPrintedPoints(pdg::Graph& graph);

}  // namespace rlc::schedule
