// Estimates of how much arithmetic statements and loops do, to decide what runs in parallel.
#pragma once

#include "compiler/schedule/tree.h"

namespace rlc::schedule {

// Scalar operations of one instance of the statement, what is inlined included.
double operationsOf(const Graph& graph, const Statements& statements, const Statement& statement);

// Of the node's value at a point, at most. `update`: of which only those are computed that its keys
// choose.
double elementsOf(const pdg::Node& node, const pdg::Node* update = nullptr);

// Points of the box of these variables around a domain; what has no bound counts once.
double pointsAround(const Set& domain, const std::vector<Var>& vars);

// Iterations of a loop at most, over all values of the loops around it.
int64_t tripCount(const ScheduleNode& loop, const Schedule& schedule);

}  // namespace rlc::schedule
