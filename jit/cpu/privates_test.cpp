// Private buffers: arrays of which each lane, or each thread, has its own.
#include <gtest/gtest.h>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace privates_test {

// Loops of one lane and of three, which are not as wide, use the same private array.
TEST(Privates, LoopsOfDifferentWidthsShareThem) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 8), y = b.arena(DType::F32, 8),
                 kept = b.privateBuffer(DType::F32, 5);
  for (const auto& [lo, hi] : {std::pair{0, 1}, std::pair{1, 4}})
    b.lanes(ix(lo), ix(hi), [&](Expr i) {
      b.sequential(ix(0), ix(5),
                   [&](Expr k) { b.store(kept, k, b.get(x, i) + loops::cast(DType::F32, k)); });
      b.sequential(ix(0), ix(5),
                   [&](Expr k) { b.store(y, i, b.get(y, i) * f32(0.5) + b.get(kept, ix(4) - k)); });
    });
  expectAgrees(b, {});
  expectAgreesAtAllWidths(b);
}

TEST(Privates, ALaneReadsWhatItWrote) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 700), y = b.arena(DType::F32, 64);
  const BufferId state = b.privateBuffer(DType::F32, 10), flags = b.privateBuffer(DType::Bool, 10);
  const BufferId large = b.privateBuffer(DType::F64, 5000);
  b.lanes(ix(0), ix(61), [&](Expr i) {
    b.sequential(ix(0), ix(10), [&](Expr k) {
      b.store(state, k, b.get(x, i * ix(10) + k));
      b.store(flags, k, less(b.get(state, k), f32(0.5)));
      b.store(large, k * ix(500), loops::cast(DType::F64, b.get(state, k)));
    });
    const Expr where = b.let(loops::op(ScalarOp::Mod, {i * i, ix(10)}));
    b.when(b.get(flags, where),
           [&] { b.store(state, where, b.get(state, ix(9) - where) + f32(1.0)); });
    const Expr sum = b.declare(f32(0.0));
    b.sequential(ix(0), ix(10), [&](Expr k) {
      b.accumulate(state, k, f32(0.25));
      b.assign(sum, sum + b.get(state, k) + loops::cast(DType::F32, b.get(large, k * ix(500))));
    });
    b.store(y, i, sum);
  });
  expectAgreesAtAllWidths(b);
}

// Copies of one loop use one private array; where lanes run one by one, each thread has its own.
TEST(Privates, CopiesOfALoopShareNoneBetweenThreads) {
  constexpr int64_t units = 2000, lanes = 256;
  Builder b;
  const BufferId own = b.privateBuffer(DType::F32, units), x = b.arena(DType::F32, units),
                 y = b.arena(DType::F32, 2 * lanes);
  for (int64_t copy : {0, 1})
    b.parallel(ix(0), ix(lanes), [&](Expr p) {
      b.lanes(p, p + ix(1), [&](Expr i) {
        b.sequential(ix(0), ix(units), [&](Expr k) {
          b.store(own, k, b.get(x, k) * loops::cast(DType::F32, i + ix(1)));
        });
        const Expr total = b.declare(f32(0.0));
        b.sequential(ix(0), ix(units),
                     [&](Expr k) { b.assign(total, total + b.get(own, ix(units - 1) - k)); });
        b.store(y, i + ix(copy * lanes), total);
      });
    });
  for (int width : {0, 1}) expectAgrees(b, {.width = width, .threads = 4}, 1e-5);
}

// What code is made of is a copy, which says all that the program says.
TEST(Privates, ACopyOfAProgramSaysThatTheyAreReadUnwritten) {
  loops::Program program;
  program.readsUnwritten = true;
  EXPECT_TRUE(copyProgram(program).readsUnwritten);
}

}  // namespace privates_test
}  // namespace rlc::cpu
