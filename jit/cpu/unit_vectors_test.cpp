// Layers of few lanes become vectors of units, with the same bits.
#include "jit/cpu/unit_vectors.h"

#include <gtest/gtest.h>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/testing/emitted_module.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace unit_vectors_test {

// How many loops are over units, and how many tensors are packed.
struct Found {
  int loops = 0, packed = 0;
  bool operator==(const Found&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Found& found) {
  return out << found.loops << " loops, " << found.packed << " packed";
}

Found found(const Builder& b, int vectorBytes = 64) {
  loops::Program program = copyProgram(b.program);
  vectorizeUnits(program, {vectorBytes / 2, vectorBytes, 32});
  Found result;
  forEachStmt(program.body, [&](const Stmt& stmt) { result.loops += stmt.units ? 1 : 0; });
  for (const Buffer& buffer : program.buffers) result.packed += buffer.name == "packed" ? 1 : 0;
  return result;
}

struct Shape {
  int64_t lanes = 4, steps = 20, units = 64, inputs = 23;
  bool byColumns = false;  // neighbouring units' weights lie side by side
  bool writes = false;     // the weights, in each step
  bool perLane = false;    // a condition that lanes do not share
  int64_t biases = 1;      // elements from one unit's to the next
  bool sumBehind = false;  // units are summed, none is kept
  DType weights = DType::F32;
  bool outer = false;  // a loop around the lanes says which weights
};

// A state that two layers change, over and over, as a policy does that of an environment.
Builder rollout(const Shape& shape) {
  Builder b;
  const auto [lanes, steps, units, inputs, byColumns, writes, perLane, biases, sumBehind, type,
              outer] = shape;
  const BufferId w = b.arena(type, units * inputs * (outer ? 2 : 1)),
                 c = b.arena(DType::F32, units * biases), v = b.arena(DType::F32, inputs * units),
                 x = b.arena(DType::F32, inputs * (lanes + 3)),
                 out = b.arena(DType::F32, steps * lanes);
  const BufferId hidden = b.privateBuffer(DType::F32, units),
                 state = b.privateBuffer(DType::F32, inputs);
  Expr first = ix(0);  // of the weights
  const auto simulate = [&](Expr i) {
    b.sequential(ix(0), ix(inputs),
                 [&](Expr l) { b.store(state, l, b.get(x, l * ix(lanes + 3) + i)); });
    b.sequential(ix(0), ix(steps), [&](Expr t) {
      const Expr uniform = less(ix(1), t + ix(3)), own = less(b.get(state, ix(0)), f32(0.5));
      b.when(perLane ? own : uniform, [&] {
        const Expr scale = b.let(b.get(state, ix(1)) * f32(0.5) + f32(1));
        const Expr total = sumBehind ? b.declare(f32(0)) : Expr();
        b.sequential(ix(0), ix(units), [&](Expr j) {
          const Expr sum = b.declare(f32(0.25));
          b.sequential(ix(0), ix(inputs), [&](Expr l) {
            const Expr at = first + (byColumns ? l * ix(units) + j : j * ix(inputs) + l);
            const Expr weight = b.get(w, at);
            b.assign(sum, loops::fma(type == DType::F32 ? weight : loops::cast(DType::F32, weight),
                                     b.get(state, l) * f32(0.125), sum));
          });
          const Expr unit = loops::op(ScalarOp::Tanh, {scale * sum + b.get(c, j * ix(biases))});
          if (sumBehind)
            b.assign(total, loops::fma(b.get(c, j), unit, total));
          else
            b.store(hidden, j, unit);
        });
        if (sumBehind) {
          b.store(state, ix(2), total);
        } else {
          b.sequential(ix(0), ix(inputs), [&](Expr j) {
            const Expr sum = b.declare(f32(0));
            b.sequential(ix(0), ix(units), [&](Expr l) {
              b.assign(sum, loops::fma(b.get(v, l * ix(inputs) + j), b.get(hidden, l), sum));
            });
            b.store(state, j, loops::op(ScalarOp::Tanh, {sum * f32(0.25)}));
          });
        }
      });
      b.store(out, t * ix(lanes) + i, b.get(state, ix(2)));
      if (writes) b.store(w, ix(0), f32(0.5));
    });
  };
  b.sequential(ix(0), ix(outer ? 2 : 1), [&](Expr u) {
    if (outer) first = u * ix(units * inputs);
    b.lanes(ix(0), ix(lanes), simulate);
  });
  return b;
}

TEST(UnitVectors, ALayerAndItsPackedWeights) {
  EXPECT_EQ(found(rollout({})), (Found{2, 1}));
  EXPECT_EQ(found(rollout({.byColumns = true})), (Found{2, 0}));
  EXPECT_EQ(found(rollout({.sumBehind = true})), (Found{1, 1}));
}

// In front of the lanes the condition need not hold under which the lanes read them.
TEST(UnitVectors, WhatAConditionGuardsIsNotPackedUnlessItIsThere) {
  EXPECT_EQ(found(rollout({.outer = true})), (Found{1, 0}));
  expectAgrees(rollout({.outer = true}));
}

TEST(UnitVectors, OnlyWhereLanesAreFew) {
  EXPECT_EQ(found(rollout({.lanes = 8})).loops, 2);
  EXPECT_EQ(found(rollout({.lanes = 9})).loops, 0);
  EXPECT_EQ(found(rollout({.lanes = 4}), 32).loops, 2);
  EXPECT_EQ(found(rollout({.lanes = 5}), 32).loops, 0);
  EXPECT_EQ(found(rollout({.lanes = 4}), 16).loops, 0);
}

TEST(UnitVectors, OnlyWhereUnitsFillVectors) {
  EXPECT_EQ(found(rollout({.units = 7, .inputs = 5})).loops, 0);
  EXPECT_EQ(found(rollout({.units = 8, .inputs = 5})).loops, 1);
}

TEST(UnitVectors, PackingHasToBeRepaid) {
  EXPECT_EQ(found(rollout({.steps = 15})), (Found{1, 0}));
  EXPECT_EQ(found(rollout({.steps = 16})), (Found{2, 1}));
}

TEST(UnitVectors, WhatTheLanesWriteIsNotPacked) {
  EXPECT_EQ(found(rollout({.writes = true})), (Found{1, 0}));
}

TEST(UnitVectors, OnlyFactorsArePacked) { EXPECT_EQ(found(rollout({.biases = 2})), (Found{1, 0})); }

TEST(UnitVectors, NotWhereLanesTakeTurns) {
  EXPECT_EQ(found(rollout({.perLane = true})), (Found{0, 0}));
}

TEST(UnitVectors, HaveTheSameBits) {
  for (int64_t lanes = 2; lanes <= 8; ++lanes)
    for (bool sumBehind : {false, true}) {
      SCOPED_TRACE(lanes);
      const Builder b = rollout({.lanes = lanes, .units = 50, .sumBehind = sumBehind});
      expectAgrees(b);
      if (lanes == 5) expectAgreesAtAllWidths(b);
    }
  for (int64_t units : {8, 15, 16, 17, 31, 64, 84, 120, 200}) {
    SCOPED_TRACE(units);
    expectAgrees(rollout({.units = units, .byColumns = units % 2 == 0}));
    expectAgrees(rollout({.lanes = 8, .units = units}));
  }
  for (const Shape& shape : {Shape{.inputs = 16}, Shape{.perLane = true},
                             Shape{.weights = DType::BF16}, Shape{.weights = DType::U8}})
    expectAgrees(rollout(shape));
}

// A matrix that is summed along two loops, in front of lanes that a condition is around.
TEST(UnitVectors, SumsAlongTwoLoops) {
  Builder b;
  const int64_t lanes = 5, rows = 3, columns = 21, units = 32, steps = 17;
  const BufferId w = b.arena(DType::F32, units * rows * columns),
                 x = b.arena(DType::F32, lanes * rows * columns),
                 out = b.arena(DType::F32, lanes * units);
  const BufferId y = b.privateBuffer(DType::F32, units);
  b.when(less(b.get(w, ix(0)), f32(1e9)), [&] {
    b.lanes(ix(0), ix(lanes), [&](Expr i) {
      b.sequential(ix(0), ix(steps), [&](Expr t) {
        for (int twice = 0; twice < 2; ++twice)
          b.sequential(ix(0), ix(units), [&](Expr j) {
            const Expr sum = b.declare(f32(0));
            b.sequential(ix(0), ix(rows), [&](Expr r) {
              b.sequential(ix(0), ix(columns), [&](Expr s) {
                const Expr at = b.let(r * ix(columns) + s);
                b.assign(sum, sum + b.get(w, j * ix(rows * columns) + at) *
                                        b.get(x, at * ix(lanes) + i));
              });
            });
            b.store(y, j, sum * loops::cast(DType::F32, t + j));
          });
        b.sequential(ix(0), ix(units),
                     [&](Expr j) { b.store(out, j * ix(lanes) + i, b.get(y, j)); });
      });
    });
  });
  EXPECT_EQ(found(b), (Found{2, 1}));
  expectAgreesAtAllWidths(b);
  expectAgrees(b);
}

TEST(UnitVectors, AreEmitted) {
  if (host().vectorBytes < 32) GTEST_SKIP() << "no vector has twice as many units";
  const EmittedModule emitted(rollout({}));
  bool tanh = false;
  for (const llvm::Function& function : *emitted.module)
    tanh |= function.getName() == "rlc.tanh.f32x" + std::to_string(host().vectorBytes / 4);
  EXPECT_TRUE(tanh);
}

}  // namespace unit_vectors_test
}  // namespace rlc::cpu
