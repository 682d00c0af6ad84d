#include "compiler/passes/dead_code.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"

namespace rlc::passes {
namespace {

using namespace testing;

TEST(DeadCode, KeepsWhatSinksReadAndNumbersItAnew) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  const NodeId unread = g.constant(5.0);
  g.map(ScalarOp::Exp, {}, {g.at(unread)});
  const NodeId one = g.constant(1.0);
  const NodeId x = g.map(ScalarOp::Add, {t}, {g.at(one), g.at(one)});
  g.print("x", x);
  const Notes notes = apply(deadCode, g.graph());
  EXPECT_EQ(g.graph().size(), 2);
  EXPECT_EQ(text(notes), "2 nodes removed\n");
}

TEST(DeadCode, ADeadRecurrenceIsNoReasonToKeepItself) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  const NodeId x = g.declare("x", {t}, g.declared({t}));
  g.piece(x, g.box({t}, {0}, {1}), g.at(g.constant(1.0)));
  g.piece(x, g.box({t}, {1}, {4}), g.at(x, {IndexExpr(t) - 1}));
  g.print("one", g.constant(1.0));
  apply(deadCode, g.graph());
  EXPECT_EQ(g.graph().size(), 1);
}

TEST(DeadCode, KeepsTheEndOfAnIndex) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  g.graph().dim(t).end = g.constant(3, DType::I32);
  g.print("one", g.constant(1.0));
  apply(deadCode, g.graph());
  EXPECT_EQ(g.graph().size(), 2);
  EXPECT_EQ(g.graph().dim(t).end, 0);
}

}  // namespace
}  // namespace rlc::passes
