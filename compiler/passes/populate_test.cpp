#include "compiler/passes/populate.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"
#include "compiler/pdg/verifier.h"

namespace rlc::passes {
namespace {

using namespace testing;

TEST(Populate, ReachesWhatDependsOnADrawAndNothingElse) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 3);
  const NodeId noise = g.draw(pdg::DrawKind::StandardNormal, "noise", {t});
  const NodeId two = g.constant(2.0);
  const NodeId fixed = g.map(ScalarOp::Add, {}, {g.at(two), g.at(two)});
  const NodeId scaled = g.map(ScalarOp::Mul, {t}, {g.at(noise, {t}), g.at(fixed)});
  g.print("fixed", fixed);
  g.print("scaled", scaled);
  const Shown before = shown(g.graph());
  ASSERT_TRUE(populate(g.graph(), "seed", 5, 7));
  pdg::verifyOrThrow(g.graph(), "after populate");
  const Shown after = shown(g.graph());
  EXPECT_EQ(before.size(), 1U + 3U);
  EXPECT_EQ(after.size(), 1U + 2U * 3U);
  EXPECT_EQ(after.at("0 fixed[]"), before.at("0 fixed[]"));
  EXPECT_NE(after.at("1 scaled[seed=5 t=1 ]"), after.at("1 scaled[seed=6 t=1 ]"));
}

TEST(Populate, LeavesAProgramWithoutDrawsAlone) {
  GraphBuilder g;
  g.print("one", g.constant(1.0));
  const int dims = g.graph().dimCount();
  EXPECT_FALSE(populate(g.graph(), "seed", 0, 4));
  EXPECT_EQ(g.graph().dimCount(), dims);
}

}  // namespace
}  // namespace rlc::passes
