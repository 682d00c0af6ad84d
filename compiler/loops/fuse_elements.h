// Neighbouring loops over the elements of tensors of one shape become one loop:
//   for i: m[i] = f(m[i], g[i])   for i: w[i] = h(w[i], m[i])
// becomes   for i: { m[i] = f(m[i], g[i])   w[i] = h(w[i], m[i]) }
// so that an optimizer's step goes over its weights once, with their moments, and a GPU gets one
// kernel.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::loops {

// Changes the program in place, outside of Lanes and Parallel loops, where neighbours have a tensor
// in common and none reads or writes another element of what the other one writes.
void fuseElements(Program& program);

}  // namespace rlc::loops
