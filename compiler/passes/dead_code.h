// Removes the nodes that no sink (and no end of an index) depends on, and the inputs of the others
// that nothing uses. First, so that the rest looks at live nodes only; last, because the rest
// leaves dead nodes behind.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void deadCode(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
