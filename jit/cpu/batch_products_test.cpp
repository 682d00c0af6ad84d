// Weight gradients of a batch as products of what its samples leave.
#include "jit/cpu/batch_products.h"

#include <gtest/gtest.h>

#include <cmath>

#include "jit/cpu/join_blocks.h"
#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace batch_products_test {

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
  for (const Sizes& sizes : {Sizes{32, 32, 32},
                             {37, 41, 29},
                             {67, 7, 151},
                             {45, 130, 17},
                             {128, 41, 29},
                             {192, 40, 33}}) {
    EXPECT_EQ(sums(gradient(sizes)), 0);
    expectAgreesAtAllWidths(gradient(sizes), 1e-3);
  }
}

TEST(BatchProducts, DoNotDependOnThreads) {
  for (int64_t samples : {129, 192})
    expectSameForAllThreads(gradient({samples, 61, 53}).program, 2);
}

// What the samples leave, and the parts' results where they are multiplied in parts.
class Collected {
 public:
  explicit Collected(const Sizes& sizes) : b_(gradient(sizes)) {
    multiplyBatches(b_.program);
    for (size_t i = 0; i < b_.program.buffers.size(); ++i) {
      loops::Buffer& buffer = b_.program.buffers[i];
      if (buffer.kind != loops::Buffer::Kind::Scratch) continue;
      ids_.push_back(static_cast<BufferId>(i));
      buffer.kind = loops::Buffer::Kind::Arena;  // to be looked at
      buffer.offset = b_.program.arenaBytes;
      b_.program.arenaBytes += buffer.elements * 4;
    }
  }

  size_t buffers() const { return ids_.size(); }

  int64_t neverStored() const {
    Memory memory(b_.program);
    forEach([&](BufferId id, int64_t k) { memory.set(id, k, std::nan("")); });
    runReference(b_.program, memory.arena(), memory.parameters(), 0);
    int64_t count = 0;
    forEach([&](BufferId id, int64_t k) { count += std::isnan(memory.get(id, k)); });
    return count;
  }

 private:
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (BufferId id : ids_)
      for (int64_t k = 0; k < b_.program.buffers[static_cast<size_t>(id)].elements; ++k)
        visit(id, k);
  }

  Builder b_;
  std::vector<BufferId> ids_;
};

// Subnormal numbers beside them would cost an assist of the processor in each operation.
TEST(BatchProducts, ReadOnlyWhatWasStored) {
  EXPECT_EQ(Collected({37, 41, 29}).neverStored(), 0);
  EXPECT_EQ(Collected({128, 41, 29}).neverStored(), 0);
}

TEST(BatchProducts, AreInPartsWhereResultsAreFewerThanWhatIsMultiplied) {
  EXPECT_EQ(Collected({128, 41, 29}).buffers(), 3u);
  EXPECT_EQ(Collected({144, 41, 29}).buffers(), 2u) << "a block would be in both parts";
  EXPECT_EQ(Collected({64, 130, 121}).buffers(), 2u) << "as many results";
}

// How many chunks a loop over blocks of 32 samples has when blocks that wait for themselves are
// joined: each keeps something and leaves what a product takes.
int64_t chunksWhereJoined(int64_t blocks) {
  constexpr int64_t kRows = 136;
  const int64_t samples = 32 * blocks;
  Builder b;
  const BufferId d = b.arena(DType::F32, kRows * samples), x = b.arena(DType::F32, kRows * samples),
                 g = b.arena(DType::F32, kRows * kRows), kept = b.privateBuffer(DType::F32, 1);
  const std::vector<Stmt::Reduction> sum{{g, -1, loops::Combine::Sum}};
  b.parallel(ix(0), ix(blocks), [&](Expr block) {
     b.lanes(block * ix(32), block * ix(32) + ix(32), [&](Expr i) {
        b.store(kept, ix(0), b.get(x, i) * f32(2.0));
        b.sequential(ix(0), ix(kRows), [&](Expr m) {
           b.sequential(ix(0), ix(kRows), [&](Expr k) {
              b.accumulate(g, m * ix(kRows) + k,
                           b.get(d, m * ix(samples) + i) * b.get(x, k * ix(samples) + i));
            }).elements = true;
         }).elements = true;
      }).reductions = sum;
   }).reductions = sum;
  multiplyBatches(b.program);
  joinBlocks(b.program, 32);
  return tripCount(*b.program.body[0]).value_or(-1);
}

TEST(BatchProducts, InPartsKeepTheirBlocks) {
  EXPECT_EQ(chunksWhereJoined(33), 17);
  EXPECT_EQ(chunksWhereJoined(32), 32) << "a block's number says which part it is in";
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

}  // namespace batch_products_test
}  // namespace rlc::cpu
