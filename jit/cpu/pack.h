// Gathers that a nest of loops repeats are done once, into private storage, where lanes are
// neighbours.
//
//   lanes i: for m: for k: acc = fma(W[m, k], x[base(i) + k], acc)
// becomes
//   lanes i: for k: packed[k] = x[base(i) + k]; for m: for k: acc = fma(W[m, k], packed[k], acc)
// and likewise a convolution, x[base(i) + (r + u) * columns + s + v] for all r, s, u, v: what a
// nest reads of each lane is one stretch of memory.
#pragma once

#include "jit/cpu/tile.h"

namespace rlc::cpu {

// Changes the program in place: where lanes would gather more often than tiles of `options` share
// what they load.
void packGathers(loops::Program& program, const TileOptions& options);

}  // namespace rlc::cpu
