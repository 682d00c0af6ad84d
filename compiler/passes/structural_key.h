// What a node computes, as a string that is equal for equal computations. Its own variables (dims,
// bound variables) count by position, so names do not matter; domains are left out: comparing sets
// costs more, and is done for nodes with equal keys only.
#pragma once

#include <optional>
#include <string>

#include "compiler/passes/rewrite.h"

namespace rlc::passes {

// nullopt: never equal to another (a draw whose coordinates are its own is equal to itself only).
std::optional<std::string> structuralKey(const Graph& graph, const Node& node);

// The same computation at the same points, given equal keys: every set of one, with its variables
// renamed, contains the other's (`larger` that of `smaller`), and within the smaller's points they
// agree.
bool covers(const Node& larger, const Node& smaller);

}  // namespace rlc::passes
