// Helpers of this folder's tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/passes/pipeline.h"
#include "compiler/pdg/testing.h"

namespace rlc::passes::testing {

// What all tests speak of; they use this namespace.
using pdg::Condition;
using pdg::IndexExpr;
using pdg::NodeId;
using pdg::Read;
using pdg::ReduceKind;
using pdg::Set;
using pdg::Var;
using pdg::testing::GraphBuilder;

// What every sink shows: "label[t=1]" to its numbers.
using Shown = std::map<std::string, std::vector<double>>;
Shown shown(const pdg::Graph& graph);

// The first difference beyond the relative tolerance (of values and, near 0, of 1), or "".
std::string difference(const Shown& expected, const Shown& actual, double tolerance);

// Runs the pass, then checks that the graph is sound and shows the same.
Notes apply(void (*pass)(pdg::Graph&, Notes&), pdg::Graph& graph, double tolerance = 0);

// All notes, a line each; those of what did not happen start with "not: ".
std::string text(const Notes& notes);

// The node's definition as printed, without its first line (its domain).
std::string definition(const pdg::Graph& graph, const std::string& name);
// The first node of that name.
const pdg::Node& named(const pdg::Graph& graph, const std::string& name);

// How many nodes there are of an operation: "map", "reduce", "merge", ...
int countOf(const pdg::Graph& graph, std::string_view op);

}  // namespace rlc::passes::testing
