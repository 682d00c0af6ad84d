// Factors rounded to bf16, and products of pairs of them.
#include "jit/cpu/factor_pairs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compiler/loops/printer.h"
#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace factor_pairs_test {

struct Sizes {
  int64_t lanes, outputs, inputs;
  bool transposed = false;  // the weights' rows are the inputs
  bool masked = false;      // some lanes leave the layer out
};

// y[i, m] = sum over k of W[m, k] max(x[i, k], 0), three times, with weights that change in
// between.
Builder layer(const Sizes& s) {
  Builder b;
  const BufferId w = b.arena(DType::F32, s.outputs * s.inputs),
                 x = b.arena(DType::F32, s.inputs * s.lanes),
                 y = b.arena(DType::F32, s.outputs * s.lanes);
  const BufferId active = b.privateBuffer(DType::F32, s.inputs);
  b.sequential(ix(0), ix(3), [&](Expr) {
    b.parallel(ix(0), ix((s.lanes + 31) / 32), [&](Expr block) {
      const Expr first = block * ix(32);
      b.lanes(first, loops::op(ScalarOp::Min, {first + ix(32), ix(s.lanes)}), [&](Expr i) {
        b.sequential(ix(0), ix(s.inputs), [&](Expr k) {
          b.store(active, k, loops::op(ScalarOp::Max, {b.get(x, k * ix(s.lanes) + i), f32(0.0)}));
        });
        const auto outputs = [&] {
          b.sequential(ix(0), ix(s.outputs), [&](Expr m) {
            const Expr sum = b.declare(f32(0.0));
            b.sequential(ix(0), ix(s.inputs), [&](Expr k) {
              const Expr at = s.transposed ? k * ix(s.outputs) + m : m * ix(s.inputs) + k;
              b.assign(sum, loops::fma(b.get(w, at), b.get(active, k), sum));
            });
            b.store(y, m * ix(s.lanes) + i, sum);
          });
        };
        if (s.masked)
          b.when(less(b.get(x, i), f32(0.3)), outputs);
        else
          outputs();
      });
    });
    b.sequential(ix(0), ix(s.outputs * s.inputs),
                 [&](Expr k) { b.store(w, k, b.get(w, k) * f32(0.75)); });
  });
  return b;
}

// G[m, n] = sum over k of a[m, k] * b[k, n], the columns in blocks of lanes.
Builder product(int64_t rows, int64_t columns, int64_t steps) {
  Builder b;
  const BufferId left = b.arena(DType::F32, rows * steps),
                 right = b.arena(DType::F32, steps * columns),
                 result = b.arena(DType::F32, rows * columns);
  b.parallel(ix(0), ix(columns / 32), [&](Expr block) {
    b.sequential(ix(0), ix(rows), [&](Expr m) {
      b.lanes(block * ix(32), block * ix(32) + ix(32), [&](Expr n) {
        const Expr sum = b.declare(f32(0.0));
        b.sequential(ix(0), ix(steps), [&](Expr k) {
          b.assign(sum, loops::fma(b.get(left, m * ix(steps) + k),
                                   b.get(right, k * ix(columns) + n), sum));
        });
        b.store(result, m * ix(columns) + n, sum);
      });
    });
  });
  return b;
}

Builder paired(Builder builder) {
  pairFactors(builder.program);
  return builder;
}

int pairsIn(const Builder& builder) {
  int count = 0;
  forEachStmt(builder.program.body, [&](const Stmt& stmt) {
    forEachExpr(stmt, [&](const Expr& e) {
      forEachNode(e, [&](const loops::ExprNode& node) {
        count += node.kind == loops::ExprNode::Kind::PairFma;
      });
    });
  });
  return count;
}

const std::vector<Sizes> kSizes = {{32, 16, 16},
                                   {64, 24, 33},
                                   {45, 17, 20},
                                   {96, 16, 17, true},
                                   {33, 40, 64, true},
                                   {64, 32, 32, false, true},
                                   {50, 19, 31, true, true}};

TEST(FactorPairs, AreWhatTheLoopsSay) {
  for (const Sizes& sizes : kSizes) {
    const Builder pairs = paired(layer(sizes));
    EXPECT_EQ(pairsIn(pairs), 1) << loops::print(pairs.program);
    expectAgreesAtAllWidths(pairs, 1e-5);
  }
  for (const int64_t steps : {16, 35}) {
    const Builder pairs = paired(product(18, 64, steps));
    EXPECT_EQ(pairsIn(pairs), 1) << loops::print(pairs.program);
    expectAgreesAtAllWidths(pairs, 1e-5);
  }
}

TEST(FactorPairs, AreTheSameWithoutTheInstruction) {
  if (targetOf({}).vectorBytes < 32) GTEST_SKIP() << "for processors with AVX2";
  expectAgrees(paired(layer({64, 24, 33})), {.targetCpu = "x86-64-v3"}, 1e-5);
  expectAgrees(paired(product(18, 64, 35)), {.targetCpu = "x86-64-v3"}, 1e-5);
}

TEST(FactorPairs, DoNotDependOnThreads) {
  expectSameForAllThreads(paired(layer({160, 24, 33})).program, 2);
  expectSameForAllThreads(paired(product(18, 128, 64)).program, 2);
}

// Each factor is rounded to eight bits, so a product is off by 2^-8 of itself at most, and a bit.
TEST(FactorPairs, RoundFactorsOnly) {
  const int64_t rows = 17, columns = 32, steps = 64;
  const Builder exact = product(rows, columns, steps);
  Memory memory(exact.program);
  runCompiled(exact.program, memory, {.roundFactors = true});
  double worst = 0;
  for (int64_t m = 0; m < rows; ++m)
    for (int64_t n = 0; n < columns; ++n) {
      double sum = 0, size = 0;
      for (int64_t k = 0; k < steps; ++k) {
        const double term = memory.get(0, m * steps + k) * memory.get(1, k * columns + n);
        sum += term;
        size += std::abs(term);
      }
      const double off = std::abs(memory.get(2, m * columns + n) - sum);
      EXPECT_LE(off, 0x1.02p-8 * size);
      worst = std::max(worst, off / size);
    }
  EXPECT_EQ(worst > 1e-5, targetOf({}).multipliesPairs) << "rounds where that is faster";
}

TEST(FactorPairs, LeaveWhatDoesNotPay) {
  EXPECT_EQ(pairsIn(paired(layer({64, 16, 15}))), 0) << "few products";
  EXPECT_EQ(pairsIn(paired(layer({64, 15, 16}))), 0) << "few sums";
  EXPECT_EQ(pairsIn(paired(layer({8, 16, 16}))), 0) << "few lanes";
}

TEST(FactorPairs, LeaveWeightsThatLanesChange) {
  Builder b;
  const BufferId w = b.arena(DType::F32, 32 * 32), x = b.arena(DType::F32, 32);
  const BufferId own = b.privateBuffer(DType::F32, 32);
  b.lanes(ix(0), ix(32), [&](Expr i) {
    b.sequential(ix(0), ix(32), [&](Expr k) { b.store(own, k, b.get(x, i)); });
    b.sequential(ix(0), ix(32), [&](Expr m) {
      const Expr sum = b.declare(f32(0.0));
      b.sequential(ix(0), ix(32), [&](Expr k) {
        b.assign(sum, loops::fma(b.get(w, m * ix(32) + k), b.get(own, k), sum));
      });
      b.store(w, m * ix(32) + i, sum);
    });
  });
  EXPECT_EQ(pairsIn(paired(std::move(b))), 0);
}

// A sum that is carried on from step to step: its weights are rounded once, in front of all steps.
TEST(FactorPairs, RoundWeightsOnceForAllSteps) {
  Builder b;
  const BufferId w = b.arena(DType::F32, 32 * 32), x = b.arena(DType::F32, 32 * 64);
  const BufferId state = b.privateBuffer(DType::F32, 32), next = b.privateBuffer(DType::F32, 32);
  b.lanes(ix(0), ix(64), [&](Expr i) {
    b.sequential(ix(0), ix(32), [&](Expr k) { b.store(state, k, b.get(x, k * ix(64) + i)); });
    b.sequential(ix(0), ix(10), [&](Expr) {
      b.sequential(ix(0), ix(32), [&](Expr m) {
        const Expr sum = b.declare(f32(0.0));
        b.sequential(ix(0), ix(32), [&](Expr k) {
          b.assign(sum, loops::fma(b.get(w, m * ix(32) + k), b.get(state, k), sum));
        });
        b.store(next, m, sum * f32(0.1));
      });
      b.sequential(ix(0), ix(32), [&](Expr k) { b.store(state, k, b.get(next, k)); });
    });
    b.sequential(ix(0), ix(32), [&](Expr k) { b.store(x, k * ix(64) + i, b.get(state, k)); });
  });
  const Builder pairs = paired(std::move(b));
  EXPECT_EQ(pairsIn(pairs), 1);
  EXPECT_EQ(pairs.program.body.size(), 2u) << loops::print(pairs.program);
  expectAgreesAtAllWidths(pairs, 1e-5);
}

// y[i, m] += sum over k of W[m, k] x[i, k].
void addOutputs(Builder& b, BufferId w, BufferId x, BufferId y, const Expr& i) {
  const BufferId own = b.privateBuffer(DType::F32, 32);
  b.sequential(ix(0), ix(32), [&](Expr k) { b.store(own, k, b.get(x, k * ix(64) + i)); });
  b.sequential(ix(0), ix(32), [&](Expr m) {
    const Expr sum = b.declare(b.get(y, m * ix(64) + i));
    b.sequential(ix(0), ix(32), [&](Expr k) {
      b.assign(sum, loops::fma(b.get(w, m * ix(32) + k), b.get(own, k), sum));
    });
    b.store(y, m * ix(64) + i, sum);
  });
}

// What numbers that are rounded before they change, or not at all, would not be near.
void expectNear(const Builder& exact, BufferId y) {
  Memory memory(exact.program), rounded(exact.program);
  runCompiled(exact.program, memory);
  runCompiled(exact.program, rounded, {.roundFactors = true});
  double off = 0, size = 0;
  for (int64_t k = 0; k < 32 * 64; ++k) {
    off += std::pow(rounded.get(y, k) - memory.get(y, k), 2);
    size += std::pow(memory.get(y, k), 2);
  }
  EXPECT_LE(off, 0x1p-14 * size) << "a bit of eight";
}

int roundedIn(const Block& block) {
  int count = 0;
  forEachStmt(block, [&](const Stmt& stmt) {
    count += stmt.kind == Stmt::Kind::Store && stmt.value->kind == loops::ExprNode::Kind::Factor;
  });
  return count;
}

// Weights that each turn changes, and which others set at the third one.
struct Turns {
  Builder builder;
  BufferId w, x, y;

  // `use(turn, i)`: what the turn does with them.
  template <class Use>
  Turns(int64_t turns, const Use& use) {
    w = builder.arena(DType::F32, 32 * 32);
    x = builder.arena(DType::F32, 32 * 64);
    y = builder.arena(DType::F32, 32 * 64);
    builder.sequential(ix(0), ix(turns), [&](Expr turn) {
      builder.when(loops::op(ScalarOp::Eq, {turn, ix(2)}), [&] { scale(f32(5.0)); });
      builder.lanes(ix(0), ix(64), [&](Expr i) { use(*this, turn, i); });
      scale(f32(0.5));
    });
  }

  void add(const Expr& i) { addOutputs(builder, w, x, y, i); }

 private:
  void scale(const Expr& factor) {
    builder.sequential(ix(0), ix(32 * 32),
                       [&](Expr k) { builder.store(w, k, builder.get(w, k) * factor); });
  }
};

// Rounded in front of the loop and where they change there, however many sums use them.
TEST(FactorPairs, RoundBehindWhatWrites) {
  const auto make = [] {
    return Turns(9, [](Turns& turns, const Expr&, const Expr& i) {
      turns.add(i);
      turns.add(i);
    });
  };
  Turns turns = make();
  const Builder pairs = paired(std::move(turns.builder));
  EXPECT_EQ(pairsIn(pairs), 2);
  ASSERT_EQ(pairs.program.body.size(), 2u) << loops::print(pairs.program);
  const Block& turn = pairs.program.body[1]->body;
  ASSERT_EQ(turn.size(), 4u) << loops::print(pairs.program);
  EXPECT_EQ(roundedIn(turn[0]->body), 1) << "where the third turn sets them";
  EXPECT_EQ(roundedIn(turn[1]->body), 0);
  EXPECT_EQ(roundedIn(turn[3]->body), 1) << "behind the loop that scales them";
  expectAgreesAtAllWidths(pairs, 1e-5);
  expectNear(make().builder, turns.y);
}

// Pairs of columns for a sum over all rows are others than those for a sum over some.
TEST(FactorPairs, ColumnsOfSumsOfTwoLengths) {
  BufferId y = -1, z = -1;
  const auto make = [&](int64_t first) {
    Builder b;
    const BufferId w = b.arena(DType::F32, 64 * 32), x = b.arena(DType::F32, 64 * 64);
    y = b.arena(DType::F32, 32 * 64);
    z = b.arena(DType::F32, 32 * 64);
    const BufferId own = b.privateBuffer(DType::F32, 64);
    b.lanes(ix(0), ix(64), [&](Expr i) {
      b.sequential(ix(0), ix(64), [&](Expr k) { b.store(own, k, b.get(x, k * ix(64) + i)); });
      const auto outputs = [&](BufferId to, int64_t from, int64_t end) {
        b.sequential(ix(0), ix(32), [&](Expr m) {
          const Expr sum = b.declare(f32(0.0));
          b.sequential(ix(from), ix(end), [&](Expr k) {
            b.assign(sum, loops::fma(b.get(w, k * ix(32) + m), b.get(own, k), sum));
          });
          b.store(to, m * ix(64) + i, sum);
        });
      };
      outputs(z, first, first + 32);
      outputs(y, 0, 64);
    });
    return b;
  };
  for (const int64_t first : {0, 8}) {
    const Builder pairs = paired(make(first));
    EXPECT_EQ(pairsIn(pairs), 2);
    expectAgreesAtAllWidths(pairs, 1e-5);
    const Builder exact = make(first);
    expectNear(exact, y);
    expectNear(exact, z);
  }
}

// What is written more often than it is used is rounded where it is used.
TEST(FactorPairs, RoundInFrontOfWhatUsesThemSeldom) {
  const auto make = [](int64_t turns) {
    return Turns(turns, [](Turns& self, const Expr& turn, const Expr& i) {
      self.builder.when(less(ix(6), turn), [&] { self.add(i); });
    });
  };
  Turns turns = make(9);
  const Builder pairs = paired(std::move(turns.builder));
  EXPECT_EQ(pairsIn(pairs), 1);
  ASSERT_EQ(pairs.program.body.size(), 1u) << loops::print(pairs.program);
  EXPECT_EQ(roundedIn(pairs.program.body[0]->body), 1);
  expectNear(make(9).builder, turns.y);
}

// Two sums with the same weights under conditions of their own: each finds them rounded.
TEST(FactorPairs, RoundWhereEitherSumAsks) {
  const Turns turns(4, [](Turns& self, const Expr& turn, const Expr& i) {
    self.builder.when(less(turn, ix(1)), [&] { self.add(i); });
    self.builder.when(less(ix(2), turn), [&] { self.add(i); });
  });
  expectNear(turns.builder, turns.y);
}

}  // namespace factor_pairs_test
}  // namespace rlc::cpu
