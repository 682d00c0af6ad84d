// Loops over all elements of tensors, row by row, as one loop of vectors:
//   for r in 0..R: lanes c in 0..C: f(x[r C + c])   becomes   lanes e in 0..R C: f(x[e])
// Rows of a few elements fill no vector, and each row is the beginning and the end of a loop.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place, outside of lanes and of parallel loops' heads.
void flattenElements(loops::Program& program);

}  // namespace rlc::cpu
