// Decides which parallel loops become SIMD lanes, which are spread over threads.
#pragma once

#include "compiler/schedule/tree.h"

namespace rlc::schedule {

void chooseExecution(const Graph& graph, const Statements& statements, Schedule& schedule);

// Lanes of a threaded block: a function of the trip count alone, so that results don't depend on
// the number of threads.
int64_t lanesPerBlock(int64_t tripCount);

}  // namespace rlc::schedule
