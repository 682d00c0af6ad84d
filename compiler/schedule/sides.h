// Two loops of much the same work, of which the second needs little of the first, stand apart once
// that little has a loop of its own: an actor's and its critic's update, which share the samples'
// numbers and the mean of their advantages. Then two threads can take one each, where there is too
// little for two to share either (jit/cpu/sections.h).
#pragma once

#include "compiler/schedule/grouping.h"

namespace rlc::schedule {

// Splits groups in two. `edges`: the dependences among the statements of the region.
void separateSides(std::vector<Group>& groups, const Edges& edges, const Unscheduled& unscheduled);

}  // namespace rlc::schedule
