// What may fault is computed where it is asked for: a condition on data asks for one side only.
#pragma once

#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::schedule {

// For each node whether it has to be part of the expressions that read it: it may fault, itself or
// by what it is computed from, and is read only in sides that a condition on data chooses. Kept
// as a value of its own it would be computed, and fault, where nobody asks for it.
//
// Few copies of cheap expressions only: recurrences, reductions and other draws than of integers
// are computed at all of their points, and so is what those read (docs/language.md).
std::vector<bool> askedForUnderConditions(const pdg::Graph& graph);

}  // namespace rlc::schedule
