// A value that depends on two indices only through their difference is computed once for each
// difference: `gamma^(k - t)` over a window of n steps has n values, not n for each t. After
// reductions have become recurrences, which know such weights by their form.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void skewDomains(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
