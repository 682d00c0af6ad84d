#include "compiler/passes/simplify.h"

#include <gtest/gtest.h>

#include <limits>

#include "compiler/passes/dead_code.h"
#include "compiler/passes/strength_reduction.h"
#include "compiler/passes/testing.h"
#include "compiler/pdg/printer.h"
#include "compiler/pdg/shape.h"

namespace rlc::passes {
namespace {

using namespace testing;

struct Simplify : ::testing::Test {
  GraphBuilder g;
  Var t = g.index("t", 0, 4);
  NodeId x = g.draw(pdg::DrawKind::StandardNormal, "x", {t});

  Read at(NodeId id) {
    std::vector<IndexExpr> points;
    for (Var dim : g.node(id).dims) points.push_back(dim);
    return g.at(id, points);
  }
  NodeId map(ScalarOp op, const std::vector<NodeId>& operands) {
    std::vector<Read> reads;
    for (NodeId id : operands) reads.push_back(at(id));
    return g.map(op, {t}, reads);
  }
  // What the sink of `y` reads afterwards, as text.
  std::string simplified(NodeId y) {
    g.print("y", y);
    apply(simplify, g.graph());
    const Read leaf = std::get<Read>(g.graph().sinks().back().value.node);
    pdg::Node reader;
    reader.dims = {t};
    return pdg::Printer(g.graph()).read(reader, leaf);
  }
};

TEST_F(Simplify, NeutralOperandsDisappear) {
  const NodeId one = g.constant(1.0);
  const NodeId y =
      map(ScalarOp::Pow, {map(ScalarOp::Div, {map(ScalarOp::Mul, {x, one}), one}), one});
  EXPECT_EQ(simplified(map(ScalarOp::Sub, {y, g.constant(0.0)})), "x[t]");
}

TEST_F(Simplify, AZeroIsAddedWhereItWouldChangeTheSignOfAZero) {
  const NodeId y = map(ScalarOp::Add, {x, g.constant(0.0)});
  EXPECT_EQ(simplified(y), "%" + std::to_string(y) + "[t]");
}

TEST_F(Simplify, AZeroIsNotAddedToWhatIsNeverMinusZero) {
  const NodeId e = map(ScalarOp::Exp, {x});
  EXPECT_EQ(simplified(map(ScalarOp::Add, {e, g.constant(0.0)})), "%" + std::to_string(e) + "[t]");
}

// v[t] = table[j[t]] is read at k[t] by one gather, not by one of j and one of the table.
TEST_F(Simplify, AGatherIsNotReadThroughByAnother) {
  const auto drawn = [&](const std::string& name) {
    return g.draw(pdg::DrawKind::UniformInt, name, {t},
                  {g.at(g.constant(0, DType::I32)), g.at(g.constant(4, DType::I32))});
  };
  const auto gather = [&](NodeId from, NodeId at, pdg::Op op) {
    const IndexExpr value = IndexExpr::value(1, std::make_shared<const IndexExpr>(0),
                                             std::make_shared<const IndexExpr>(4));
    return g.add("", {t}, g.declared({t}), DType::F32, {}, std::move(op),
                 {Read{from, {value}, {}}, g.at(at, {t})});
  };
  const NodeId inner = gather(x, drawn("j"), pdg::Detach{});
  const NodeId outer = gather(inner, drawn("k"), pdg::Map{ScalarOp::Neg});
  g.print("y", outer);
  apply(simplify, g.graph());
  EXPECT_EQ(g.node(outer).inputs[0].producer, inner);
}

TEST_F(Simplify, TimesZeroStaysForFloatsOnly) {
  const NodeId inf = g.constant(std::numeric_limits<double>::infinity());
  const NodeId nan = g.map(ScalarOp::Mul, {}, {g.at(inf), g.at(g.constant(0.0))});
  const NodeId i = g.indexValue({t}, t);
  g.print("nan", nan);
  const NodeId zero = map(ScalarOp::Mul, {i, g.constant(0, DType::I32)});
  EXPECT_EQ(simplified(zero), "0");
  EXPECT_EQ(std::get<Read>(g.graph().sinks()[0].value.node).producer, nan);
}

TEST_F(Simplify, DoubleNegationsAndSignsOfSums) {
  const NodeId minus = map(ScalarOp::Neg, {x});
  EXPECT_EQ(simplified(map(ScalarOp::Neg, {minus})), "x[t]");
  const NodeId sum = map(ScalarOp::Add, {minus, x});
  g.print("sum", sum);
  apply(simplify, g.graph());
  EXPECT_EQ(std::get<pdg::Map>(g.node(sum).op).op, ScalarOp::Sub);
  EXPECT_EQ(g.node(sum).inputs[1].producer, x);
}

TEST_F(Simplify, CastsThroughAWiderType) {
  const NodeId i = g.indexValue({t}, t);
  const NodeId wide = g.cast(DType::F64, {t}, at(i));
  const NodeId back = g.cast(DType::I32, {t}, at(wide));
  EXPECT_EQ(simplified(back), "%" + std::to_string(i) + "[t]");
}

TEST_F(Simplify, CastsThroughANarrowerTypeStay) {
  const NodeId d = g.cast(DType::F64, {t}, at(x));
  const NodeId narrow = g.cast(DType::BF16, {t}, at(d));
  const NodeId back = g.cast(DType::F64, {t}, at(narrow));
  EXPECT_EQ(simplified(back), "%" + std::to_string(back) + "[t]");
}

TEST_F(Simplify, SelectionsOfEqualValuesAndNegatedConditions) {
  const NodeId c = map(ScalarOp::Lt, {x, g.constant(0.0)});
  const NodeId not_ = map(ScalarOp::Not, {c});
  EXPECT_EQ(simplified(map(ScalarOp::Select, {not_, x, x})), "x[t]");
  const NodeId y = map(ScalarOp::Select, {not_, x, g.constant(1.0)});
  g.print("y", y);
  apply(simplify, g.graph());
  EXPECT_EQ(g.node(y).inputs[0].producer, c);
  EXPECT_EQ(g.node(y).inputs[2].producer, x);
}

TEST_F(Simplify, SelectionsByAConditionThatHasChosen) {
  const NodeId c = map(ScalarOp::Lt, {x, g.constant(0.0)}), e = map(ScalarOp::Exp, {x});
  const NodeId first = map(ScalarOp::Select, {c, e, g.constant(1.0)});
  const NodeId y = map(ScalarOp::Select, {c, first, g.constant(2.0)});
  const NodeId z = map(ScalarOp::Select, {c, g.constant(2.0), first});
  g.print("y", y);
  g.print("z", z);
  const NodeId both = map(ScalarOp::Select, {c, c, g.constant(0, DType::Bool)});
  EXPECT_EQ(simplified(both), "%" + std::to_string(c) + "[t]");
  EXPECT_EQ(g.node(y).inputs[1].producer, e);
  EXPECT_EQ(pdg::splatValue(g.node(g.node(z).inputs[2].producer))->asDouble(), 1.0);
}

TEST_F(Simplify, ReadsGoThroughAliasesAndKeepTheName) {
  const NodeId e = map(ScalarOp::Exp, {x});
  const NodeId y = g.declare("y", {t}, g.declared({t}));
  g.piece(y, g.declared({t}), at(e));
  const NodeId z = g.declare("z", {t}, g.box({t}, {1}, {4}));
  g.piece(z, g.box({t}, {1}, {4}), g.at(y, {IndexExpr(t) - 1}));
  EXPECT_EQ(simplified(z), "y[t - 1]");
  EXPECT_EQ(g.node(e).name, "y");
}

TEST_F(Simplify, TensorsWithoutPointsMayBeAliasesOfEachOther) {
  const pdg::Set none = g.box({t}, {0}, {0});
  const NodeId y = g.declare("y", {t}, none), z = g.declare("z", {t}, none);
  g.piece(y, none, g.at(z, {t}));
  g.piece(z, none, g.at(y, {t}));
  g.print("y", y);
  g.print("z", g.add("", {t}, none, DType::F32, {}, pdg::Map{ScalarOp::Exp}, {g.at(z, {t})}));
  apply(simplify, g.graph());
}

TEST_F(Simplify, DetachedValuesAreTheValues) {
  const NodeId d = g.add("d", {t}, g.declared({t}), DType::F32, {}, pdg::Detach{}, {at(x)});
  EXPECT_EQ(simplified(d), "x[t]");
}

TEST_F(Simplify, SubscriptValuesMoveToTheReader) {
  const NodeId j = g.add("j", {t}, g.declared({t}), DType::I32, {},
                         pdg::Draw{pdg::DrawKind::UniformInt, "j", {}, 0},
                         {g.at(g.constant(0, DType::I32)), g.at(g.constant(4, DType::I32))});
  const auto lo = std::make_shared<const IndexExpr>(0), hi = std::make_shared<const IndexExpr>(4);
  const NodeId y = g.declare("y", {t}, g.declared({t}));
  g.piece(y, g.declared({t}), g.at(x, {IndexExpr::value(1, lo, hi)}));
  g.node(y).inputs.push_back(g.at(j, {t}));
  const NodeId z = g.map(ScalarOp::Neg, {t}, {g.at(y, {IndexExpr(3) - t})});
  g.node(z).name = "z";
  g.print("z", z);
  apply(simplify, g.graph());
  EXPECT_EQ(definition(g.graph(), "z"), "    = neg x[j[3 - t]]\n");
}

TEST_F(Simplify, PowersBecomeProductsAndDivisionsExactReciprocals) {
  const NodeId p = map(ScalarOp::Pow, {x, g.constant(2.0)});
  const NodeId q = map(ScalarOp::Pow, {x, g.constant(3.0)});
  const NodeId r = map(ScalarOp::Div, {map(ScalarOp::Mul, {p, q}), g.constant(8.0)});
  g.print("r", r);
  apply(strengthReduction, g.graph(), 1e-6);
  for (const pdg::Node& node : g.graph().nodes())
    if (std::holds_alternative<pdg::Map>(node.op)) {
      EXPECT_EQ(std::get<pdg::Map>(node.op).op, ScalarOp::Mul);
    }
}

}  // namespace
}  // namespace rlc::passes
