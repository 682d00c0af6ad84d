// Register tiling of contractions, on the loop IR: unroll and jam.
//
//   for m: acc = 0; for k: acc = fma(W[m, k], x[k], acc); y[m] = acc
// becomes, several m at a time,
//   for m': acc0 = acc1 = ... = 0; for k: acc0 = fma(W[m', k], x[k], acc0); acc1 = fma(W[m' + 1,
//   k], x[k], acc1); ...
// so that the loads that do not depend on m are shared and independent chains of additions run side
// by side. Loops around a sum that may run in any order (filters, rows and columns of a
// convolution) get the order and the tile that tile_choice.h finds the cheapest. What each
// accumulator adds, and in which order, stays the same.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

struct TileOptions {
  int width = 16;  // lanes of a block
  int vectorBytes = 64;
  int vectorRegisters = 32;
  bool forceWidth = false;  // see PlanOptions
  bool wideBlocks = false;  // registers are enough for blocks of twice as many lanes
};

// Of a block of a loop over so many lanes (0: not known).
int64_t lanesOf(const TileOptions& options, int64_t lanes);

// How many sums of a loop over so many lanes (0: not known) fit into the registers beside what they
// add.
int64_t mostAccumulators(const TileOptions& options, int64_t lanes);

loops::Program tileContractions(const loops::Program& program, const TileOptions& options);

}  // namespace rlc::cpu
