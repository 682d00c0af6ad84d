#include "compiler/pdg/printer.h"

#include <gtest/gtest.h>

#include "compiler/pdg/testing.h"

namespace rlc::pdg {
namespace {

using testing::GraphBuilder;

TEST(Printer, ARecurrenceReadsAsItsEquations) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 11);
  const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {11}));
  const NodeId half = g.add("", {t}, g.box({t}, {1}, {11}), DType::F32, {}, Map{ScalarOp::Mul},
                            {g.at(x, {IndexExpr(t) - 1}), g.at(g.constant(0.5))});
  g.piece(x, g.box({t}, {0}, {1}), g.at(g.constant(1.0)));
  g.piece(x, g.box({t}, {1}, {11}), g.at(half, {t}));
  const std::string text = print(g.graph());
  EXPECT_NE(text.find("x[t] : f32"), std::string::npos) << text;
  EXPECT_NE(text.find("mul x[t - 1], 0.5"), std::string::npos) << text;
  EXPECT_NE(text.find("where t == 0: 1"), std::string::npos) << text;
}

TEST(Printer, AGatherShowsTheTensorThatSubscripts) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  const NodeId j = g.draw(DrawKind::Permutation, "j", {t}, {}, {IndexExpr(3)});
  const NodeId table = g.add("obs", {t}, g.declared({t}), DType::F32, {}, Draw{}, {});
  const auto lo = std::make_shared<const IndexExpr>(0), hi = std::make_shared<const IndexExpr>(3);
  const NodeId gather = g.add("y", {t}, g.declared({t}), DType::F32, {IndexExpr(3)}, Detach{},
                              {g.at(table, {IndexExpr::value(1, lo, hi)}), g.at(j, {t})});
  EXPECT_NE(Printer(g.graph()).node(gather).find("detach obs[j[t]]"), std::string::npos)
      << Printer(g.graph()).node(gather);
}

TEST(Printer, ElementsShowWhereTheyAreNotTheConsumersOwn) {
  GraphBuilder g;
  const NodeId m =
      g.add("m", {}, g.declared({}), DType::F32, {IndexExpr(2), IndexExpr(3)}, Draw{}, {});
  const NodeId transposed = g.add("n", {}, g.declared({}), DType::F32, {IndexExpr(3), IndexExpr(2)},
                                  Detach{}, {g.at(m, {}, {Var::element(1), Var::element(0)})});
  EXPECT_NE(Printer(g.graph()).node(transposed).find("detach m[e1, e0]"), std::string::npos);
}

TEST(Printer, NumbersHaveTheFewestDigits) {
  EXPECT_EQ(printScalar(Scalar::ofFloat(DType::F32, 0.1)), "0.1");
  EXPECT_EQ(printScalar(Scalar::ofFloat(DType::F64, 0.1)), "0.1");
  EXPECT_EQ(printScalar(Scalar::ofInt(DType::Bool, 1)), "true");
}

}  // namespace
}  // namespace rlc::pdg
