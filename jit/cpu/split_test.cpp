// Functions that are too large are cut into their loops, of which those that do the same become
// one.
#include "jit/cpu/split.h"

#include <gtest/gtest.h>

#include "jit/cpu/merge_equal.h"
#include "jit/cpu/testing/emitted_module.h"

namespace rlc::cpu {
namespace split_test {

constexpr int64_t kPoints = 40;

Expr sine(Expr x) { return loops::op(ScalarOp::Sin, {std::move(x)}); }

// x[k + 1] from x[k], for each k a loop of its own; `scale(k)` is part of the code.
Builder chain(int loops, const std::function<double(int)>& scale) {
  Builder b;
  std::vector<BufferId> x;
  for (int k = 0; k <= loops; ++k) x.push_back(b.arena(DType::F32, kPoints));
  for (int k = 0; k < loops; ++k)
    b.lanes(ix(0), ix(kPoints), [&](Expr i) {
      b.store(x[k + 1], i, sine(b.get(x[k], i)) * f32(scale(k)) + f32(0.25));
    });
  return b;
}

// Functions with a body, after the passes.
int functionsOf(const Builder& b) {
  const EmittedModule emitted(b);
  optimizeTogether(*emitted.module, *emitted.machine, 2);
  int count = 0;
  for (const llvm::Function& function : *emitted.module) count += !function.isDeclaration();
  return count;
}

TEST(Split, SmallFunctionsStayWhole) {
  EXPECT_EQ(functionsOf(chain(3, [](int) { return 0.5; })),
            functionsOf(chain(30, [](int) { return 0.5; })));
}

TEST(Split, LoopsOfALargeFunctionBecomeFunctions) {
  const auto each = [](int k) { return 0.5 + 0.001 * k; };
  EXPECT_GT(functionsOf(chain(160, each)), 140);
  expectAgrees(chain(160, each));
}

TEST(Split, LoopsThatDoTheSameOnOtherBuffersAreCompiledOnce) {
  const auto same = [](int) { return 0.5; };
  EXPECT_LT(functionsOf(chain(160, same)), functionsOf(chain(3, same)) + 10);
  expectAgrees(chain(160, same));
}

// What reads ahead in its own buffer is not what reads another one, though the instructions are
// equal.
TEST(Split, LoopsInPlaceAreNotTakenForLoopsBetweenBuffers) {
  Builder b;
  const BufferId x = b.arena(DType::F32, kPoints + 1), y = b.arena(DType::F32, kPoints + 1);
  for (int k = 0; k < 400; ++k) {
    const BufferId from = k % 2 ? y : x, to = k % 3 ? from : k % 2 ? x : y;
    b.sequential(ix(0), ix(kPoints),
                 [&](Expr i) { b.store(to, i + ix(1), sine(b.get(from, i)) * f32(0.5)); });
  }
  EXPECT_GT(functionsOf(b), 2);
  EXPECT_LT(functionsOf(b), 12);
  expectAgrees(b);
}

// Values that a loop leaves to those behind it, and ones inside a loop that is too large itself.
TEST(Split, ValuesCrossTheCuts) {
  Builder b;
  const BufferId x = b.arena(DType::F32, kPoints), sums = b.arena(DType::F32, 4);
  b.sequential(ix(0), ix(4), [&](Expr outer) {
    const Expr total = b.declare(f32(0.0));
    for (int k = 0; k < 300; ++k)
      b.sequential(ix(0), ix(kPoints), [&](Expr i) {
        b.assign(total, total * f32(0.5) + sine(b.get(x, i) + f32(0.01 * k)));
      });
    b.store(sums, outer, total);
    b.store(x, outer, total);
  });
  EXPECT_GT(functionsOf(b), 100);
  expectAgrees(b);
}

}  // namespace split_test
}  // namespace rlc::cpu
