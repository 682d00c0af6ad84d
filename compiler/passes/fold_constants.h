// Operations on constants become constants, each in its own type, as it would be computed at run
// time; what would fault stays, to fault there. Selections and merges with one possible outcome
// become it, and constants are summed. Before simplify, which looks for zeros and ones.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void foldConstants(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
