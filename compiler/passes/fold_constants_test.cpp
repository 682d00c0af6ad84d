#include "compiler/passes/fold_constants.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"
#include "compiler/pdg/printer.h"
#include "compiler/pdg/shape.h"

namespace rlc::passes {
namespace {

using namespace testing;

// What the first sink reads.
const pdg::Node& result(const pdg::Graph& graph) {
  return graph.node(std::get<pdg::Read>(graph.sinks()[0].value.node).producer);
}

double value(const pdg::Graph& graph) {
  auto splat = pdg::splatValue(result(graph));
  EXPECT_TRUE(splat) << pdg::print(graph);
  return splat ? splat->asDouble() : -1;
}

TEST(FoldConstants, ComputesInTheTypeOfTheOperation) {
  GraphBuilder g;
  const NodeId a = g.constant(2147483647, DType::I32), one = g.constant(1, DType::I32);
  g.print("wraps", g.map(ScalarOp::Add, {}, {g.at(a), g.at(one)}));
  apply(foldConstants, g.graph());
  EXPECT_EQ(value(g.graph()), -2147483648.0);
}

TEST(FoldConstants, FloatsRoundToTheirPrecision) {
  GraphBuilder g;
  const NodeId sum =
      g.map(ScalarOp::Add, {}, {g.at(g.constant(16777216.0)), g.at(g.constant(1.0))});
  g.print("sum", g.map(ScalarOp::Sqrt, {}, {g.at(sum)}));
  apply(foldConstants, g.graph());
  EXPECT_EQ(value(g.graph()), 4096.0);
}

TEST(FoldConstants, LeavesFaultsToTheRun) {
  GraphBuilder g;
  const NodeId zero = g.constant(0, DType::I32);
  const NodeId quotient =
      g.map(ScalarOp::FloorDiv, {}, {g.at(g.constant(1, DType::I32)), g.at(zero)});
  g.print("x", quotient);
  Notes notes;
  foldConstants(g.graph(), notes);
  EXPECT_EQ(result(g.graph()).id, quotient);
}

TEST(FoldConstants, ASelectionWithAKnownConditionIsItsChoice) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 3);
  const NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {t});
  const NodeId yes = g.constant(1, DType::Bool);
  const NodeId y = g.map(ScalarOp::Select, {t}, {g.at(yes), g.at(x, {t}), g.at(g.constant(0.0))});
  g.print("y", y);
  apply(foldConstants, g.graph());
  EXPECT_EQ(result(g.graph()).id, x);
}

TEST(FoldConstants, APieceWithoutPointsGoes) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 3);
  const NodeId x = g.declare("x", {t}, g.declared({t}));
  g.piece(x, g.box({t}, {0}, {0}), g.at(g.constant(1.0)));
  g.piece(x, g.box({t}, {0}, {3}), g.at(g.constant(2.0)));
  g.print("x", x);
  apply(foldConstants, g.graph());
  EXPECT_EQ(std::get<pdg::Merge>(g.node(x).op).pieces.size(), 1u);
}

TEST(FoldConstants, EqualPiecesAreOneValue) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 3);
  const NodeId one = g.constant(1.0), x = g.declare("x", {t}, g.declared({t}));
  g.piece(x, g.box({t}, {0}, {1}), g.at(one));
  g.piece(x, g.box({t}, {1}, {3}), g.at(one));
  g.print("x", x);
  apply(foldConstants, g.graph());
  EXPECT_EQ(result(g.graph()).id, one);
}

TEST(FoldConstants, LiteralTensorsElementByElement) {
  GraphBuilder g;
  const NodeId row = g.constant({1, 2, 3}, DType::F32, {3});
  const NodeId table =
      g.map(ScalarOp::Mul, {}, {g.at(row, {}, {Var::element(0)}), g.at(row, {}, {Var::element(1)})},
            {3, 3});
  g.print("table", table);
  apply(foldConstants, g.graph());
  const auto& constant = std::get<pdg::Constant>(result(g.graph()).op).value;
  EXPECT_EQ(constant.elements[5].f, 6.0);
}

TEST(FoldConstants, AGatherByAnIndexIsASubscript) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  const NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {t});
  const NodeId j = g.indexValue({t}, IndexExpr(3) - t);
  const auto lo = std::make_shared<const IndexExpr>(0), hi = std::make_shared<const IndexExpr>(4);
  const NodeId y = g.add("y", {t}, g.declared({t}), DType::F32, {}, pdg::Map{ScalarOp::Neg},
                         {g.at(x, {IndexExpr::value(1, lo, hi)}), g.at(j, {t})});
  g.print("y", y);
  apply(foldConstants, g.graph());
  EXPECT_EQ(g.node(y).inputs.size(), 1u);
  EXPECT_EQ(g.node(y).inputs[0].at[0], IndexExpr(3) - t);
}

TEST(FoldConstants, SumsOfNothingAndOfZeros) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4), k = g.range("k");
  const NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {t});
  const NodeId none = g.reduce(ReduceKind::Prod, {}, {k}, g.box({k}, {0}, {0}), g.at(x, {k}));
  const NodeId zeros =
      g.reduce(ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {4}), g.at(g.constant(0.0)));
  g.print("y", g.map(ScalarOp::Add, {}, {g.at(none), g.at(zeros)}));
  apply(foldConstants, g.graph());
  EXPECT_EQ(value(g.graph()), 1.0);
}

TEST(FoldConstants, SumsOfAConstant) {
  GraphBuilder g;
  const Var k = g.range("k"), l = g.range("l");
  const NodeId sum = g.reduce(ReduceKind::Sum, {}, {k, l}, g.box({k, l}, {0, 2}, {1000, 9}),
                              g.at(g.constant(0.5)));
  g.print("y", g.map(ScalarOp::Add, {}, {g.at(sum), g.at(g.constant(1.0))}));
  apply(foldConstants, g.graph());
  EXPECT_EQ(value(g.graph()), 3501.0);
}

// As many points as can't be counted are no number to multiply by.
TEST(FoldConstants, KeepsSumsOfMorePointsThanAreCounted) {
  GraphBuilder g;
  const Var i = g.range("i"), j = g.range("j"), k = g.range("k"), l = g.range("l");
  const int64_t many = 4'000'000'000;
  const NodeId sum = g.reduce(ReduceKind::Sum, {}, {i, j, k, l},
                              g.box({i, j, k, l}, {0, 0, 0, 0}, {10, IndexExpr(i) + 1, many, many}),
                              g.at(g.constant(1.0)));
  g.print("y", sum);
  Notes notes;
  foldConstants(g.graph(), notes);  // which the interpreter could not run
  EXPECT_FALSE(pdg::splatValue(result(g.graph())));
}

}  // namespace
}  // namespace rlc::passes
