// Sums whose factors are all the lanes' own are told from those that share one.
#include "jit/cpu/lane_products.h"

#include <gtest/gtest.h>

#include <functional>

#include "jit/cpu/plan.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace lane_products_test {

constexpr int64_t kLanes = 64, kSteps = 9, kColumns = 3;

struct Told {
  bool multiplies;
  int width;  // of a block
};

// For `own` rows and some columns the sum of products of lanes' values, for `shared` rows that of
// products with a weight.
Told sums(int64_t own, int64_t shared) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 64 * kSteps * kLanes),
                 w = b.arena(DType::F32, 64 * kSteps), g = b.arena(DType::F32, 64 * kColumns),
                 y = b.arena(DType::F32, 64 * kColumns * kLanes);
  Stmt& lanes = b.lanes(ix(0), ix(kLanes), [&](Expr i) {
    const auto add = [&](int64_t rows, const std::function<Expr(Expr at)>& factor,
                         const std::function<void(Expr at, Expr sum)>& keep) {
      b.sequential(ix(0), ix(rows), [&](Expr m) {
        b.sequential(ix(0), ix(kColumns), [&](Expr n) {
          const Expr sum = b.declare(f32(0.0));
          b.sequential(ix(0), ix(kSteps), [&](Expr k) {
            b.assign(sum, loops::fma(b.get(x, (n * ix(kSteps) + k) * ix(kLanes) + i),
                                     factor(m * ix(kSteps) + k), sum));
          });
          keep(m * ix(kColumns) + n, sum);
        });
      });
    };
    if (own > 0)
      add(
          own, [&](Expr at) { return b.get(x, at * ix(kLanes) + i); },
          [&](Expr at, Expr sum) { b.accumulate(g, at, sum); });
    if (shared > 0)
      add(
          shared, [&](Expr at) { return b.get(w, at); },
          [&](Expr at, Expr sum) { b.store(y, at * ix(kLanes) + i, sum); });
  });
  return {multipliesLanes(b.program, lanes),
          makePlan(b.program, {.width = 32}).lanes.at(&lanes).width};
}

TEST(LaneProducts, AreAGoodPart) {
  EXPECT_TRUE(sums(4, 0).multiplies);
  EXPECT_TRUE(sums(4, 8).multiplies);
  EXPECT_FALSE(sums(1, 8).multiplies);
  EXPECT_FALSE(sums(0, 8).multiplies);
}

TEST(LaneProducts, HaveOneRegisterForAValue) {
  EXPECT_EQ(sums(4, 8).width, 16);
  EXPECT_EQ(sums(1, 8).width, 32);
}

// A vector of each lane's with itself: there is nothing to share among sums.
TEST(LaneProducts, AreOfSeveralSums) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 4 * kSteps * kLanes), y = b.arena(DType::F32, 4 * kLanes);
  Stmt& lanes = b.lanes(ix(0), ix(kLanes), [&](Expr i) {
    b.sequential(ix(0), ix(4), [&](Expr m) {
      const Expr sum = b.declare(f32(0.0));
      b.sequential(ix(0), ix(kSteps), [&](Expr k) {
        const Expr own = b.get(x, (m * ix(kSteps) + k) * ix(kLanes) + i);
        b.assign(sum, loops::fma(own, own, sum));
      });
      b.store(y, m * ix(kLanes) + i, sum);
    });
  });
  EXPECT_FALSE(multipliesLanes(b.program, lanes));
}

// A loop whose bounds depend on those around it counts as in their middle.
TEST(LaneProducts, CountWindowsAtEdges) {
  const auto part = [](int64_t window) {
    Builder b;
    const BufferId x = b.arena(DType::F32, 64 * kLanes), w = b.arena(DType::F32, 64),
                   y = b.arena(DType::F32, 64 * kLanes), g = b.arena(DType::F32, 16 * kColumns);
    Stmt& lanes = b.lanes(ix(0), ix(kLanes), [&](Expr i) {
      const auto at = [&](const Expr& e) { return b.get(x, e * ix(kLanes) + i); };
      b.sequential(ix(0), ix(16), [&](Expr p) {
        b.sequential(ix(0), ix(kColumns), [&](Expr n) {
          const Expr own = b.declare(f32(0.0)), shared = b.declare(f32(0.0));
          b.sequential(ix(0), ix(2),
                       [&](Expr k) { b.assign(own, loops::fma(at(p + k), at(n + k), own)); });
          b.sequential(loops::op(ScalarOp::Max, {p - ix(window), ix(0)}), p,
                       [&](Expr k) { b.assign(shared, loops::fma(at(k), b.get(w, k), shared)); });
          b.accumulate(g, p * ix(kColumns) + n, own);
          b.store(y, p * ix(kLanes) + i, shared);
        });
      });
    });
    return multipliesLanes(b.program, lanes);
  };
  EXPECT_TRUE(part(4));
  EXPECT_FALSE(part(8));
}

}  // namespace lane_products_test
}  // namespace rlc::cpu
