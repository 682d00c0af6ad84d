// Parallel loops over blocks of lanes:
//   parallel b in 0..B: lanes i in first + b * W..min(first + b * W + W, N): ...
#pragma once

#include <functional>
#include <optional>

#include "compiler/loops/ir.h"

namespace rlc::cpu {

struct LaneBlocks {
  int64_t length = 0;            // lanes of a block, but for the last one
  int64_t first = 0, count = 0;  // lanes of all blocks
};

// None where the loop's lanes are not all lanes of a range, each once.
std::optional<LaneBlocks> laneBlocks(const loops::Stmt& parallel);

// Calls `visit` with each such loop that no loop around runs at the same time as others, so that
// scratch memory is this loop's: where it stands. Gives where to go on behind.
void forEachBatch(
    loops::Block& block,
    const std::function<size_t(loops::Block& block, size_t at, const LaneBlocks& lanes)>& visit);

// Scalar operations of a parallel loop of so many iterations.
double operationsOf(const loops::Stmt& parallel, int64_t trip);

// Where the last block is shorter, its length and that of the others are told apart:
//   parallel b: if b < B - 1: lanes i in first + b * W..first + b * W + W: ...
//               else: lanes i in first + (B - 1) * W..N: ...
// so that the code of whole blocks knows their length, which leaves out masks and lets what a lane
// keeps over its inner loops stay in registers. Changes the program in place.
void separateLastBlocks(loops::Program& program);

}  // namespace rlc::cpu
