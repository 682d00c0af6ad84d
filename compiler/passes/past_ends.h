// Reads that may lie past the end of an index that ends on a condition.
#pragma once

#include "compiler/pdg/graph.h"

namespace rlc::passes {

// Gives each read that isn't proved to stay before the end what it has to be checked for
// (pdg::PastEnd): before anything moves reads. Not checked is what the end itself depends on, for
// it can't ask for it, and what lies past the end of the reader, for nothing sees it.
void notePastEnds(pdg::Graph& graph);

}  // namespace rlc::passes
