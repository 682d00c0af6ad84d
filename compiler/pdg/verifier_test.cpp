#include "compiler/pdg/verifier.h"

#include <gtest/gtest.h>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/testing.h"

namespace rlc::pdg {
namespace {

using testing::GraphBuilder;

bool complains(GraphBuilder& g, const std::string& words) {
  for (const std::string& message : verify(g.graph()))
    if (message.find(words) != std::string::npos) return true;
  return false;
}

struct Recurrence {
  GraphBuilder g;
  Var t = g.index("t", 0, 11);
  NodeId x = g.declare("x", {t}, g.box({t}, {0}, {11}));
  NodeId half = g.add("", {t}, g.box({t}, {1}, {11}), DType::F32, {}, Map{ScalarOp::Mul},
                      {g.at(x, {IndexExpr(t) - 1}), g.at(g.constant(0.5))});
};

TEST(Verifier, ASoundRecurrenceHasNothingToReport) {
  Recurrence r;
  r.g.piece(r.x, r.g.box({r.t}, {0}, {1}), r.g.at(r.g.constant(1.0)));
  r.g.piece(r.x, r.g.box({r.t}, {1}, {11}), r.g.at(r.half, {r.t}));
  EXPECT_EQ(verify(r.g.graph()), std::vector<std::string>{});
}

TEST(Verifier, AMissingPieceIsFound) {
  Recurrence r;
  r.g.piece(r.x, r.g.box({r.t}, {1}, {11}), r.g.at(r.half, {r.t}));
  EXPECT_TRUE(complains(r.g, "lacks a piece at t=0"));
}

TEST(Verifier, ADoubleDefinitionIsFound) {
  Recurrence r;
  r.g.piece(r.x, r.g.box({r.t}, {0}, {2}), r.g.at(r.g.constant(1.0)));
  r.g.piece(r.x, r.g.box({r.t}, {1}, {11}), r.g.at(r.half, {r.t}));
  EXPECT_TRUE(complains(r.g, "is defined twice at t=1"));
}

TEST(Verifier, AReadOutsideTheDomainIsFound) {
  Recurrence r;
  r.g.piece(r.x, r.g.box({r.t}, {0}, {1}), r.g.at(r.g.constant(1.0)));
  r.g.piece(r.x, r.g.box({r.t}, {1}, {11}), r.g.at(r.half, {IndexExpr(r.t) - 1}));
  EXPECT_TRUE(complains(r.g, "which is not defined at (0)"));
}

TEST(Verifier, AReductionReadsItsWholeRange) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10), k = g.range("k");
  const NodeId r = g.draw(DrawKind::Uniform01, "r", {t});
  g.reduce(ReduceKind::Sum, {t}, {k}, g.box({t, k}, {0, t}, {10, IndexExpr(t) + 2}), g.at(r, {k}));
  EXPECT_TRUE(complains(g, "which is not defined at (10)"));
}

TEST(Verifier, AnElementOutsideTheShapeIsFound) {
  GraphBuilder g;
  const NodeId v = g.constant({1, 2, 3}, DType::F32, {3});
  g.add("", {}, g.declared({}), DType::F32, {IndexExpr(3)}, Detach{},
        {g.at(v, {}, {IndexExpr(Var::element(0)) + 1})});
  EXPECT_TRUE(complains(g, "which is not defined at (3)"));
}

TEST(Verifier, AGatherMustStayWithinItsProvenRange) {
  GraphBuilder g;
  const NodeId v = g.constant({1, 2, 3}, DType::F32, {3});
  const NodeId j = g.constant(1, DType::I32);
  const auto lo = std::make_shared<const IndexExpr>(0), hi = std::make_shared<const IndexExpr>(4);
  const NodeId gather = g.add("", {}, g.declared({}), DType::F32, {}, Detach{},
                              {g.at(v, {}, {IndexExpr::value(1, lo, hi)}), g.at(j)});
  EXPECT_TRUE(complains(g, "which is not defined at (3)"));
  g.node(gather).inputs[0].element[0] = IndexExpr::value(1, nullptr, nullptr);
  EXPECT_EQ(verify(g.graph()), std::vector<std::string>{});
}

TEST(Verifier, OperandTypesMustAgree) {
  GraphBuilder g;
  g.map(ScalarOp::Add, {}, {g.at(g.constant(1.0)), g.at(g.constant(1.0, DType::F64))});
  EXPECT_TRUE(complains(g, "is f32 but its operand 1 is f64"));
}

TEST(Verifier, AValueSubscriptMustBeAnInteger) {
  GraphBuilder g;
  const NodeId v = g.constant({1, 2, 3}, DType::F32, {3});
  g.add("", {}, g.declared({}), DType::F32, {}, Detach{},
        {g.at(v, {}, {IndexExpr::value(1, nullptr, nullptr)}), g.at(g.constant(1.0))});
  EXPECT_TRUE(complains(g, "not an integer"));
}

TEST(Verifier, AVariableOutOfScopeIsFound) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4), u = g.index("u", 0, 4);
  const NodeId r = g.draw(DrawKind::Uniform01, "r", {t});
  g.map(ScalarOp::Neg, {t}, {g.at(r, {u})});
  EXPECT_TRUE(complains(g, "not in scope"));
}

TEST(Verifier, PiecesMayBeSplitByElement) {
  GraphBuilder g;
  const NodeId a = g.constant({1, 2}, DType::F32, {2}), b = g.constant({3}, DType::F32, {1});
  const Var e = Var::element(0);
  const NodeId joined = g.declare("c", {}, g.declared({}), DType::F32, {IndexExpr(3)});
  g.piece(joined, g.declared({}), g.at(a), Condition::less(e, 2));
  g.piece(joined, g.declared({}), g.at(b, {}, {IndexExpr(e) - 2}), Condition::lessEqual(2, e));
  EXPECT_EQ(verify(g.graph()), std::vector<std::string>{});
}

TEST(Verifier, SinksReadDefinedPoints) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  const NodeId r = g.draw(DrawKind::Uniform01, "r", {t});
  g.print("r", r);
  g.graph().sinks()[0].domain = g.box({t}, {0}, {5});
  EXPECT_TRUE(complains(g, "sink \"r\""));
}

TEST(Verifier, ThrowingNamesThePass) {
  Recurrence r;
  try {
    verifyOrThrow(r.g.graph(), "after folding");
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("after folding"), std::string::npos);
  }
}

}  // namespace
}  // namespace rlc::pdg
