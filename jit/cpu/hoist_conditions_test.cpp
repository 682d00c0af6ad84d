// Conditions that a loop does not change stand around it.
#include "jit/cpu/hoist_conditions.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace hoist_conditions_test {

// for t: lanes i: for m: for k: { if t >= 3: y[m, i] += x[k, i]; if t >= 3: z[m, i] += x[k, i] }
Builder guarded(const std::function<Expr(Expr t, Expr k)>& condition) {
  Builder b;
  const int64_t samples = 21, rows = 4, columns = 6;
  const BufferId x = b.arena(DType::F32, columns * samples),
                 y = b.arena(DType::F32, rows * samples), z = b.arena(DType::F32, rows * samples);
  b.sequential(ix(0), ix(5), [&](Expr t) {
    b.lanes(ix(0), ix(samples), [&](Expr i) {
      b.sequential(ix(0), ix(rows), [&](Expr m) {
        b.sequential(ix(0), ix(columns), [&](Expr k) {
          for (BufferId sum : {y, z})
            b.when(condition(t, k),
                   [&] { b.accumulate(sum, m * ix(samples) + i, b.get(x, k * ix(samples) + i)); });
        });
      });
    });
  });
  return b;
}

// Loops around the innermost condition, and how many conditions there are.
std::pair<int, int> conditions(Builder&& b) {
  hoistConditions(b.program);
  int loops = 0, count = 0;
  const std::function<void(const Block&, int)> visit = [&](const Block& block, int depth) {
    for (const StmtPtr& stmt : block) {
      if (stmt->kind == Stmt::Kind::If) {
        ++count;
        loops = depth;
      }
      visit(stmt->body, depth + (stmt->kind == Stmt::Kind::For));
    }
  };
  visit(b.program.body, 0);
  return {loops, count};
}

Expr fromThree(Expr t, Expr) { return less(ix(2), std::move(t)); }

TEST(HoistConditions, OneStandsOutsideOfAllLoopsThatDoNotChangeIt) {
  EXPECT_EQ(conditions(guarded(fromThree)), std::pair(1, 1));
}

TEST(HoistConditions, WhatALoopChangesStaysInside) {
  EXPECT_EQ(conditions(guarded([](Expr, Expr k) { return less(ix(2), std::move(k)); })),
            std::pair(4, 2));
}

TEST(HoistConditions, GiveTheSameBits) { expectAgreesAtAllWidths(guarded(fromThree)); }

// Threads would be called for nothing.
TEST(HoistConditions, OneStandsOutsideOfLoopsThatThreadsShare) {
  Builder b;
  const BufferId y = b.arena(DType::F32, 64);
  b.sequential(ix(0), ix(5), [&](Expr t) {
    b.parallel(ix(0), ix(4), [&](Expr block) {
      b.lanes(block * ix(16), block * ix(16) + ix(16),
              [&](Expr i) { b.when(less(t, ix(1)), [&] { b.accumulate(y, i, f32(1.0)); }); });
    });
  });
  expectAgreesAtAllWidths(b);
  EXPECT_EQ(conditions(std::move(b)), std::pair(1, 1));
}

// What data say may change in the loop.
TEST(HoistConditions, DataAreAskedEachTime) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 16), y = b.arena(DType::F32, 16);
  b.lanes(ix(0), ix(16), [&](Expr i) {
    b.sequential(ix(0), ix(3), [&](Expr) {
      b.when(less(b.get(x, i), f32(1.0)), [&] {
        b.accumulate(x, i, f32(0.5));
        b.accumulate(y, i, f32(1.0));
      });
    });
  });
  expectAgreesAtAllWidths(b);
  EXPECT_EQ(conditions(std::move(b)), std::pair(2, 1));
}

}  // namespace hoist_conditions_test
}  // namespace rlc::cpu
