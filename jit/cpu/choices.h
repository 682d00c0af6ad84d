// Choices between sums, lane by lane.
//
//   lanes i: for m: if (off[m]) y = 0; else { acc = 0; for k: acc = fma(x[k], W[k, m], acc); y =
//   acc }
// skips the sum only where all lanes of a block agree, which is rare; and the loop over m can't be
// tiled, for each m has a condition of its own. It becomes
//   lanes i: for m: acc = 0; for k: acc = fma(x[k], W[k, m], acc); y = off[m] ? 0 : acc
// where nothing in the sum can fail: its loads are in range whatever the condition says.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place.
void computeBothSides(loops::Program& program);

}  // namespace rlc::cpu
