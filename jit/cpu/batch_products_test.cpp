// Weight gradients of a batch as products of what its samples leave.
#include "jit/cpu/batch_products.h"

#include <gtest/gtest.h>

#include <cmath>

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

// Subnormal numbers beside them would cost an assist of the processor in each operation.
TEST(BatchProducts, ReadOnlyWhatWasStored) {
  Builder b = gradient({37, 41, 29});
  multiplyBatches(b.program);
  std::vector<BufferId> collected;
  for (size_t i = 0; i < b.program.buffers.size(); ++i) {
    loops::Buffer& buffer = b.program.buffers[i];
    if (buffer.kind != loops::Buffer::Kind::Scratch) continue;
    collected.push_back(static_cast<BufferId>(i));
    buffer.kind = loops::Buffer::Kind::Arena;  // to be looked at
    buffer.offset = b.program.arenaBytes;
    b.program.arenaBytes += buffer.elements * 4;
  }
  ASSERT_EQ(collected.size(), 2u);
  Memory memory(b.program);
  const auto forEach = [&](const auto& visit) {
    for (BufferId id : collected)
      for (int64_t k = 0; k < b.program.buffers[static_cast<size_t>(id)].elements; ++k)
        visit(id, k);
  };
  forEach([&](BufferId id, int64_t k) { memory.set(id, k, std::nan("")); });
  runReference(b.program, memory.arena(), memory.parameters(), 0);
  int left = 0;
  forEach([&](BufferId id, int64_t k) { left += std::isnan(memory.get(id, k)); });
  EXPECT_EQ(left, 0);
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
