#include "compiler/passes/skew_domains.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"

namespace rlc::passes {
namespace {

using namespace testing;

// sum(weight * x[k] for k in t..t+3), the weight over t and k.
struct SkewDomains : ::testing::Test {
  GraphBuilder g;
  Var t = g.index("t", 0, 10), k = g.index("k", 0, 13), u = g.index("u", 0, 13),
      bound = g.range("j");
  NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {u});
  pdg::Set window =
      g.where({t, k}, Condition::within(IndexExpr(t), 0, 10) &&
                          Condition::within(IndexExpr(k), IndexExpr(t), IndexExpr(t) + 3));

  NodeId weight(const IndexExpr& of) {
    const NodeId distance = g.indexValue({t, k}, of);
    const NodeId real = g.cast(DType::F32, {t, k}, g.at(distance, {t, k}));
    const NodeId power = g.map(ScalarOp::Exp, {t, k}, {g.at(real, {t, k})});
    for (NodeId id : {distance, real, power}) g.node(id).domain = window;
    return power;
  }

  void sumWith(NodeId power) {
    const NodeId product = g.map(ScalarOp::Mul, {t, k}, {g.at(power, {t, k}), g.at(x, {k})});
    g.node(product).domain = window;
    const NodeId sum = g.reduce(ReduceKind::Sum, {t}, {bound}, window.rename({{k, bound}}),
                                g.at(product, {t, bound}));
    g.print("y", sum);
  }
};

TEST_F(SkewDomains, AWeightOfTheDifferenceHasOneValueForEachOfThem) {
  const NodeId power = weight(IndexExpr(k) - IndexExpr(t));
  sumWith(power);
  ASSERT_EQ(g.node(power).domain.count(), 30);
  const Notes notes = apply(skewDomains, g.graph());
  EXPECT_EQ(g.node(power).dims.size(), 1u);
  EXPECT_EQ(g.node(power).domain.count(), 3);
  EXPECT_EQ(text(notes), "3 nodes computed once for each difference of two indices\n");
}

TEST_F(SkewDomains, AWeightOfTheSumStays) {
  const NodeId power = weight(IndexExpr(0) - IndexExpr(k) - IndexExpr(t));
  sumWith(power);
  apply(skewDomains, g.graph());
  EXPECT_EQ(g.node(power).dims.size(), 2u);
}

TEST_F(SkewDomains, WhatReadsOneIndexByItselfStays) {
  const NodeId power = weight(IndexExpr(k) - IndexExpr(t));
  const NodeId product = g.map(ScalarOp::Mul, {t, k}, {g.at(power, {t, k}), g.at(x, {k})});
  g.node(product).domain = window;
  const NodeId sum = g.reduce(ReduceKind::Sum, {t}, {bound}, window.rename({{k, bound}}),
                              g.at(product, {t, bound}));
  g.print("y", sum);
  apply(skewDomains, g.graph());
  EXPECT_EQ(g.node(product).dims.size(), 2u);
}

}  // namespace
}  // namespace rlc::passes
