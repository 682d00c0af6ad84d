// Sines and cosines of what is proved to be a small angle, or NaN: they need no reduction by
// quarter turns, and give the same bits without. After common-subexpressions, so that a condition
// and what it chooses read one node.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void smallAngles(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
