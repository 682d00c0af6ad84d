// A population of runs in one program: `--seeds lo..hi`.
//
// Not an optimization, so not in the pipeline's table: it changes what a program computes. It comes
// after gradients have been expanded, which is right because the members of a population do not
// depend on each other.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/pdg/graph.h"

namespace rlc::passes {

// Adds an index in lo..hi, outermost, to every draw and to all that depends on one: nodes and
// sinks. What depends on no draw stays as it is, computed once. Returns whether anything depends on
// a draw; if not, the graph is unchanged.
bool populate(pdg::Graph& graph, const std::string& index, int64_t lo, int64_t hi);

}  // namespace rlc::passes
