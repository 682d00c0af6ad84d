// Long loops over the elements of tensors run on all threads: an optimizer's step over a layer's
// weights, which no loop over samples has inside. So do those that put side by side what a large
// update of a sum tree takes.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Makes such loops Parallel, in place, outside of other parallel loops and of lanes.
void shareElements(loops::Program& program);

}  // namespace rlc::cpu
