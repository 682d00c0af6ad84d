// Estimates of how much arithmetic statements and loops do, to decide what runs in parallel.
#pragma once

#include "compiler/schedule/tree.h"

namespace rlc::schedule {

// Scalar operations of one instance of the statement, what is inlined included.
double operationsOf(const Graph& graph, const Statements& statements, const Statement& statement);

// Iterations of a loop at most, over all values of the loops around it.
int64_t tripCount(const ScheduleNode& loop, const Schedule& schedule);

}  // namespace rlc::schedule
