// Which statements of a block wait for which.
#include "jit/cpu/items.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace items_test {

// What each of the items of a block waits for.
std::vector<Indices> waits(Builder& b) {
  const Items items = takeItems(b.program, b.program.body, {});
  return waitsOf(items);
}

TEST(Items, WaitForTheSameElements) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 64), y = b.arena(DType::F32, 64);
  const auto some = [&](int64_t from, int64_t to, BufferId write, BufferId read) {
    b.sequential(ix(from), ix(to), [&](Expr k) { b.store(write, k, b.get(read, k)); });
  };
  some(0, 32, x, y);
  some(32, 64, x, y);
  some(0, 16, y, x);
  EXPECT_EQ(waits(b), (std::vector<Indices>{{}, {}, {0}}));
}

// What a loop over all elements writes under a condition on its variable.
TEST(Items, ConditionsSayWhichElements) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 8);
  for (const int64_t at : {2, 5, 2})
    b.sequential(ix(0), ix(8), [&](Expr k) {
      b.when(loops::op(ScalarOp::And, {loops::op(ScalarOp::Le, {ix(0), k - ix(at)}),
                                       loops::op(ScalarOp::Le, {ix(0), ix(at) - k})}),
             [&] { b.store(x, k, f32(1.0)); });
    });
  EXPECT_EQ(waits(b), (std::vector<Indices>{{}, {}, {0}}));
}

// Two tensors share bytes of the arena, one after the other. Rows of lanes may come to lie in
// another order, so that any of them may be where the other tensor is.
TEST(Items, WaitForWhatLiesInTheSamePlace) {
  for (const int64_t lanes : {0, 16}) {
    Builder b;
    const BufferId rows = b.arena(DType::F32, 256), later = b.arena(DType::F32, 16),
                   out = b.arena(DType::F32, 1);
    b.program.buffers[static_cast<size_t>(rows)].lanes = lanes;
    b.program.buffers[static_cast<size_t>(later)].offset =
        b.program.buffers[static_cast<size_t>(rows)].offset;
    b.store(out, ix(0), b.get(rows, ix(255)));
    b.store(later, ix(3), f32(1.0));
    EXPECT_EQ(waits(b)[1], lanes > 0 ? Indices{0} : Indices{}) << lanes;
  }
}

// A factor that two loops use comes to them by memory, so that they wait for it, but not for each
// other.
TEST(Items, LocalsGoThroughMemory) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 64), y = b.arena(DType::F32, 64),
                 z = b.arena(DType::F32, 1);
  const Expr factor = b.let(b.get(z, ix(0)));
  for (BufferId id : {x, y})
    b.sequential(ix(0), ix(64), [&](Expr k) { b.store(id, k, b.get(id, k) * factor); });
  EXPECT_EQ(waits(b), (std::vector<Indices>{{}, {0}, {0}}));
}

}  // namespace items_test
}  // namespace rlc::cpu
