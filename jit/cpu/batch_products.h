// Weight gradients of a batch: sums of outer products over all iterations of a parallel loop.
//
//   parallel blocks: lanes i: ...; for m: for k: G[m, k] += a(i, m) * b(i, k)
// would give each chunk of the loop a copy of G, filled and added up again, though a batch of a few
// hundred samples has fewer numbers than the copies. It becomes
//   parallel blocks: lanes i: ...; for m: A[m, i] = a(i, m); for k: B[i, k] = b(i, k)
//   parallel blocks of columns: for m: lanes k: acc = 0; for i: acc = fma(A[m, i], B[i, k], acc);
//   G[m, k] += acc
// a matrix product whose tiles stay in registers for the whole batch. Its sums have one order,
// whatever the number of threads.
//
// Where G has fewer numbers than A and B, two halves of the samples are multiplied apart, which
// gives each its own A and a result of its own, and the results are added to G.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place.
void multiplyBatches(loops::Program& program);

}  // namespace rlc::cpu
