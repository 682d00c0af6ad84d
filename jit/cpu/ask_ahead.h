// What samples gather, asked for a block of samples ahead: rows of a large array, at places that
// other arrays tell, such as a shuffled minibatch's. A processor that meets them one by one waits
// for each.
#pragma once

#include <set>
#include <vector>

#include "jit/cpu/walk.h"

namespace rlc::cpu {

// For `count` samples from `next` on, of a loop over samples: statements, each of which asks for
// those of some of them. None where nothing is gathered. `written`: buffers that the parallel loop
// around writes, where places can't be known ahead.
Block askAhead(Program& program, const Stmt& lanes, const Expr& next, int64_t count,
               const std::set<BufferId>& written);

// The statements with the others, in their order, evenly between them: a processor can wait for
// some lines at a time only, and computes meanwhile.
Block interleaved(Block statements, Block others);

}  // namespace rlc::cpu
