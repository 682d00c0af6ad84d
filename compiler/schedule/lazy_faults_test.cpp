#include "compiler/schedule/lazy_faults.h"

#include <gtest/gtest.h>

#include "compiler/pdg/testing.h"

namespace rlc::schedule {
namespace {

using pdg::NodeId;
using pdg::testing::GraphBuilder;
using polyhedral::Var;

// Integers x[t] and y[t] that are data, and what divides the one by the other.
struct Division {
  GraphBuilder g;
  Var t = g.index("t", 0, 10);
  NodeId x = g.cast(DType::I32, {t}, g.at(g.draw(pdg::DrawKind::Uniform01, "x", {t}), {t}));
  NodeId y = g.cast(DType::I32, {t}, g.at(g.draw(pdg::DrawKind::Uniform01, "y", {t}), {t}));
  NodeId ratio = of(ScalarOp::FloorDiv, x, y);

  NodeId of(ScalarOp op, NodeId a, NodeId b) {
    return g.map(op, {t}, {g.at(a, {t}), g.at(b, {t})});
  }
  // value where y is not 0, else x.
  NodeId chosen(NodeId value) {
    const NodeId condition =
        g.map(ScalarOp::Ne, {t}, {g.at(y, {t}), g.at(g.constant(0, DType::I32))});
    return g.map(ScalarOp::Select, {t}, {g.at(condition, {t}), g.at(value, {t}), g.at(x, {t})});
  }
  bool isAskedForUnderConditions(NodeId node) {
    return askedForUnderConditions(g.graph())[static_cast<size_t>(node)];
  }
};

TEST(LazyFaults, ASideOfAChoiceIsComputedThereWithWhatItIsComputedFrom) {
  Division d;
  const NodeId square = d.of(ScalarOp::Mul, d.ratio, d.ratio), choice = d.chosen(square);
  d.g.print("z", choice);
  EXPECT_TRUE(d.isAskedForUnderConditions(d.ratio));
  EXPECT_TRUE(d.isAskedForUnderConditions(square));
  EXPECT_FALSE(d.isAskedForUnderConditions(choice));
}

TEST(LazyFaults, WhatIsShownOrReadInAnyCaseHasAPlaceOfItsOwn) {
  Division shown;
  shown.g.print("z", shown.chosen(shown.ratio));
  shown.g.print("ratio", shown.ratio);
  EXPECT_FALSE(shown.isAskedForUnderConditions(shown.ratio));
  Division read;
  read.g.print("z", read.chosen(read.ratio));
  read.g.print("sum", read.of(ScalarOp::Add, read.ratio, read.x));
  EXPECT_FALSE(read.isAskedForUnderConditions(read.ratio));
}

TEST(LazyFaults, WhatNobodyShowsAsksForNothing) {
  Division d;
  d.g.print("z", d.chosen(d.ratio));
  d.of(ScalarOp::Add, d.ratio, d.x);
  EXPECT_TRUE(d.isAskedForUnderConditions(d.ratio));
}

TEST(LazyFaults, SumsAreComputedInAnyCase) {
  Division d;
  const Var k = d.g.range("k");
  const NodeId sum =
      d.g.reduce(pdg::ReduceKind::Sum, {}, {k}, d.g.box({k}, {0}, {10}), d.g.at(d.ratio, {k}));
  d.g.print("z", d.g.map(ScalarOp::Select, {d.t},
                         {d.g.at(d.chosen(d.x), {d.t}), d.g.at(sum), d.g.at(d.x, {d.t})}));
  EXPECT_FALSE(d.isAskedForUnderConditions(d.ratio));
}

TEST(LazyFaults, WhatWouldBeCopiedOverAndOverIsComputedOnce) {
  Division d;
  NodeId power = d.ratio;
  for (int k = 0; k < 5; ++k) power = d.of(ScalarOp::Mul, power, power);
  d.g.print("z", d.chosen(power));
  EXPECT_TRUE(d.isAskedForUnderConditions(power));
  EXPECT_FALSE(d.isAskedForUnderConditions(d.ratio));  // 32 times
}

TEST(LazyFaults, WhatTakesLongIsNotComputedAtMorePointsThanItHas) {
  for (const bool costly : {false, true}) {
    Division d;
    const Var i = d.g.index("i", 0, 10);
    const NodeId value = d.g.cast(DType::F32, {d.t}, d.g.at(d.ratio, {d.t}));
    const NodeId side =
        d.g.map(costly ? ScalarOp::Exp : ScalarOp::Neg, {d.t}, {d.g.at(value, {d.t})});
    const NodeId condition =
        d.g.map(ScalarOp::Lt, {i, d.t},
                {d.g.at(d.g.draw(pdg::DrawKind::Uniform01, "u", {i, d.t}), {i, d.t}),
                 d.g.at(d.g.constant(0.5))});
    d.g.print("z", d.g.map(ScalarOp::Select, {i, d.t},
                           {d.g.at(condition, {i, d.t}), d.g.at(side, {d.t}),
                            d.g.at(d.g.constant(0.0))}));
    EXPECT_EQ(d.isAskedForUnderConditions(side), !costly);
    EXPECT_EQ(d.isAskedForUnderConditions(d.ratio), !costly);
  }
}

}  // namespace
}  // namespace rlc::schedule
