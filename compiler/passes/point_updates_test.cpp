#include "compiler/passes/point_updates.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"

namespace rlc::passes {
namespace {

using namespace testing;

// Q[0, s] = 1, Q[t+1, s] = select(condition, value, Q[t, s]).
struct PointUpdates : ::testing::Test {
  GraphBuilder g;
  Var t = g.index("t", 0, 6), s = g.index("s", 0, 5);
  NodeId position = g.indexValue({s}, s);
  NodeId drawn = g.draw(pdg::DrawKind::UniformInt, "k", {t},
                        {g.at(g.constant(0, DType::I32)), g.at(g.constant(7, DType::I32))});
  NodeId table = g.declare("Q", {t, s}, g.box({t, s}, {0, 0}, {7, 5}));
  Read before = g.at(table, {t, s});
  Read more = g.at(g.map(ScalarOp::Add, {t, s}, {before, g.at(g.constant(10.0))}), {t, s});

  NodeId compare(ScalarOp op, Read right) {
    return g.map(op, {t, s}, {g.at(position, {s}), std::move(right)});
  }
  NodeId isDrawn() { return compare(ScalarOp::Eq, g.at(drawn, {t})); }
  Read here(NodeId id) { return g.at(id, {t, s}); }

  Notes run(const Read& condition, const Read& value, const Read& otherwise) {
    const NodeId choice = g.map(ScalarOp::Select, {t, s}, {condition, value, otherwise});
    g.piece(table, g.box({t, s}, {0, 0}, {1, 5}), g.at(g.constant(1.0)));
    g.piece(table, g.box({t, s}, {1, 0}, {7, 5}), g.at(choice, {IndexExpr(t) - 1, s}));
    g.print("Q", table);
    return apply(pointUpdates, g.graph());
  }
  int updates() { return countOf(g.graph(), "point update"); }
};

TEST_F(PointUpdates, AChoiceByOnePositionChangesThere) {
  const Notes notes = run(here(isDrawn()), more, before);
  EXPECT_EQ(updates(), 1);
  EXPECT_EQ(countOf(g.graph(), "merge"), 1);
  EXPECT_EQ(text(notes), "`Q` changes in one position along s\n");
}

TEST_F(PointUpdates, TheChoiceMayBeTheOtherWayRound) {
  run(here(compare(ScalarOp::Ne, g.at(drawn, {t}))), before, more);
  EXPECT_EQ(updates(), 1);
}

TEST_F(PointUpdates, TheRestOfTheConditionDecidesAboutTheValue) {
  const NodeId early =
      g.map(ScalarOp::Lt, {t}, {g.at(g.indexValue({t}, t), {t}), g.at(g.constant(4, DType::I32))});
  const NodeId both = g.map(ScalarOp::And, {t, s}, {g.at(early, {t}), here(isDrawn())});
  run(here(both), more, before);
  EXPECT_EQ(updates(), 1);
}

TEST_F(PointUpdates, ADistanceBetweenPositionAndValueIsInTheKey) {
  const NodeId next = g.indexValue({s}, IndexExpr(s) + 1);
  run(here(g.map(ScalarOp::Eq, {t, s}, {g.at(next, {s}), g.at(drawn, {t})})), more, before);
  EXPECT_EQ(updates(), 1);
}

TEST_F(PointUpdates, APositionThatVariesIsNone) {
  const NodeId each = g.draw(pdg::DrawKind::UniformInt, "each", {t, s},
                             {g.at(g.constant(0, DType::I32)), g.at(g.constant(7, DType::I32))});
  const Notes notes = run(here(compare(ScalarOp::Eq, here(each))), more, before);
  EXPECT_EQ(updates(), 0);
  EXPECT_EQ(text(notes),
            "not: `Q` is computed at all positions at each step: s is compared with a value that "
            "varies along it\n");
}

TEST_F(PointUpdates, WhatMayFaultElsewhereStaysWhereItIs) {
  const NodeId quotient = g.map(ScalarOp::FloorDiv, {t}, {g.at(drawn, {t}), g.at(drawn, {t})});
  const NodeId asked =
      g.map(ScalarOp::Eq, {t}, {g.at(quotient, {t}), g.at(g.constant(1, DType::I32))});
  const NodeId choice = g.map(
      ScalarOp::Select, {t, s},
      {here(g.map(ScalarOp::And, {t, s}, {g.at(asked, {t}), here(isDrawn())})), more, before});
  g.piece(table, g.box({t, s}, {0, 0}, {1, 5}), g.at(g.constant(1.0)));
  g.piece(table, g.box({t, s}, {1, 0}, {7, 5}), g.at(choice, {IndexExpr(t) - 1, s}));
  Notes notes;  // it would fault here: 0 // 0
  pointUpdates(g.graph(), notes);
  EXPECT_EQ(updates(), 0);
}

TEST_F(PointUpdates, OtherElementsOfTheTableMayNotMove) {
  const NodeId moved = g.map(ScalarOp::Mul, {t, s}, {before, g.at(g.constant(0.5))});
  run(here(isDrawn()), more, here(moved));
  EXPECT_EQ(updates(), 0);
}

}  // namespace
}  // namespace rlc::passes
