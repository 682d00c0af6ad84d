#include "compiler/pdg/traversal.h"

#include <gtest/gtest.h>

#include "compiler/pdg/testing.h"

namespace rlc::pdg {
namespace {

using testing::GraphBuilder;

// x[0] = 1, x[t] = 0.5 * x[t-1]; y = x + x
struct Decay {
  GraphBuilder g;
  Var t = g.index("t", 0, 11);
  NodeId one = g.constant(1.0);
  NodeId x = g.declare("x", {t}, g.box({t}, {0}, {11}));
  NodeId half = g.add("", {t}, g.box({t}, {1}, {11}), DType::F32, {}, Map{ScalarOp::Mul},
                      {g.at(x, {IndexExpr(t) - 1}), g.at(g.constant(0.5))});
  NodeId y = g.map(ScalarOp::Add, {t}, {g.at(x, {t}), g.at(x, {t})});
  Decay() {
    g.piece(x, g.box({t}, {0}, {1}), g.at(one));
    g.piece(x, g.box({t}, {1}, {11}), g.at(half, {t}));
  }
};

TEST(Traversal, UsersAreListedOnce) {
  Decay d;
  EXPECT_EQ(users(d.g.graph())[static_cast<size_t>(d.x)], (std::vector<NodeId>{d.half, d.y}));
}

TEST(Traversal, ComponentsComeProducersFirst) {
  Decay d;
  const auto order = components(d.g.graph());
  auto position = [&](NodeId id) {
    for (size_t i = 0; i < order.size(); ++i)
      for (NodeId member : order[i])
        if (member == id) return i;
    return order.size();
  };
  EXPECT_LT(position(d.one), position(d.x));
  EXPECT_EQ(position(d.x), position(d.half));
  EXPECT_LT(position(d.x), position(d.y));
}

TEST(Traversal, OnlyCyclesAreRecurrent) {
  Decay d;
  const auto cyclic = recurrent(d.g.graph());
  EXPECT_TRUE(cyclic[static_cast<size_t>(d.x)]);
  EXPECT_TRUE(cyclic[static_cast<size_t>(d.half)]);
  EXPECT_FALSE(cyclic[static_cast<size_t>(d.y)]);
}

TEST(Traversal, SinksReachWhatTheyNeed) {
  Decay d;
  d.g.print("x", d.x);
  const auto live = reachable(d.g.graph(), sinkRoots(d.g.graph()));
  EXPECT_TRUE(live[static_cast<size_t>(d.half)]);
  EXPECT_FALSE(live[static_cast<size_t>(d.y)]);
}

TEST(Traversal, UnnamedNodesAreCalledAfterTheirReader) {
  Decay d;
  const auto names = displayNames(d.g.graph());
  EXPECT_EQ(names[static_cast<size_t>(d.half)], "x");
  EXPECT_EQ(names[static_cast<size_t>(d.y)], "");
}

TEST(Traversal, ALongChainDoesNotOverflowTheStack) {
  GraphBuilder g;
  NodeId last = g.constant(1.0);
  for (int i = 0; i < 20000; ++i)
    last = g.add("", {}, g.node(last).domain, DType::F32, {}, Detach{}, {g.at(last)});
  EXPECT_EQ(components(g.graph()).size(), 20001u);
}

}  // namespace
}  // namespace rlc::pdg
