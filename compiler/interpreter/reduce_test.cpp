#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/interpreter/testing.h"

namespace rlc::interpreter {
namespace {

using pdg::ReduceKind;
using pdg::testing::GraphBuilder;

// A reduction of a vector of numbers.
double reduced(ReduceKind kind, const std::vector<double>& numbers, DType type = DType::F32) {
  GraphBuilder g;
  const Var k = g.range("k");
  const int64_t n = static_cast<int64_t>(numbers.size());
  const NodeId v = g.constant(numbers, type, {n});
  return values(g, g.reduce(kind, {}, {k}, g.box({k}, {0}, {n}), g.at(v, {}, {k})))[0];
}

TEST(Reduce, SumProdMaxMin) {
  EXPECT_EQ(reduced(ReduceKind::Sum, {1, 2, 3}), 6);
  EXPECT_EQ(reduced(ReduceKind::Prod, {2, 3, 4}), 24);
  EXPECT_EQ(reduced(ReduceKind::Max, {2, 5, 3}), 5);
  EXPECT_EQ(reduced(ReduceKind::Min, {2, -5, 3}), -5);
}

TEST(Reduce, EmptyOnesHaveTheirIdentity) {
  EXPECT_EQ(reduced(ReduceKind::Sum, {}), 0);
  EXPECT_EQ(reduced(ReduceKind::Prod, {}), 1);
  EXPECT_EQ(reduced(ReduceKind::Any, {}, DType::Bool), 0);
  EXPECT_EQ(reduced(ReduceKind::All, {}, DType::Bool), 1);
}

TEST(Reduce, AnEmptyMaxIsAFault) {
  EXPECT_THROW(reduced(ReduceKind::Max, {}), runtime::RuntimeFault);
}

TEST(Reduce, IntegerSumsWrap) {
  EXPECT_EQ(reduced(ReduceKind::Sum, {INT32_MAX, 1}, DType::I32), INT32_MIN);
}

TEST(Reduce, FloatSumsAreAccumulatedInDouble) {
  EXPECT_EQ(reduced(ReduceKind::Sum, {16777216, 1, 1}), 16777218);
}

TEST(Reduce, ArgMaxTakesTheFirstOnTies) { EXPECT_EQ(reduced(ReduceKind::ArgMax, {1, 3, 3}), 1); }

TEST(Reduce, NanWins) {
  EXPECT_TRUE(std::isnan(reduced(ReduceKind::Max, {1, kNan, 3})));
  EXPECT_EQ(reduced(ReduceKind::ArgMin, {1, kNan, kNan}), 1);
}

TEST(Reduce, ArgMaxIsTheValueOfTheVariable) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10), k = g.range("k");
  const NodeId x = g.indexValue({t}, IndexExpr(t) * -1);
  EXPECT_EQ(values(g, g.reduce(ReduceKind::ArgMax, {}, {k}, g.box({k}, {4}, {9}), g.at(x, {k}))),
            Values{4});
}

TEST(Reduce, RangesMayDependOnThePoint) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10), k = g.range("k");
  const NodeId x = g.indexValue({t}, t);
  const NodeId tail =
      g.reduce(ReduceKind::Sum, {t}, {k}, g.box({t, k}, {0, t}, {10, 10}), g.at(x, {k}));
  EXPECT_EQ(values(g, tail, {7}), Values{7 + 8 + 9});
}

TEST(Reduce, LaterRangesMayDependOnEarlierVariables) {
  GraphBuilder g;
  const Var j = g.range("j"), k = g.range("k");
  const NodeId one = g.constant(1, DType::I32);
  EXPECT_EQ(
      values(g, g.reduce(ReduceKind::Sum, {}, {j, k}, g.box({j, k}, {0, 0}, {5, j}), g.at(one))),
      Values{10});
}

TEST(Reduce, AMatrixProductIsASumOfProducts) {
  GraphBuilder g;
  const Var k = g.index("k", 0, 2);
  const NodeId a = g.constant({1, 2, 3, 4}, DType::F32, {2, 2}),
               b = g.constant({5, 6}, DType::F32, {2});
  const NodeId products =
      g.map(ScalarOp::Mul, {k}, {g.at(a, {}, {e0, k}), g.at(b, {}, {k})}, {IndexExpr(2)});
  const NodeId product =
      g.reduce(ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {2}), g.at(products, {k}), {IndexExpr(2)});
  EXPECT_EQ(values(g, product), (Values{17, 39}));
}

TEST(Reduce, TheRangeMayDependOnTheElement) {
  GraphBuilder g;
  const Var k = g.range("k");
  const NodeId v = g.constant({1, 2, 3, 4}, DType::F32, {4});
  const Var element = Var::element(0);
  const NodeId cumsum = g.reduce(ReduceKind::Sum, {}, {k}, g.box({element, k}, {0, 0}, {4, e0 + 1}),
                                 g.at(v, {}, {k}), {IndexExpr(4)});
  EXPECT_EQ(values(g, cumsum), (Values{1, 3, 6, 10}));
}

TEST(Reduce, AFilterDropsPointsAndDoesNotReadThem) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 6), k = g.range("k");
  const NodeId x = g.indexValue({t}, t), zero = g.constant(0, DType::I32),
               twelve = g.constant(12, DType::I32);
  const NodeId positive = g.map(ScalarOp::Lt, {t}, {g.at(zero), g.at(x, {t})});
  const NodeId share = g.map(ScalarOp::FloorDiv, {t}, {g.at(twelve), g.at(x, {t})});
  const NodeId sum = g.reduce(ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {5}), g.at(share, {k}));
  std::get<pdg::Reduce>(g.node(sum).op).hasFilter = true;
  g.node(sum).inputs.push_back(g.at(positive, {k}));
  EXPECT_EQ(values(g, sum), Values{12 + 6 + 4 + 3});
}

TEST(Reduce, KeysScatter) {
  GraphBuilder g;
  const Var k = g.range("k");
  const NodeId amounts = g.constant({1, 2, 4, 8}, DType::F32, {4}),
               where = g.constant({2, 0, 2, 1}, DType::I32, {4});
  const NodeId scattered = g.reduce(pdg::ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {4}),
                                    g.at(amounts, {}, {k}), {IndexExpr(3)});
  std::get<pdg::Reduce>(g.node(scattered).op)
      .keys.push_back({Var::element(0), IndexExpr::value(1, nullptr, nullptr)});
  g.node(scattered).inputs.push_back(g.at(where, {}, {k}));
  EXPECT_EQ(values(g, scattered), (Values{2, 8, 5}));
}

TEST(Reduce, FirstTrueFindsThePointAfter) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10), k = g.range("k");
  const NodeId x = g.indexValue({t}, t), six = g.constant(6, DType::I32);
  const NodeId done = g.map(ScalarOp::Le, {t}, {g.at(six), g.at(x, {t})});
  const NodeId end =
      g.reduce(ReduceKind::FirstTrue, {}, {k}, g.box({k}, {0}, {10}), g.at(done, {k}));
  EXPECT_EQ(values(g, end), Values{7});
}

TEST(Reduce, FirstTrueHasAnOtherwise) {
  GraphBuilder g;
  const Var k = g.range("k");
  const NodeId end = g.reduce(ReduceKind::FirstTrue, {}, {k}, g.box({k}, {0}, {10}),
                              g.at(g.constant(0, DType::Bool)));
  std::get<pdg::Reduce>(g.node(end).op).otherwise = 10;
  EXPECT_EQ(values(g, end), Values{10});
}

TEST(Reduce, FirstTrueComputesNothingBehindTheHit) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 1000000), k = g.range("k");
  const NodeId x = g.indexValue({t}, t), limit = g.constant(99, DType::I32);
  const NodeId done = g.map(ScalarOp::Le, {t}, {g.at(limit), g.at(x, {t})});
  const NodeId end =
      g.reduce(ReduceKind::FirstTrue, {}, {k}, g.box({k}, {0}, {1000000}), g.at(done, {k}));
  Interpreter interpreter(g.graph());
  EXPECT_EQ(interpreter.evaluate(end).elements[0].i, 100);
  EXPECT_EQ(interpreter.pointsComputed(), 201);  // x and done at 0 to 99, and the end
}

}  // namespace
}  // namespace rlc::interpreter
