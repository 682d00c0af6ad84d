// Products of matrices, a panel of columns after the other.
//
//   for i: lanes j in 0..N: acc = 0; for k: acc = fma(A[i, k], B[k, j], acc); C[i, j] = f(acc)
// becomes
//   for p: for k: lanes j of panel p: panel[k, j] = B[k, j]
//          for i: lanes j of panel p: acc = 0; for k: acc = fma(A[i, k], panel[k, j], acc); ...
// so that what all rows read lies together, in the order in which it is read, and stays in the
// second level's cache while the rows go by (Goto and van de Geijn, "Anatomy of high-performance
// matrix multiplication", 2008); elements that lanes would gather, such as those of a transposed
// matrix, are gathered once instead of by every row. What `f` reads of a large matrix, and where a
// row of C lies, is asked for before the row's sums. What a sum adds, and in which order, stays the
// same.
#pragma once

#include "jit/cpu/tile.h"

namespace rlc::cpu {

// Changes the program in place, before loops over elements are given to threads.
void packPanels(loops::Program& program, const TileOptions& options);

}  // namespace rlc::cpu
