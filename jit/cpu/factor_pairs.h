// Products of f32 whose factors may be rounded to bf16, two of them in an instruction.
//
//   lanes i: for m: acc = 0; for k: acc = fma(W[m * K + k], x[k], acc); y[m] = acc
// becomes
//   for j: rounded[j] = factor(W[j])
//   lanes i: for q: pairs[q] = pair(factor(x[2 q]), factor(x[2 q + 1]))
//            for m: acc = 0
//                   for q: acc = pair_fma(pair(rounded[m * K + 2 q], rounded[m * K + 2 q + 1]),
//                                         pairs[q], acc)
//                   y[m] = acc
// What all lanes share is rounded once, in front of the outermost loop that leaves it as it is, or
// behind what changes it (kept_factors.h); where it does not lie along the sum, such as the columns
// of W, pairs of it are made there. What a lane has of its own becomes pairs in front of the loops
// that use it again. Sums of fewer than sixteen products, and what fewer than sixteen sums use,
// stay as they are; so does the last product of an odd number.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place, before its loops are tiled.
void pairFactors(loops::Program& program);

}  // namespace rlc::cpu
