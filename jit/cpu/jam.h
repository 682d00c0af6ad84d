// Unroll and jam: several iterations of a loop side by side, within the loops inside that they
// share.
#pragma once

#include "jit/cpu/rewrite.h"

namespace rlc::cpu {

// `factor` iterations at a time of a loop of known length whose iterations may interleave, and the
// rest by themselves. `ranges`, of the variables of the loops around and inside, gets those of new
// loops.
loops::Block jam(loops::Program& program, Ranges& ranges, const loops::Stmt& loop, int64_t factor);

}  // namespace rlc::cpu
