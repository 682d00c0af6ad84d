#include "compiler/passes/small_angles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <limits>

#include "compiler/passes/testing.h"
#include "compiler/passes/value_ranges.h"

namespace rlc::passes {
namespace {

using namespace testing;

// angle[0] = 0.05; angle[t+1] = 0.05 where it has ended, else what it would be: angle[t] + speed[t]
// of any size.
struct SmallAngles : ::testing::Test {
  GraphBuilder g;
  Var t = g.index("t", 0, 8);
  NodeId speed = g.draw(pdg::DrawKind::StandardNormal, "speed", {t});
  NodeId angle = g.declare("angle", {t}, g.box({t}, {0}, {9}));
  NodeId next = g.map(ScalarOp::Add, {t}, {g.at(angle, {t}), g.at(speed, {t})});

  NodeId map(ScalarOp op, std::vector<Read> operands) {
    return g.map(op, {t}, std::move(operands));
  }
  Read here(NodeId id) {
    return g.at(id, g.node(id).dims.empty() ? std::vector<IndexExpr>{} : std::vector<IndexExpr>{t});
  }
  NodeId number(double value) { return g.constant(value); }

  // Of the angle, with that condition: of the same point or of the first one.
  std::string sineWith(NodeId ended, bool ofTheStart = false) {
    const Var s = g.index("s", 1, 9);
    const IndexExpr before = IndexExpr(s) - 1;
    const NodeId chosen = g.map(ScalarOp::Select, {s},
                                {g.at(ended, {ofTheStart ? IndexExpr(0) : before}),
                                 g.at(number(0.05)), g.at(next, {before})});
    g.piece(angle, g.box({t}, {0}, {1}), g.at(number(0.05)));
    g.piece(angle, g.box({t}, {1}, {9}), g.at(chosen, {t}));
    g.print("y", map(ScalarOp::Sin, {g.at(angle, {t})}));
    return text(apply(smallAngles, g.graph()));
  }
  NodeId large(double limit) {
    return map(ScalarOp::Lt, {g.at(number(limit)), here(map(ScalarOp::Abs, {here(next)}))});
  }
};

TEST_F(SmallAngles, AreWhatAConditionLeaves) {
  const NodeId late = map(ScalarOp::Lt, {g.at(number(2)), here(speed)});
  EXPECT_EQ(sineWith(map(ScalarOp::Or, {here(late), here(large(0.2))})),
            "1 node of small angles\n");
}

TEST_F(SmallAngles, AreNotThoseBeyond) { EXPECT_EQ(sineWith(large(0.8)), ""); }

TEST_F(SmallAngles, NeedBothConditionsToLeaveThem) {
  const NodeId late = map(ScalarOp::Lt, {g.at(number(2)), here(speed)});
  EXPECT_EQ(sineWith(map(ScalarOp::And, {here(late), here(large(0.2))})), "");
}

TEST_F(SmallAngles, NeedAConditionOnTheSamePoint) { EXPECT_EQ(sineWith(large(0.2), true), ""); }

// NaN < x does not hold, and then says nothing of x.
TEST_F(SmallAngles, AreNotProvedByAComparisonWithWhatMayBeNaN) {
  const NodeId limit = map(ScalarOp::Min, {here(speed), g.at(number(0.2))});
  EXPECT_EQ(sineWith(map(ScalarOp::Lt, {here(limit), here(map(ScalarOp::Abs, {here(next)}))})), "");
}

TEST(SmallAnglesOutsideOfRecurrences, AreClippedOrDrawn) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 8);
  const auto map = [&](ScalarOp op, NodeId a, double b) {
    return g.map(op, {t}, {g.at(a, {t}), g.at(g.constant(b))});
  };
  const auto sineOf = [&](NodeId angle) { return g.map(ScalarOp::Sin, {t}, {g.at(angle, {t})}); };
  const NodeId wide = g.draw(pdg::DrawKind::StandardNormal, "x", {t}),
               unit = g.draw(pdg::DrawKind::Uniform01, "u", {t});
  g.print("a", sineOf(map(ScalarOp::Max, map(ScalarOp::Min, wide, 0.7), -0.7)));
  g.print("b", sineOf(map(ScalarOp::Mul, unit, 0.7)));
  g.print("c", sineOf(map(ScalarOp::Min, wide, 0.7)));
  g.print("d", sineOf(unit));
  EXPECT_EQ(text(apply(smallAngles, g.graph())), "2 nodes of small angles\n");
}

TEST(ValueRanges, OfWhatMakesANumberOfNaNKnowThatNumber) {
  const Interval none, number{0, 1};
  EXPECT_EQ(apply(ScalarOp::IsNan, DType::F32, DType::Bool, none, {}), number);
  EXPECT_EQ(apply(ScalarOp::Ne, DType::F32, DType::Bool, none, none), number);
  EXPECT_EQ(apply(ScalarOp::Cast, DType::F32, DType::Bool, none, {}), number);
  EXPECT_EQ(apply(ScalarOp::Pow, DType::F32, DType::F32, none, {0, 0}), Interval::all());
  EXPECT_TRUE(apply(ScalarOp::Add, DType::F32, DType::F32, none, number).empty());
}

TEST(ValueRanges, OfIntegersThatNoDoubleIsAreUnknown) {
  EXPECT_EQ(exactly(Scalar::ofInt(DType::I64, (int64_t{1} << 53) + 1)), Interval::all());
  EXPECT_EQ(exactly(Scalar::ofInt(DType::I64, -7)), (Interval{-7, -7}));
  EXPECT_EQ(exactly(Scalar::ofFloat(DType::F64, 0x1p60)), (Interval{0x1p60, 0x1p60}));
  EXPECT_TRUE(exactly(Scalar::ofFloat(DType::F32, std::nan(""))).empty());
}

TEST(ValueRanges, KeepInfinitiesThatAreConstants) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Interval half{0.5, 0.5};
  for (const Interval infinite : {Interval{kInf, kInf}, Interval{-kInf, -kInf}})
    EXPECT_EQ(apply(ScalarOp::Mul, DType::F32, DType::F32, infinite, half), infinite);
  GraphBuilder g;
  const Var t = g.index("t", 0, 8);
  const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {9}));
  g.piece(x, g.box({t}, {0}, {1}), g.at(g.constant(-kInf)));
  const NodeId next = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(g.constant(0.5))});
  g.piece(x, g.box({t}, {1}, {9}), g.at(next, {IndexExpr(t) - 1}));
  EXPECT_EQ(ValueRanges(g.graph()).of(x), (Interval{-kInf, -kInf}));
}

// x[t+1] comes by many steps from x[t], each of which compares with a number of its own.
double secondsOfSteps(int count) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 8);
  std::vector<NodeId> steps;
  for (int k = 0; k <= count; ++k)
    steps.push_back(g.declare("x" + std::to_string(k), {t}, g.box({t}, {0}, {9})));
  const auto read = [&](int k) { return g.at(steps[static_cast<size_t>(k)], {t}); };
  const auto number = [&](double value) { return g.at(g.constant(value)); };
  const auto map = [&](ScalarOp op, std::vector<Read> operands) {
    return g.at(g.map(op, {t}, std::move(operands)), {t});
  };
  for (int k = count; k > 0; --k) {  // x0 is of the step before
    const Read more = map(ScalarOp::Add, {read(k - 1), number(0.25)}),
               large = map(ScalarOp::Lt, {number(0.25 * (k % 32)), read(k - 1)}),
               half = map(ScalarOp::Mul, {read(k - 1), number(0.5)});
    g.piece(steps[static_cast<size_t>(k)], g.box({t}, {0}, {9}),
            map(ScalarOp::Select, {large, half, more}));
  }
  g.piece(steps[0], g.box({t}, {0}, {1}), number(0.125));
  g.piece(steps[0], g.box({t}, {1}, {9}), g.at(steps.back(), {IndexExpr(t) - 1}));
  const std::clock_t start = std::clock();
  const Interval range = ValueRanges(g.graph()).of(steps[0]);
  EXPECT_LE(range.lo, 0.125);
  EXPECT_GE(range.hi, 0.125);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Each round goes through all steps, whatever their numbers: ten times the steps take ten times as
// long, not a hundred times.
TEST(ValueRanges, OfManyStepsTakeAFewRounds) {
  EXPECT_LT(secondsOfSteps(1000), 40 * secondsOfSteps(100) + 0.1);
}

// x[i, 0] = x[i-1, 3] goes on where the round before ended: x reads itself.
TEST(ValueRanges, OfARecurrenceInRoundsAreWhatAConditionLeaves) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 4), c = g.index("c", 0, 4);
  const NodeId x = g.declare("x", {i, c}, g.box({i, c}, {0, 0}, {4, 4}));
  const NodeId noise = g.draw(pdg::DrawKind::StandardNormal, "noise", {i, c});
  const NodeId next = g.map(ScalarOp::Add, {i, c}, {g.at(x, {i, c}), g.at(noise, {i, c})});
  const NodeId size = g.map(ScalarOp::Abs, {i, c}, {g.at(next, {i, c})});
  const NodeId large = g.map(ScalarOp::Lt, {i, c}, {g.at(g.constant(0.5)), g.at(size, {i, c})});
  const NodeId kept = g.map(ScalarOp::Select, {i, c},
                            {g.at(large, {i, c}), g.at(g.constant(0.25)), g.at(next, {i, c})});
  g.piece(x, g.box({i, c}, {0, 0}, {1, 1}), g.at(g.constant(0.25)));
  g.piece(x, g.box({i, c}, {1, 0}, {4, 1}), g.at(x, {IndexExpr(i) - 1, 3}));
  g.piece(x, g.box({i, c}, {0, 1}, {4, 4}), g.at(kept, {i, IndexExpr(c) - 1}));
  EXPECT_EQ(ValueRanges(g.graph()).of(x), (Interval{-0.5, 0.5}));
}

TEST(ValueRanges, OfARecurrenceThatGrowsAreUnboundedOnThatSide) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 8);
  const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {9}));
  g.piece(x, g.box({t}, {0}, {1}), g.at(g.constant(1)));
  const NodeId more = g.map(ScalarOp::Add, {t}, {g.at(x, {t}), g.at(g.constant(0.5))});
  g.piece(x, g.box({t}, {1}, {9}), g.at(more, {IndexExpr(t) - 1}));
  const Interval range = ValueRanges(g.graph()).of(x);
  EXPECT_EQ(range.lo, 1);
  EXPECT_EQ(range.hi, std::numeric_limits<double>::infinity());
}

TEST(ValueRanges, FollowIntegersUntilTheyMayWrap) {
  const Interval most{0, 0x1p30}, few{-3, 4};
  EXPECT_EQ(apply(ScalarOp::Add, DType::I32, DType::I32, few, few), (Interval{-6, 8}));
  EXPECT_EQ(apply(ScalarOp::Add, DType::I32, DType::I32, most, most), Interval::all());
  EXPECT_EQ(apply(ScalarOp::Mul, DType::I32, DType::I32, few, few), (Interval{-12, 16}));
  EXPECT_EQ(apply(ScalarOp::Neg, DType::U8, DType::U8, Interval{0, 4}, {}), Interval::all());
}

TEST(ValueRanges, KeepWhatInfinitiesAllow) {
  const Interval all = Interval::all(), zero{0, 0};
  EXPECT_EQ(apply(ScalarOp::Sub, DType::F32, DType::F32, all, all), all);
  const Interval product = apply(ScalarOp::Mul, DType::F32, DType::F32, all, zero);
  EXPECT_LE(product.lo, 0);
  EXPECT_GE(product.hi, 0);
  EXPECT_EQ(apply(ScalarOp::Div, DType::F32, DType::F32, {1, 2}, {-1, 1}), all);
}

}  // namespace
}  // namespace rlc::passes
