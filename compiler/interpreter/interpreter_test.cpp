#include "compiler/interpreter/interpreter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "compiler/interpreter/testing.h"

namespace rlc::interpreter {
namespace {

using pdg::testing::GraphBuilder;

TEST(Interpreter, AConstantIsItselfAtEveryElement) {
  GraphBuilder g;
  EXPECT_EQ(values(g, g.constant({1, 2, 3}, DType::F32, {3})), (Values{1, 2, 3}));
}

TEST(Interpreter, AParamHasItsRunTimeValue) {
  GraphBuilder g;
  const NodeId lr = g.param("lr", 0.25);
  EXPECT_EQ(values(g, lr), Values{0.25});
  Options options;
  options.params = {Scalar::ofFloat(DType::F32, 0.5)};
  EXPECT_EQ(Interpreter(g.graph(), options).evaluate(lr).elements[0].f, 0.5);
}

TEST(Interpreter, AnIndexValueDependsOnThePointAndTheElement) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  const NodeId v = g.indexValue({t}, IndexExpr(t) * 10 + e0, {IndexExpr(3)});
  EXPECT_EQ(values(g, v, {4}), (Values{40, 41, 42}));
}

TEST(Interpreter, AMapWorksElementByElement) {
  GraphBuilder g;
  const NodeId a = g.constant({1, 2}, DType::F32, {2}), b = g.constant({10, 20}, DType::F32, {2});
  EXPECT_EQ(values(g, g.map(ScalarOp::Add, {}, {g.at(a), g.at(b)}, {IndexExpr(2)})),
            (Values{11, 22}));
}

TEST(Interpreter, AnAccessFunctionBroadcastsAndTransposes) {
  GraphBuilder g;
  const NodeId m = g.constant({1, 2, 3, 4, 5, 6}, DType::F32, {2, 3}),
               row = g.constant({10, 20, 30}, DType::F32, {3});
  const NodeId sum = g.map(ScalarOp::Add, {}, {g.at(m, {}, {e1, e0}), g.at(row, {}, {e0})},
                           {IndexExpr(3), IndexExpr(2)});
  EXPECT_EQ(values(g, sum), (Values{11, 14, 22, 25, 33, 36}));
}

TEST(Interpreter, ASliceOfVaryingLengthHasItsOwnLength) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 5);
  const NodeId x = g.indexValue({t}, IndexExpr(t) * 2);
  const NodeId prefix = g.add("", {t}, g.declared({t}), DType::I32, {IndexExpr(t) + 1},
                              pdg::Detach{}, {g.at(x, {e0})});
  EXPECT_EQ(values(g, prefix, {0}), (Values{0}));
  EXPECT_EQ(values(g, prefix, {3}), (Values{0, 2, 4, 6}));
}

TEST(Interpreter, AGatherReadsWhereTheValueSays) {
  GraphBuilder g;
  const NodeId v = g.constant({10, 20, 30}, DType::F32, {3}),
               j = g.constant({2, 0}, DType::I32, {2});
  const NodeId gather = g.add("", {}, g.declared({}), DType::F32, {IndexExpr(2)}, pdg::Detach{},
                              {g.at(v, {}, {IndexExpr::value(1, nullptr, nullptr)}), g.at(j)});
  EXPECT_EQ(values(g, gather), (Values{30, 10}));
}

TEST(Interpreter, AGatherMayBeSubscriptedByAGather) {
  GraphBuilder g;
  const NodeId v = g.constant({10, 20, 30}, DType::F32, {3}),
               j = g.constant({2, 0, 1}, DType::I32, {3}), k = g.constant(1, DType::I32);
  const NodeId gather = g.add("", {}, g.declared({}), DType::F32, {}, pdg::Detach{},
                              {g.at(v, {}, {IndexExpr::value(1, nullptr, nullptr)}),
                               g.at(j, {}, {IndexExpr::value(2, nullptr, nullptr)}), g.at(k)});
  EXPECT_EQ(values(g, gather), Values{10});
}

TEST(Interpreter, AMergeTakesThePieceOfThePoint) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  const NodeId x = g.declare("x", {t}, g.declared({t}));
  g.piece(x, g.box({t}, {0}, {2}), g.at(g.constant(1.0)));
  g.piece(x, g.box({t}, {2}, {4}), g.at(g.constant(2.0)));
  EXPECT_EQ(values(g, x, {1}), Values{1});
  EXPECT_EQ(values(g, x, {2}), Values{2});
}

TEST(Interpreter, AMergeMayBeSplitByElement) {
  GraphBuilder g;
  const NodeId a = g.constant({1, 2}, DType::F32, {2}), b = g.constant({3}, DType::F32, {1});
  const NodeId c = g.declare("c", {}, g.declared({}), DType::F32, {IndexExpr(3)});
  g.piece(c, g.declared({}), g.at(a), Condition::less(e0, 2));
  g.piece(c, g.declared({}), g.at(b, {}, {e0 - 2}), Condition::lessEqual(2, e0));
  EXPECT_EQ(values(g, c), (Values{1, 2, 3}));
}

TEST(Interpreter, AMergeReadsOnlyThePieceOfThePoint) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 2);
  const NodeId x = g.declare("x", {t}, g.declared({t}), DType::I32);
  const NodeId zero = g.constant(0, DType::I32);
  g.piece(x, g.box({t}, {0}, {1}), g.at(zero));
  g.piece(x, g.box({t}, {1}, {2}), g.at(g.map(ScalarOp::FloorDiv, {}, {g.at(zero), g.at(zero)})));
  EXPECT_EQ(values(g, x, {0}), Values{0});
  EXPECT_THROW(values(g, x, {1}), runtime::RuntimeFault);
}

TEST(Interpreter, ASelectionAsksForTheChosenSideOnly) {
  GraphBuilder g;
  const NodeId yes = g.constant(1, DType::Bool), zero = g.constant(0, DType::I32);
  const NodeId bad = g.map(ScalarOp::FloorDiv, {}, {g.at(zero), g.at(zero)});
  EXPECT_EQ(values(g, g.map(ScalarOp::Select, {}, {g.at(yes), g.at(zero), g.at(bad)})), Values{0});
}

TEST(Interpreter, SortIsStableAndPutsNanLast) {
  GraphBuilder g;
  const NodeId v = g.constant({3, std::numeric_limits<double>::quiet_NaN(), 1, 3}, DType::F32, {4});
  EXPECT_EQ(values(g, g.sort({}, g.at(v), {IndexExpr(4)}, true)), (Values{2, 0, 3, 1}));
  EXPECT_EQ(values(g, g.sort({}, g.at(v), {IndexExpr(4)}, true, true)), (Values{0, 3, 2, 1}));
}

TEST(Interpreter, SortGoesAlongItsAxis) {
  GraphBuilder g;
  const NodeId m = g.constant({3, 1, 2, 5, 4, 6}, DType::F32, {2, 3});
  const NodeId rows = g.sort({}, g.at(m), {IndexExpr(2), IndexExpr(3)});
  EXPECT_EQ(values(g, rows), (Values{1, 2, 3, 4, 5, 6}));
  const NodeId columns = g.add("", {}, g.declared({}), DType::F32, {IndexExpr(2), IndexExpr(3)},
                               pdg::Sort{0}, {g.at(m)});
  EXPECT_EQ(values(g, columns), (Values{3, 1, 2, 5, 4, 6}));
}

TEST(Interpreter, DrawsDependOnSeedStreamAndPointOnly) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  const NodeId a = g.draw(pdg::DrawKind::Uniform01, "a", {t}),
               b = g.draw(pdg::DrawKind::Uniform01, "b", {t});
  EXPECT_EQ(values(g, a, {3}), values(g, a, {3}));
  EXPECT_NE(values(g, a, {3}), values(g, a, {4}));
  EXPECT_NE(values(g, a, {3}), values(g, b, {3}));
  Options options;
  options.seed = 1;
  EXPECT_NE(Interpreter(g.graph(), options).evaluate(a, {3}).elements[0].f, values(g, a, {3})[0]);
}

TEST(Interpreter, AnIntegerDrawStaysInItsRange) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 200);
  const NodeId lo = g.constant(-2, DType::I32), hi = g.constant(3, DType::I32);
  const NodeId j = g.draw(pdg::DrawKind::UniformInt, "j", {t}, {g.at(lo), g.at(hi)});
  Interpreter interpreter(g.graph());
  for (int64_t i = 0; i < 200; ++i) {
    const int64_t drawn = interpreter.evaluate(j, {i}).elements[0].i;
    EXPECT_TRUE(drawn >= -2 && drawn < 3);
  }
}

TEST(Interpreter, ACategoricalDrawFollowsItsLogits) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 50), k = g.range("k");
  const NodeId logits = g.constant({-100, 0, -100}, DType::F32, {3});
  const NodeId a = g.draw(pdg::DrawKind::Categorical, "a", {t}, {g.at(logits, {}, {k})});
  auto& draw = std::get<pdg::Draw>(g.node(a).op);
  draw.category = k;
  draw.categories = 3;
  EXPECT_EQ(values(g, a, {7}), Values{1});
}

TEST(Interpreter, APermutationHasEachValueOnce) {
  GraphBuilder g;
  const NodeId p = g.draw(pdg::DrawKind::Permutation, "p", {}, {}, {IndexExpr(20)});
  Values drawn = values(g, p);
  std::sort(drawn.begin(), drawn.end());
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(drawn[i], static_cast<double>(i));
}

TEST(Interpreter, AStandardNormalHasItsMoments) {
  GraphBuilder g;
  const NodeId x = g.draw(pdg::DrawKind::StandardNormal, "x", {}, {}, {IndexExpr(10000)});
  double sum = 0, squares = 0;
  for (double v : values(g, x)) sum += v, squares += v * v;
  EXPECT_NEAR(sum / 10000, 0, 0.05);
  EXPECT_NEAR(squares / 10000, 1, 0.05);
}

TEST(Interpreter, DetachIsTheIdentity) {
  GraphBuilder g;
  const NodeId v = g.constant({1, 2}, DType::F32, {2});
  EXPECT_EQ(values(g, g.add("", {}, g.declared({}), DType::F32, {IndexExpr(2)}, pdg::Detach{},
                            {g.at(v)})),
            (Values{1, 2}));
}

}  // namespace
}  // namespace rlc::interpreter
