// The graph's invariants, checked after every pass in debug and test builds.
#pragma once

#include <string>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

// What is wrong, a message each, naming the node; empty: the graph is sound. Checked: operands,
// types and shapes of each op; expressions over known variables only; every read within the
// producer's domain and shape, for all values of gathers of known range; merges' pieces disjoint
// and covering; no value atom in a cycle. That recurrences advance is the scheduler's to show.
std::vector<std::string> verify(const Graph& graph);

// Throws InternalError with all messages and `when` ("after fold-constants").
void verifyOrThrow(const Graph& graph, const std::string& when);

}  // namespace rlc::pdg
