// Small whole powers become products, divisions by powers of two products with the exact
// reciprocal. After simplify-reductions, which recognizes weights by their powers.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void strengthReduction(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
