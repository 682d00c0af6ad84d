#include "compiler/passes/domain_reduction.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"

namespace rlc::passes {
namespace {

using namespace testing;

using Dims = std::vector<Var>;

struct DomainReduction : ::testing::Test {
  GraphBuilder g;
  Var b = g.index("b", 0, 3), t = g.index("t", 0, 4), k = g.range("k");
};

TEST_F(DomainReduction, TravelsThroughWhatReadsIt) {
  const NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {t});
  const NodeId y = g.map(ScalarOp::Exp, {b, t}, {g.at(x, {t})});
  const NodeId z = g.map(ScalarOp::Neg, {b, t}, {g.at(y, {b, t})});
  g.print("z", z);
  const Notes notes = apply(domainReduction, g.graph());
  EXPECT_EQ(g.node(y).dims, Dims{t});
  EXPECT_EQ(g.node(z).dims, Dims{t});
  EXPECT_EQ(text(notes), "2 nodes computed at fewer points\n");
}

TEST_F(DomainReduction, ARecurrenceLeavesAnIndexAllAtOnce) {
  const NodeId x = g.declare("x", {b, t}, g.declared({b, t}));
  const NodeId half = g.map(ScalarOp::Mul, {b, t}, {g.at(x, {b, t}), g.at(g.constant(0.5))});
  g.piece(x, g.box({b, t}, {0, 0}, {3, 1}), g.at(g.constant(1.0)));
  g.piece(x, g.box({b, t}, {0, 1}, {3, 4}), g.at(half, {b, IndexExpr(t) - 1}));
  g.print("x", x);
  const Notes notes = apply(domainReduction, g.graph());
  EXPECT_EQ(g.node(x).dims, Dims{t});
  EXPECT_EQ(g.node(half).dims, Dims{t});
  EXPECT_EQ(text(notes),
            "`x` is the same for all b: computed once for all of them\n"
            "2 nodes computed at fewer points\n");
}

TEST_F(DomainReduction, DrawsKeepTheirCoordinates) {
  const NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {b, t});
  const NodeId y = g.map(ScalarOp::Exp, {b, t}, {g.at(x, {b, t})});
  g.print("y", y);
  apply(domainReduction, g.graph());
  EXPECT_EQ(g.node(y).dims, (Dims{b, t}));
}

TEST_F(DomainReduction, AMergeKeepsWhatItsPiecesTell) {
  const NodeId x = g.declare("x", {b, t}, g.declared({b, t}));
  g.piece(x, g.box({b, t}, {0, 0}, {1, 4}), g.at(g.constant(1.0)));
  g.piece(x, g.box({b, t}, {1, 0}, {3, 4}), g.at(g.constant(2.0)));
  g.print("x", x);
  apply(domainReduction, g.graph());
  EXPECT_EQ(g.node(x).dims, Dims{b});
}

TEST_F(DomainReduction, AReductionKeepsWhatItsRangeTells) {
  const NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {t});
  const pdg::Set range =
      g.where({b, t, k}, Condition::within(b, 0, 3) && Condition::within(t, 0, 4) &&
                             Condition::within(k, t, 4));
  const NodeId y = g.reduce(ReduceKind::Sum, {b, t}, {k}, range, g.at(x, {k}));
  g.print("y", y);
  apply(domainReduction, g.graph());
  EXPECT_EQ(g.node(y).dims, Dims{t});
}

TEST_F(DomainReduction, ATriangleIsProjected) {
  const NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {t});
  const pdg::Set below = g.where({t, k}, Condition::within(t, 0, 4) && Condition::within(k, 0, t));
  const NodeId y =
      g.add("y", {t, k}, below, DType::F32, {}, pdg::Map{ScalarOp::Exp}, {g.at(x, {k})});
  const NodeId sum = g.reduce(ReduceKind::Sum, {t}, {k}, below, g.at(y, {t, k}));
  g.print("sum", sum);
  apply(domainReduction, g.graph());
  EXPECT_EQ(g.node(y).dims, Dims{k});
  EXPECT_TRUE(g.node(y).domain.isEqual(g.box({k}, {0}, {3})));
  EXPECT_EQ(g.node(sum).dims, Dims{t});
}

TEST_F(DomainReduction, SubscriptValuesNoLongerNeededGo) {
  const NodeId x = g.map(ScalarOp::Exp, {t}, {g.at(g.constant(1.0))});
  const NodeId j = g.draw(pdg::DrawKind::UniformInt, "j", {b},
                          {g.at(g.constant(0, DType::I32)), g.at(g.constant(4, DType::I32))});
  const auto lo = std::make_shared<const IndexExpr>(0), hi = std::make_shared<const IndexExpr>(4);
  const NodeId y = g.add("y", {b}, g.declared({b}), DType::F32, {}, pdg::Map{ScalarOp::Neg},
                         {g.at(x, {IndexExpr::value(1, lo, hi)}), g.at(j, {b})});
  g.print("y", y);
  apply(domainReduction, g.graph());
  EXPECT_EQ(g.node(y).dims, Dims{});
  EXPECT_EQ(g.node(y).inputs.size(), 1u);
}

}  // namespace
}  // namespace rlc::passes
