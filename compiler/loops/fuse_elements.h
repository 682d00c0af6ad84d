// Loops over the elements of tensors of one shape become one loop:
//   for i: m[i] = f(m[i], g[i])   for i: w[i] = h(w[i], m[i])
// becomes   for i: { let x = f(m[i], g[i])   m[i] = x   w[i] = h(w[i], x) }
// so that an optimizer's step goes over its weights once, with their moments, and a GPU gets one
// kernel. What is read nowhere else needs no store.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::loops {

// Changes the program in place, outside of Lanes and Parallel loops, where two loops have a tensor
// in common, neither reads or writes another element of what the other one writes, and the second
// may run before all that is between them.
void fuseElements(Program& program);
// The same of a block of a program that has so many variables.
void fuseElements(Block& block, int& variables);

}  // namespace rlc::loops
