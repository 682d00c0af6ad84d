// A choice between sums computes both where nothing can fail.
#include "jit/cpu/choices.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace choices_test {

// y[m, i] = off[m, i] ? 0 : sum over k of x[k, i] w[k + shift, m]
Builder backward(int64_t rows, int64_t columns, int64_t samples, int64_t shift = 0) {
  Builder b;
  const BufferId w = b.arena(DType::F32, rows * columns),
                 x = b.arena(DType::F32, columns * samples);
  const BufferId off = b.arena(DType::F32, rows * samples), y = b.arena(DType::F32, rows * samples);
  b.lanes(ix(0), ix(samples), [&](Expr i) {
    b.sequential(ix(0), ix(rows), [&](Expr m) {
      const Expr stop = b.let(less(b.get(off, m * ix(samples) + i), f32(0.5)));
      const Expr result = b.declare(f32(0.0));
      b.when(
          stop, [&] { b.assign(result, f32(0.0)); },
          [&] {
            const Expr sum = b.declare(f32(0.0));
            b.sequential(ix(0), ix(columns), [&](Expr k) {
              b.assign(sum, loops::fma(b.get(x, k * ix(samples) + i),
                                       b.get(w, (k + ix(shift)) * ix(rows) + m), sum));
            });
            b.assign(result, sum);
          });
      b.store(y, m * ix(samples) + i, result);
    });
  });
  return b;
}

int conditions(Builder&& b) {
  computeBothSides(b.program);
  int count = 0;
  forEachStmt(b.program.body, [&](const Stmt& stmt) { count += stmt.kind == Stmt::Kind::If; });
  return count;
}

TEST(Choices, AgreeForAllSizes) {
  for (int64_t rows : {1, 7, 31})
    for (int64_t samples : {1, 3, 45}) expectAgreesAtAllWidths(backward(rows, 13, samples));
}

TEST(Choices, BothSumsAreComputedInLanes) {
  EXPECT_EQ(conditions(backward(24, 16, 32)), 0);
  EXPECT_EQ(conditions(backward(24, 16, 3)), 1) << "a few samples often agree";
}

// Behind the end of w, where the condition may keep the sum from looking.
TEST(Choices, WhatMayBeOutOfRangeStays) { EXPECT_EQ(conditions(backward(24, 16, 32, 1)), 1); }

// All lanes agree on a condition that does not depend on them: the sum is skipped.
TEST(Choices, WhatAllLanesShareStays) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 16 * 32), off = b.arena(DType::F32, 4),
                 y = b.arena(DType::F32, 4 * 32);
  b.lanes(ix(0), ix(32), [&](Expr i) {
    b.sequential(ix(0), ix(4), [&](Expr m) {
      const Expr result = b.declare(f32(0.0));
      b.when(
          less(b.get(off, m), f32(0.5)), [&] { b.assign(result, f32(1.0)); },
          [&] {
            const Expr sum = b.declare(f32(0.0));
            b.sequential(ix(0), ix(16),
                         [&](Expr k) { b.assign(sum, sum + b.get(x, k * ix(32) + i)); });
            b.assign(result, sum);
          });
      b.store(y, m * ix(32) + i, result);
    });
  });
  expectAgreesAtAllWidths(b);
  EXPECT_EQ(conditions(std::move(b)), 1);
}

TEST(Choices, DivisionsThatMayFailStay) {
  for (int64_t divisor : {0, 3}) {
    Builder b;
    const BufferId x = b.arena(DType::I32, 16 * 32), by = b.arena(DType::I32, 1),
                   y = b.arena(DType::I32, 32);
    b.lanes(ix(0), ix(32), [&](Expr i) {
      const Expr result = b.declare(i32(0));
      b.when(
          less(b.get(x, i), i32(2)), [&] { b.assign(result, i32(0)); },
          [&] {
            const Expr sum = b.declare(i32(0));
            b.sequential(ix(0), ix(16), [&](Expr k) {
              const Expr below = divisor == 0 ? b.get(by, ix(0)) : i32(divisor);
              b.assign(sum, sum + loops::op(ScalarOp::FloorDiv, {b.get(x, k * ix(32) + i), below}));
            });
            b.assign(result, sum);
          });
      b.store(y, i, result);
    });
    EXPECT_EQ(conditions(std::move(b)), divisor == 0 ? 1 : 0);
  }
}

}  // namespace choices_test
}  // namespace rlc::cpu
