// A matrix times one vector reads rows as they lie in memory.
#include "jit/cpu/products.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace products_test {

// y[m] = max(sum over k of w[m, k] x[k] + c[m], 0), m in lanes
Builder layer(int64_t rows, int64_t columns) {
  Builder b;
  const BufferId w = b.arena(DType::F32, rows * columns), c = b.arena(DType::F32, rows);
  const BufferId x = b.arena(DType::F32, columns), y = b.arena(DType::F32, rows);
  b.lanes(ix(0), ix(rows), [&](Expr m) {
    const Expr sum = b.declare(f32(0.0));
    b.sequential(ix(0), ix(columns), [&](Expr k) {
      b.assign(sum, loops::fma(b.get(w, m * ix(columns) + k), b.get(x, k), sum));
    });
    b.store(y, m, loops::op(ScalarOp::Max, {sum + b.get(c, m), f32(0.0)}));
  });
  return b;
}

int lanesLoops(const loops::Program& program, bool withSums) {
  int count = 0;
  forEachStmt(program.body, [&](const Stmt& stmt) {
    count += stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Lanes &&
             stmt.reductions.empty() != withSums;
  });
  return count;
}

TEST(Products, AgreeForAllSizes) {
  for (int64_t rows : {2, 7, 64, 120})
    for (int64_t columns : {16, 17, 84}) expectAgreesAtAllWidths(layer(rows, columns), 1e-4);
}

TEST(Products, StepsBecomeLanes) {
  Builder b = layer(64, 48);
  runProductsAlongRows(b.program);
  EXPECT_EQ(lanesLoops(b.program, true), 1);
  EXPECT_EQ(lanesLoops(b.program, false), 1);
}

TEST(Products, ShortSumsAndColumnsThatLieTogetherStay) {
  Builder shortSum = layer(64, 5);
  runProductsAlongRows(shortSum.program);
  EXPECT_EQ(lanesLoops(shortSum.program, true), 0);

  Builder b;  // w[k, m]: lanes over m are neighbours
  const BufferId w = b.arena(DType::F32, 40 * 64), x = b.arena(DType::F32, 40),
                 y = b.arena(DType::F32, 64);
  b.lanes(ix(0), ix(64), [&](Expr m) {
    const Expr sum = b.declare(f32(0.0));
    b.sequential(ix(0), ix(40), [&](Expr k) {
      b.assign(sum, loops::fma(b.get(w, k * ix(64) + m), b.get(x, k), sum));
    });
    b.store(y, m, sum);
  });
  runProductsAlongRows(b.program);
  EXPECT_EQ(lanesLoops(b.program, true), 0);
}

// y[m] depends on y[m - 1]'s place being written before: the sums of all rows can't come first.
TEST(Products, WhatIsStoredIsNotReadByTheSum) {
  Builder b;
  const BufferId w = b.arena(DType::F32, 64 * 64), y = b.arena(DType::F32, 64);
  b.lanes(ix(0), ix(64), [&](Expr m) {
    const Expr sum = b.declare(f32(0.0));
    b.sequential(ix(0), ix(64), [&](Expr k) {
      b.assign(sum, loops::fma(b.get(w, m * ix(64) + k), b.get(y, k), sum));
    });
    b.store(y, m, sum);
  });
  runProductsAlongRows(b.program);
  EXPECT_EQ(lanesLoops(b.program, true), 0);
}

}  // namespace products_test
}  // namespace rlc::cpu
