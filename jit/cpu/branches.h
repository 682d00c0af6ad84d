// Batches for which parts of a network need nothing of each other: two critics, and their targets.
//
//   parallel blocks: lanes i: common; a; b; both
// becomes
//   parallel blocks: lanes i: common
//   parallel blocks: lanes i: a
//   parallel blocks: lanes i: b
//   parallel blocks: lanes i: both
// so that a and b can run side by side (side_by_side.h): a thread then reads one network's weights,
// which its own core has changed, and not all of both. What one loop hands to another is kept for
// all lanes, block by block.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place: parallel loops over lanes, outside of other parallel loops, of so
// few lanes and such large parts that weights are more than what is kept.
void separateBranches(loops::Program& program);

}  // namespace rlc::cpu
