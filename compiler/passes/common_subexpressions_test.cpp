#include "compiler/passes/common_subexpressions.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"
#include "compiler/pdg/printer.h"

namespace rlc::passes {
namespace {

using namespace testing;

struct CommonSubexpressions : ::testing::Test {
  GraphBuilder g;
  Var t = g.index("t", 0, 4), u = g.index("u", 0, 4), v = g.index("v", 0, 3);
  Var k = g.range("k"), l = g.range("l");
  NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {t});

  NodeId producer(size_t sink) {
    return std::get<Read>(g.graph().sinks()[sink].value.node).producer;
  }
};

TEST_F(CommonSubexpressions, EqualOperationsOnEqualReads) {
  const NodeId a = g.map(ScalarOp::Exp, {t}, {g.at(x, {t})});
  const NodeId b = g.map(ScalarOp::Exp, {t}, {g.at(x, {t})});
  const NodeId one = g.constant(1.0), other = g.constant(1.0);
  g.print("y", g.map(ScalarOp::Add, {t}, {g.at(a, {t}), g.at(one)}));
  g.print("z", g.map(ScalarOp::Add, {t}, {g.at(other), g.at(b, {t})}));
  apply(commonSubexpressions, g.graph());
  EXPECT_EQ(producer(0), producer(1));
}

TEST_F(CommonSubexpressions, NamesOfVariablesDoNotMatter) {
  auto sum = [&](Var dim, Var bound) {
    const pdg::Set range =
        g.where({dim, bound}, Condition::within(dim, 0, 4) && Condition::within(bound, dim, 4));
    return g.reduce(ReduceKind::Sum, {dim}, {bound}, range, g.at(x, {bound}));
  };
  g.print("y", sum(t, k));
  g.print("z", sum(u, l));
  apply(commonSubexpressions, g.graph());
  EXPECT_EQ(producer(0), producer(1));
  EXPECT_EQ(std::get<Read>(g.graph().sinks()[1].value.node).at[0], IndexExpr(u));
}

TEST_F(CommonSubexpressions, OtherRangesAreOtherSums) {
  auto sum = [&](int64_t hi) {
    return g.reduce(ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {hi}), g.at(x, {k}));
  };
  g.print("y", sum(4));
  g.print("z", sum(3));
  apply(commonSubexpressions, g.graph());
  EXPECT_NE(producer(0), producer(1));
}

TEST_F(CommonSubexpressions, MorePointsServeFewer) {
  const NodeId few = g.map(ScalarOp::Exp, {v}, {g.at(x, {v})});
  const NodeId fewer = g.map(ScalarOp::Neg, {v}, {g.at(few, {v})});
  const NodeId many = g.map(ScalarOp::Exp, {u}, {g.at(x, {u})});
  g.print("y", fewer);
  g.print("z", g.map(ScalarOp::Neg, {u}, {g.at(many, {u})}));
  apply(commonSubexpressions, g.graph());
  EXPECT_EQ(producer(0), producer(1));
  EXPECT_EQ(g.node(producer(0)).dims, std::vector<Var>{u});
}

TEST_F(CommonSubexpressions, DrawsOfDifferentStreamsStayApart) {
  const NodeId y = g.draw(pdg::DrawKind::Uniform01, "y", {t});
  g.print("x", x);
  g.print("y", y);
  apply(commonSubexpressions, g.graph());
  EXPECT_NE(producer(0), producer(1));
}

TEST_F(CommonSubexpressions, TheLossReusesWhatTheRolloutComputed) {
  // Through a detached value, an alias and an index that the loss names otherwise.
  const NodeId rollout = g.map(ScalarOp::Tanh, {t}, {g.at(x, {t})});
  const NodeId seen =
      g.add("", {u}, g.declared({u}), DType::F32, {}, pdg::Detach{}, {g.at(x, {u})});
  const NodeId state = g.declare("state", {v, u}, g.declared({v, u}));
  g.piece(state, g.declared({v, u}), g.at(seen, {u}));
  const NodeId loss = g.map(ScalarOp::Tanh, {v, u}, {g.at(state, {v, u})});
  g.print("a", g.map(ScalarOp::Exp, {t}, {g.at(rollout, {t})}));
  g.print("b", g.map(ScalarOp::Neg, {v, u}, {g.at(loss, {v, u})}));
  runPasses(g.graph(), {.disabled = {}, .verifyEach = true, .observer = {}});
  int count = 0;
  for (const pdg::Node& node : g.graph().nodes())
    if (const auto* map = std::get_if<pdg::Map>(&node.op)) count += map->op == ScalarOp::Tanh;
  EXPECT_EQ(count, 1) << pdg::print(g.graph());
}

TEST_F(CommonSubexpressions, WhatReadsOtherWeightsSaysSo) {
  const NodeId w = g.draw(pdg::DrawKind::StandardNormal, "w", {t}, {}, {64, 64});
  const auto layer = [&](const std::string& name, Var dim, const IndexExpr& at) {
    const IndexExpr e0 = Var::element(0);
    const NodeId product = g.map(ScalarOp::Mul, {dim}, {g.at(w, {at}), g.at(x, {dim})}, {64, 64});
    const NodeId sum = g.reduce(ReduceKind::Sum, {dim}, {k}, g.box({dim, k}, {0, 0}, {4, 64}),
                                g.at(product, {dim}, {e0, k}), {64});
    g.node(sum).name = name;
    g.print(name, sum);
  };
  layer("rollout", t, 0);
  layer("loss", u, u);
  EXPECT_EQ(text(apply(commonSubexpressions, g.graph())),
            "not: `loss` does not reuse `rollout`, which computes the same of the same tensors: it "
            "reads `w` at `[u]`, not at `[0]`\n");
}

TEST_F(CommonSubexpressions, ANamedValueSaysWhereItIsComputed) {
  const NodeId a = g.map(ScalarOp::Exp, {t}, {g.at(x, {t})});
  const NodeId b = g.map(ScalarOp::Exp, {t}, {g.at(x, {t})});
  g.node(a).name = "rollout";
  g.node(b).name = "loss";
  g.print("y", a);
  g.print("z", b);
  const Notes notes = apply(commonSubexpressions, g.graph());
  EXPECT_EQ(text(notes),
            "`loss` is `rollout`: the same operation on the same values\n"
            "1 node computed elsewhere already\n");
}

}  // namespace
}  // namespace rlc::passes
