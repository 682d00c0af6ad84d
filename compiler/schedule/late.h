// In which iteration of a loop its statements run, where the order leaves a choice. The least
// shifts, which LoopFinder takes, let everything run as early as it can; what is computed before it
// is needed has to be kept until then.
#pragma once

#include "compiler/schedule/unscheduled.h"

namespace rlc::schedule {

// Moves statements of a loop that runs in order to later iterations:
// - what reads nothing that the loop computes, or only what is moved, to where it is first read;
// - an equation that runs ahead of its tensor's others, into step with them, with all that this
//   pushes, where that keeps less alive in all: a tensor's storage is the smallest if its equations
//   have one shift.
void runLate(LoopChoice& loop, const std::vector<int>& statements,
             const std::vector<Dependence>& dependences, const Unscheduled& unscheduled);

}  // namespace rlc::schedule
