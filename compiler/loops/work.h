// How much arithmetic and memory traffic a program asks for, counted from its loops without running
// it.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::loops {

struct Work {
  double flops = 0;      // floating-point operations: an FMA is two, every other operation one, a
                         // comparison or selection none
  double loadBytes = 0;  // of the arena, every load counted
  double storeBytes = 0;
  bool exact = true;  // false: a loop's bounds depend on data, and it was counted as one iteration

  Work& operator+=(const Work& other);
};

// Both sides of every `if` count, as lanes compute them both, and loops that may be left early
// count in full. A sum over a loop on whose variable the lengths of inner loops depend is exact
// where it is a sum of a polynomial of degree 3 at most. `part`: only what this statement of the
// program does, over the whole run.
Work workOf(const Program& program, const Stmt* part = nullptr);

}  // namespace rlc::loops
