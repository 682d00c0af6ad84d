// Weight gradients of a batch as products of what its samples leave.
#include "jit/cpu/batch_products.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace {

struct Sizes {
  int64_t samples, rows, columns;
};

// Twice, in turn to the two halves of g: g[m, k] += d[m, i] * max(x[k, i], 0), as lowering writes
// it; `more`: another sum goes to the same place.
Builder gradient(const Sizes& s, bool more = false) {
  Builder b;
  const BufferId d = b.arena(DType::F32, s.rows * s.samples),
                 x = b.arena(DType::F32, s.columns * s.samples);
  const BufferId g = b.arena(DType::F32, 2 * s.rows * s.columns),
                 active = b.privateBuffer(DType::F32, s.columns);
  const std::vector<Stmt::Reduction> sum{{g, -1, loops::Combine::Sum}};
  b.sequential(ix(0), ix(2), [&](Expr turn) {
    const Expr half = loops::op(ScalarOp::Mod, {turn + ix(1), ix(2)}) * ix(s.rows * s.columns);
    b.parallel(ix(0), ix((s.samples + 15) / 16), [&](Expr block) {
       const Expr first = block * ix(16);
       b.lanes(first, loops::op(ScalarOp::Min, {first + ix(16), ix(s.samples)}), [&](Expr i) {
          b.sequential(ix(0), ix(s.columns), [&](Expr k) {
            b.store(active, k,
                    loops::op(ScalarOp::Max, {b.get(x, k * ix(s.samples) + i), f32(0.0)}));
          });
          const auto nest = [&] {
            b.sequential(ix(0), ix(s.rows), [&](Expr m) {
               b.sequential(ix(0), ix(s.columns), [&](Expr k) {
                  b.accumulate(g, half + m * ix(s.columns) + k,
                               b.get(d, m * ix(s.samples) + i) * b.get(active, k));
                }).elements = true;
             }).elements = true;
          };
          b.when(less(turn, ix(2)), nest);
          if (more) nest();
        }).reductions = sum;
     }).reductions = sum;
  });
  return b;
}

int sums(Builder&& b) {
  multiplyBatches(b.program);
  int count = 0;
  forEachStmt(b.program.body,
              [&](const Stmt& stmt) { count += static_cast<int>(stmt.reductions.size()); });
  return count;
}

TEST(BatchProducts, AgreeForAllSizes) {
  for (const Sizes& sizes : {Sizes{32, 32, 32}, {37, 41, 29}, {67, 7, 151}, {45, 130, 17}}) {
    EXPECT_EQ(sums(gradient(sizes)), 0);
    expectAgreesAtAllWidths(gradient(sizes), 1e-3);
  }
}

TEST(BatchProducts, DoNotDependOnThreads) {
  expectSameForAllThreads(gradient({129, 61, 53}).program, 2);
}

TEST(BatchProducts, WhatIsSmallOrSharedStays) {
  EXPECT_EQ(sums(gradient({37, 5, 29})), 2) << "few results";
  EXPECT_EQ(sums(gradient({20, 41, 29})), 2) << "few samples";
  EXPECT_EQ(sums(gradient({16000, 41, 29})), 2) << "more to collect than to copy";
  EXPECT_EQ(sums(gradient({37, 41, 29}, true)), 2) << "two sums";
  expectAgrees(gradient({37, 41, 29}, true), {}, 1e-3);
}

// y[i, k] = x[k, i]: lanes far apart, elements next to each other.
TEST(TransposedStores, GiveTheSameBits) {
  for (int64_t samples : {16, 45})
    for (int64_t columns : {3, 16, 21, 40}) {
      Builder b;
      const BufferId x = b.arena(DType::F32, columns * samples),
                     y = b.arena(DType::F32, (columns + 1) * samples);
      b.lanes(ix(0), ix(samples), [&](Expr i) {
        const auto copy = [&](double factor) {
          b.sequential(ix(0), ix(columns), [&](Expr k) {
             b.store(y, i * ix(columns + 1) + k + ix(1),
                     b.get(x, k * ix(samples) + i) * f32(factor));
           }).elements = true;
        };
        copy(1.0);
        b.when(less(b.get(x, i), f32(0.5)), [&] { copy(2.0); });
      });
      expectAgreesAtAllWidths(b);
    }
}

}  // namespace
}  // namespace rlc::cpu
