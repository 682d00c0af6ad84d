// Reads go through aliases (a tensor with one equation, a detached value) to what computes the
// value, and operations that give one of their operands, bit for bit, disappear. Before
// common-subexpressions, which compares reads: equal values must be read from the same node.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void simplify(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
