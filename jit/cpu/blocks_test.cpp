// Blocks of lanes whose length is known compute what all blocks do.
#include "jit/cpu/blocks.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace blocks_test {

// y[i] = 2 x[i], z += x[i], for i in blocks of 16 lanes
Builder blocks(int64_t first, int64_t count, bool cut = true) {
  Builder b;
  const BufferId x = b.arena(DType::F32, first + count), y = b.arena(DType::F32, first + count),
                 z = b.arena(DType::F32, 1);
  Stmt& parallel = b.parallel(ix(0), ix((count + 15) / 16), [&](Expr block) {
    const Expr lo = block * ix(16) + ix(first), hi = lo + ix(16);
    Stmt& lanes =
        b.lanes(lo, cut ? loops::op(ScalarOp::Min, {hi, ix(first + count)}) : hi, [&](Expr i) {
          b.store(y, i, b.get(x, i) * f32(2.0));
          b.accumulate(z, ix(0), b.get(x, i));
        });
    lanes.reductions = {{z, -1, loops::Combine::Sum}};
  });
  parallel.reductions = {{z, -1, loops::Combine::Sum}};
  return b;
}

int loopsOverLanes(const loops::Program& program) {
  int count = 0;
  forEachStmt(program.body, [&](const Stmt& stmt) {
    count += stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Lanes;
  });
  return count;
}

TEST(Blocks, AreRecognized) {
  for (int64_t first : {0, 3})
    for (int64_t count : {1, 16, 17, 67}) {
      const Builder b = blocks(first, count);
      const auto lanes = laneBlocks(*b.program.body[0]);
      ASSERT_TRUE(lanes);
      EXPECT_EQ(lanes->length, 16);
      EXPECT_EQ(lanes->first, first);
      EXPECT_EQ(lanes->count, count);
    }
  const Builder whole = blocks(0, 64, false);
  EXPECT_EQ(laneBlocks(*whole.program.body[0])->count, 64);
}

TEST(Blocks, OnlyTheLastOneIsShorter) {
  for (int64_t first : {0, 3})
    for (int64_t count : {1, 15, 16, 17, 61, 64, 67}) {
      Builder b = blocks(first, count);
      separateLastBlocks(b.program);
      EXPECT_EQ(loopsOverLanes(b.program), count > 16 && count % 16 != 0 ? 2 : 1) << count;
      expectAgreesAtAllWidths(blocks(first, count), 1e-4);
    }
}

}  // namespace blocks_test
}  // namespace rlc::cpu
