// An equation that gives every element its value of a step before, except one, becomes the change
// of that one:
//
//   Q[t+1, s] = if s == k[t] then v[t, s] else Q[t, s]      Q[t] with v[t, s] at s == k[t]
//
// where k does not vary along s. Where storage keeps Q in one place the step then writes a single
// element (schedule/statements.h), whatever the size of the table; elsewhere it copies first. The
// last pass: nothing behind it looks through conditions.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void pointUpdates(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
