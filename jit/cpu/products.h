// Matrix times one vector, where no batch gives lanes: y[m] = f(sum over k of W[m, k] x[k]).
//
// With the rows as lanes every step of the sum gathers a column. Here the steps become the lanes,
// which read a row as it lies in memory, and what is done with the sums stays in lanes over the
// rows:
//   lanes m: acc = c; for k: acc = fma(W[m, k], x[k], acc); y[m] = f(acc)
// becomes
//   for m: acc = c; lanes k: acc = fma(W[m, k], x[k], acc); sums[m] = acc
//   lanes m: y[m] = f(sums[m])
// The order in which a sum is taken changes: it depends on the width of the lanes, on nothing else.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place.
void runProductsAlongRows(loops::Program& program);

}  // namespace rlc::cpu
