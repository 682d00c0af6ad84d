#include "compiler/schedule/execution.h"

#include <gtest/gtest.h>

#include "compiler/schedule/testing.h"

namespace rlc::schedule {
namespace {

using pdg::NodeId;
using pdg::ReduceKind;
using pdg::testing::GraphBuilder;
using testing::plan;
using testing::Planned;

// Agents with a state of `width` numbers each, which a matrix of their own moves on.
Planned movedByMatrices(int64_t agents, int64_t width, LaneKind lanes = LaneKind::Vectors) {
  GraphBuilder g;
  const Var b = g.index("b", 0, agents), t = g.index("t", 0, 1000);
  const Var j = g.range("j");
  const IndexExpr row(Var::element(0));
  const NodeId w = g.draw(pdg::DrawKind::Uniform01, "w", {b}, {}, {width, width});
  const NodeId x =
      g.declare("x", {b, t}, g.box({b, t}, {0, 0}, {agents, 1001}), DType::F32, {width});
  g.piece(x, g.box({b, t}, {0, 0}, {agents, 1}),
          g.at(g.draw(pdg::DrawKind::Uniform01, "x", {b}, {}, {width}), {b}));
  const NodeId product = g.add(
      "product", {b, t, j}, g.box({b, t, j}, {0, 0, 0}, {agents, 1000, width}), DType::F32, {width},
      pdg::Map{ScalarOp::Mul}, {g.at(w, {b}, {row, j}), g.at(x, {b, t}, {IndexExpr(j)})});
  const NodeId moved =
      g.reduce(ReduceKind::Sum, {b, t}, {j}, g.box({b, t, j}, {0, 0, 0}, {agents, 1000, width}),
               g.at(product, {b, t, j}), {width});
  g.piece(x, g.box({b, t}, {0, 1}, {agents, 1001}), g.at(moved, {b, IndexExpr(t) - 1}));
  g.print("x", x);
  return plan(g, lanes);
}

// A register that few agents share is mostly empty where each has wide elements of its own; a GPU's
// threads are as good as lanes, and scalars leave no other lanes.
TEST(Execution, FewAgentsOfManyElementsEachHaveWholeRegisters) {
  const Planned few = movedByMatrices(4, 64);
  EXPECT_NE(few.text.find("threads for b in 0..4\n"), std::string::npos) << few.text;
  const Planned many = movedByMatrices(16, 64);
  EXPECT_NE(many.text.find("lanes for b in 0..16\n"), std::string::npos) << many.text;
  const Planned narrow = movedByMatrices(4, 8);
  EXPECT_NE(narrow.text.find("lanes for b in 0..4\n"), std::string::npos) << narrow.text;
  const Planned onGpu = movedByMatrices(4, 64, LaneKind::Threads);
  EXPECT_NE(onGpu.text.find("lanes for b in 0..4\n"), std::string::npos) << onGpu.text;
}

}  // namespace
}  // namespace rlc::schedule
