#include "compiler/passes/kept_values.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"

namespace rlc::passes {
namespace {

using namespace testing;

// m[i] = M[i] + 1 of `size` elements, M[0] = 0, M[i+1] = m[i], and something that reads m.
struct KeptValues : ::testing::Test {
  GraphBuilder g;
  Var i = g.index("i", 0, 6);

  struct Kept {
    NodeId owner, value;
  };
  Kept keep(int64_t size, int64_t until = 7) {
    const std::vector<IndexExpr> shape{IndexExpr(size)};
    const IndexExpr e(Var::element(0));
    const NodeId owner = g.declare("M", {i}, g.box({i}, {0}, {until}), DType::F32, shape);
    const NodeId value =
        g.map(ScalarOp::Add, {i}, {g.at(owner, {i}, {e}), g.at(g.constant(1.0))}, shape);
    g.node(value).name = "m";
    g.piece(owner, g.box({i}, {0}, {1}), g.at(g.constant(0.0)));
    g.piece(owner, g.box({i}, {1}, {until}), g.at(value, {IndexExpr(i) - 1}, {e}));
    return {owner, value};
  }
  NodeId twice(const Read& read, int64_t size) {
    const NodeId result =
        g.map(ScalarOp::Mul, {i}, {read, g.at(g.constant(2.0))}, {IndexExpr(size)});
    g.node(result).name = "w";
    return result;
  }
  bool reads(NodeId consumer, NodeId producer) {
    for (const Read& read : g.node(consumer).inputs)
      if (read.producer == producer) return true;
    return false;
  }
};

TEST_F(KeptValues, AreReadWhereTheyAreKept) {
  const Kept kept = keep(100);
  const NodeId w = twice(g.at(kept.value, {i}, {Var::element(0)}), 100);
  g.print("w", w);
  g.print("M", kept.owner);
  EXPECT_EQ(text(apply(keptValues, g.graph())), "`m` is kept as `M` and read there\n");
  EXPECT_FALSE(reads(w, kept.value));
  ASSERT_TRUE(reads(w, kept.owner));
  EXPECT_EQ(g.node(w).inputs[0].at[0], IndexExpr(i) + 1);
}

TEST_F(KeptValues, SmallOnesMayBeCopied) {
  const Kept kept = keep(4);
  g.print("w", twice(g.at(kept.value, {i}, {Var::element(0)}), 4));
  EXPECT_EQ(text(apply(keptValues, g.graph())), "");
}

// The last point of m is not among those of M.
TEST_F(KeptValues, APointThatIsNotKeptKeepsAllOfThem) {
  const Kept kept = keep(100, 6);
  const NodeId w = twice(g.at(kept.value, {i}, {Var::element(0)}), 100);
  g.print("w", w);
  EXPECT_EQ(text(apply(keptValues, g.graph())), "");
  EXPECT_TRUE(reads(w, kept.value));
}

TEST_F(KeptValues, WhatIsShownStays) {
  const Kept kept = keep(100);
  g.print("w", twice(g.at(kept.value, {i}, {Var::element(0)}), 100));
  g.print("m", kept.value);
  EXPECT_EQ(text(apply(keptValues, g.graph())), "");
}

}  // namespace
}  // namespace rlc::passes
