#include "compiler/pdg/recurrences.h"

#include <gtest/gtest.h>

#include "compiler/pdg/testing.h"

namespace rlc::pdg {
namespace {

using testing::GraphBuilder;

// G[t] = r[t] + G[t+1] for t in 0..10, through an unnamed sum.
struct Return {
  GraphBuilder g;
  Var b = g.index("b", 0, 4), t = g.index("t", 0, 10);
  NodeId r = g.draw(DrawKind::StandardNormal, "r", {b, t});
  NodeId value = g.declare("G", {b, t}, g.box({b, t}, {0, 0}, {4, 11}));
  NodeId sum = g.map(ScalarOp::Add, {b, t}, {g.at(r, {b, t}), g.at(value, {b, IndexExpr(t) + 1})});
  Return() {
    g.piece(value, g.box({b, t}, {0, 0}, {4, 10}), g.at(sum, {b, t}));
    g.piece(value, g.box({b, t}, {0, 10}, {4, 11}), g.at(g.constant(0.0)));
  }
};

TEST(Recurrences, SayWhichPointATensorReadsOfItself) {
  Return program;
  const auto found = recurrences(program.g.graph());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].node, program.value);
  EXPECT_EQ(found[0].along, program.t);
  EXPECT_EQ(found[0].reads, "`G[t]` reads `G[t + 1]`");
}

TEST(Recurrences, NameTheTensorsOnTheWay) {
  Return program;
  program.g.node(program.sum).name = "target";
  const auto found = recurrences(program.g.graph());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].reads, "`G[t]` reads `G[t + 1]`, through `target`");
  EXPECT_EQ(found[1].reads, "`target[t]` reads `target[t + 1]`, through `G`");
}

TEST(Recurrences, TensorsWithoutACycleHaveNone) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  g.draw(DrawKind::StandardNormal, "r", {t});
  EXPECT_TRUE(recurrences(g.graph()).empty());
}

TEST(Recurrences, LeavesShareARoot) {
  EXPECT_EQ(rootName("θ.net.layers.0.W"), "θ");
  EXPECT_EQ(rootName("∂loss/∂θ.net.c"), "∂loss/∂θ");
  EXPECT_EQ(rootName("s"), "s");
}

}  // namespace
}  // namespace rlc::pdg
