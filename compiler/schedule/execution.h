// Decides which parallel loops become SIMD lanes, which are spread over threads.
#pragma once

#include "compiler/schedule/tree.h"

namespace rlc::schedule {

// What lanes are: elements of a processor's registers, which hold some values for many uses, or a
// GPU's threads, of which there have to be many.
enum class LaneKind : uint8_t { Vectors, Threads };

void chooseExecution(const Graph& graph, const Statements& statements, Schedule& schedule,
                     LaneKind lanes = LaneKind::Vectors);

// Lanes of a threaded block: a function of the trip count alone, so that results don't depend on
// the number of threads.
int64_t lanesPerBlock(int64_t tripCount);

}  // namespace rlc::schedule
