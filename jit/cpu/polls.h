// Where running code looks whether it has been asked to stop: often enough for a person at a
// prompt, too seldom to be felt.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "jit/cpu/plan.h"

namespace rlc::cpu {

// For loops that look: after how many of their iterations, a power of two. No more than about a
// million operations pass between two looks, estimated from above; a loop that is done sooner needs
// none of its own.
std::unordered_map<const loops::Stmt*, int64_t> placePolls(const loops::Program& program,
                                                           const Plan& plan);

}  // namespace rlc::cpu
