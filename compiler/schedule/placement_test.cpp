#include "compiler/schedule/placement.h"

#include <gtest/gtest.h>

#include "compiler/pdg/testing.h"

namespace rlc::schedule {
namespace {

using pdg::NodeId;
using pdg::testing::GraphBuilder;
using polyhedral::Var;

TEST(Placement, LogitsAreStoredForTheDrawThatGoesOverThemThreeTimes) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10), category = g.range("k"), element = Var::element(0);
  const NodeId x = g.draw(pdg::DrawKind::StandardNormal, "x", {t}, {}, {3});
  const NodeId logits = g.map(ScalarOp::Exp, {t}, {g.at(x, {t}, {element})}, {3});
  const NodeId drawn =
      g.draw(pdg::DrawKind::Categorical, "a", {t}, {g.at(logits, {t}, {category})});
  std::get<pdg::Draw>(g.node(drawn).op).category = category;
  std::get<pdg::Draw>(g.node(drawn).op).categories = 3;
  g.print("a", drawn);
  const NodeId once = g.map(ScalarOp::Exp, {t}, {g.at(x, {t}, {element})}, {3});
  const NodeId next = g.map(ScalarOp::Sin, {t}, {g.at(once, {t}, {element})}, {3});
  g.print("b", next);
  const auto placement = placeNodes(g.graph()).placement;
  EXPECT_EQ(placement[static_cast<size_t>(logits)], Placement::Stored);
  EXPECT_EQ(placement[static_cast<size_t>(once)], Placement::Inline);
}

}  // namespace
}  // namespace rlc::schedule
