#include "compiler/passes/simplify_reductions.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"
#include "compiler/pdg/printer.h"
#include "compiler/pdg/verifier.h"

namespace rlc::passes {
namespace {

using namespace testing;

struct SimplifyReductions : ::testing::Test {
  static constexpr int64_t kSteps = 40;
  GraphBuilder g;
  Var b = g.index("b", 0, 2), t = g.index("t", 0, kSteps), k = g.range("k"), j = g.range("j");
  NodeId r = g.draw(pdg::DrawKind::StandardNormal, "r", {b, t});

  // lo <= k < hi at every point of b, t
  Set range(const IndexExpr& lo, const IndexExpr& hi) {
    return g.declared({b, t}).extendTo({b, t, k}).intersect(Condition::within(k, lo, hi));
  }
  NodeId over(ScalarOp op, const std::vector<Var>& dims, const Set& domain,
              std::vector<Read> reads) {
    DType type = g.node(reads.back().producer).type;
    return g.add("", dims, domain, type, {}, pdg::Map{op}, std::move(reads));
  }
  // weight ^ exponent over b, t, k
  NodeId power(NodeId base, const IndexExpr& exponent, const Set& domain) {
    const NodeId index =
        g.add("", {b, t, k}, domain, DType::I32, {}, pdg::IndexValue{exponent}, {});
    const NodeId cast = g.add("", {b, t, k}, domain, DType::F32, {}, pdg::Map{ScalarOp::Cast},
                              {g.at(index, {b, t, k})});
    return over(ScalarOp::Pow, {b, t, k}, domain, {g.at(base), g.at(cast, {b, t, k})});
  }
  NodeId reduce(ReduceKind kind, const Set& domain, const Read& body) {
    const NodeId id = g.reduce(kind, {b, t}, {k}, domain, body);
    g.node(id).name = "G";
    g.print("G", id);
    return id;
  }
  // Points that all reductions together go over.
  int64_t work() {
    int64_t points = 0;
    for (const pdg::Node& node : g.graph().nodes())
      if (const auto* op = std::get_if<pdg::Reduce>(&node.op)) points += op->domain.count();
    return points;
  }
  std::string simplified(double tolerance = 1e-6) {
    const std::string notes = text(apply(simplifyReductions, g.graph(), tolerance));
    return notes;
  }
};

TEST_F(SimplifyReductions, ADiscountedSumToGoRunsBackward) {
  const Set domain = range(t, kSteps);
  const NodeId weight = power(g.param("gamma", 0.97), IndexExpr(k) - t, domain);
  const NodeId body =
      over(ScalarOp::Mul, {b, t, k}, domain, {g.at(weight, {b, t, k}), g.at(r, {b, k})});
  reduce(ReduceKind::Sum, domain, g.at(body, {b, t, k}));
  EXPECT_EQ(simplified(),
            "`G` is a recurrence along `t`, each value from the next one: its range `k in t..40` "
            "changes by one element a step\n");
  EXPECT_EQ(work(), 0);
  runPasses(g.graph(), {.disabled = {}, .verifyEach = true, .observer = {}});
  EXPECT_EQ(countOf(g.graph(), "index_value"), 0);
}

TEST_F(SimplifyReductions, APrefixRunsForward) {
  reduce(ReduceKind::Sum, range(0, IndexExpr(t) + 1), g.at(r, {b, k}));
  EXPECT_EQ(
      simplified(),
      "`G` is a recurrence along `t`, each value from the one before: its range `k in 0..t + 1` "
      "changes by one element a step\n");
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, RangesCountedFromThePoint) {
  for (const bool backward : {false, true}) {
    const IndexExpr length = backward ? IndexExpr(t) + 1 : IndexExpr(kSteps) - t;
    const Set domain = range(0, length);
    const NodeId weight = power(g.param("gamma", 0.97), k, domain);
    const IndexExpr position = backward ? IndexExpr(t) - k : IndexExpr(t) + k;
    const NodeId body =
        over(ScalarOp::Mul, {b, t, k}, domain, {g.at(weight, {b, t, k}), g.at(r, {b, position})});
    reduce(ReduceKind::Sum, domain, g.at(body, {b, t, k}));
  }
  simplified();
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, AnEmptyStartIsNeutral) {
  for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Prod})
    reduce(kind, range(0, t), g.at(r, {b, k}));
  simplified();
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, ARangeThatStopsGrowingStays) {
  reduce(ReduceKind::Sum, range(0, IndexExpr::min(IndexExpr(t) + 1, 10)), g.at(r, {b, k}));
  reduce(ReduceKind::Max, range(IndexExpr::max(t, 7), kSteps), g.at(r, {b, k}));
  simplified();
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, ALongStartIsReducedOnce) {
  const NodeId other = g.draw(pdg::DrawKind::Uniform01, "other", {b, j});
  g.node(other).domain = g.box({b, j}, {0, 0}, {2, 100});
  reduce(ReduceKind::Sum, range(t, 100), g.at(other, {b, k}));
  simplified();
  EXPECT_EQ(work(), 2 * 61);
}

TEST_F(SimplifyReductions, MaximaAndTruthsOfGrowingRanges) {
  const NodeId positive = g.map(ScalarOp::Lt, {b, t}, {g.at(g.constant(-2.0)), g.at(r, {b, t})});
  reduce(ReduceKind::Max, range(t, kSteps), g.at(r, {b, k}));
  reduce(ReduceKind::Min, range(0, IndexExpr(t) + 1), g.at(r, {b, k}));
  reduce(ReduceKind::All, range(t, kSteps), g.at(positive, {b, k}));
  reduce(ReduceKind::Any, range(0, t), g.at(positive, {b, k}));
  simplified(0);
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, FactorsOfThePointAloneMoveOut) {
  const Set domain = range(t, kSteps);
  const NodeId f = g.draw(pdg::DrawKind::Uniform01, "f", {b, t});
  const NodeId product = over(ScalarOp::Mul, {b, t, k}, domain, {g.at(f, {b, t}), g.at(r, {b, k})});
  const NodeId body =
      over(ScalarOp::Div, {b, t, k}, domain, {g.at(product, {b, t, k}), g.at(f, {b, k})});
  const NodeId minus = over(ScalarOp::Neg, {b, t, k}, domain, {g.at(body, {b, t, k})});
  reduce(ReduceKind::Sum, domain, g.at(minus, {b, t, k}));
  simplified(1e-5);
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, WhatIsTheSameForAllOfTheRangeMovesOut) {
  const NodeId half = g.constant(0.5);
  const NodeId u = g.declare("u", {b, t}, g.declared({b, t}));
  g.piece(u, g.declared({b, t}), g.at(half));
  const Set domain = range(0, IndexExpr(t) + 1);
  const NodeId both = over(ScalarOp::Add, {b, t, k}, domain, {g.at(r, {b, t}), g.at(u, {b, k})});
  const NodeId body = over(ScalarOp::Tanh, {b, t, k}, domain, {g.at(both, {b, t, k})});
  reduce(ReduceKind::Sum, domain, g.at(body, {b, t, k}));
  simplified();
  EXPECT_EQ(work(), 0);
  EXPECT_EQ(pdg::verify(g.graph()), std::vector<std::string>{});
}

TEST_F(SimplifyReductions, WithAnOuterFactorEmptyRangesStayZero) {
  const Set domain = range(t, 30);
  const NodeId f = g.draw(pdg::DrawKind::Uniform01, "f", {b, t});
  const NodeId body = over(ScalarOp::Mul, {b, t, k}, domain, {g.at(f, {b, t}), g.at(r, {b, k})});
  reduce(ReduceKind::Sum, domain, g.at(body, {b, t, k}));
  simplified(1e-5);
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, WeightsThatAreProducts) {
  const Set domain = range(t, kSteps);
  const NodeId w = g.draw(pdg::DrawKind::Uniform01, "w", {b, t});
  const Set inner = domain.extendTo({b, t, k, j}).intersect(Condition::within(j, t, k));
  pdg::Reduce op;
  op.kind = ReduceKind::Prod;
  op.bound = {j};
  op.domain = inner;
  const NodeId weight = g.add("", {b, t, k}, domain, DType::F32, {}, op, {g.at(w, {b, j})});
  const NodeId body =
      over(ScalarOp::Mul, {b, t, k}, domain, {g.at(weight, {b, t, k}), g.at(r, {b, k})});
  reduce(ReduceKind::Sum, domain, g.at(body, {b, t, k}));
  simplified(1e-5);
  runPasses(g.graph());
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, FilteredSums) {
  const Set domain = range(t, kSteps);
  const NodeId positive = g.map(ScalarOp::Lt, {b, t}, {g.at(g.constant(0.0)), g.at(r, {b, t})});
  const NodeId id = reduce(ReduceKind::Sum, domain, g.at(r, {b, k}));
  std::get<pdg::Reduce>(g.node(id).op).hasFilter = true;
  g.node(id).inputs.push_back(g.at(positive, {b, k}));
  simplified();
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, AWindowOfIntegersAddsAndTakesAway) {
  const NodeId i = g.cast(
      DType::I32, {b, t},
      g.at(g.map(ScalarOp::Mul, {b, t}, {g.at(r, {b, t}), g.at(g.constant(100.0))}), {b, t}));
  reduce(ReduceKind::Sum, range(t, IndexExpr::min(IndexExpr(t) + 8, kSteps)), g.at(i, {b, k}));
  simplified(0);
  EXPECT_LE(work(), 2 * 8);
}

TEST_F(SimplifyReductions, AWindowOfFloatsStaysAndSaysWhy) {
  reduce(ReduceKind::Sum, range(t, IndexExpr::min(IndexExpr(t) + 8, kSteps)), g.at(r, {b, k}));
  EXPECT_EQ(
      simplified(0),
      "not: `G` goes over `k in t..min(t + 8, 40)` anew at each point: elements also leave its "
      "range, and taking them from a running sum of floats would lose digits\n");
}

TEST_F(SimplifyReductions, ABodyOfBothStaysAndSaysWhy) {
  const Set domain = range(t, kSteps);
  const NodeId body = over(ScalarOp::Atan2, {b, t, k}, domain, {g.at(r, {b, t}), g.at(r, {b, k})});
  reduce(ReduceKind::Sum, domain, g.at(body, {b, t, k}));
  EXPECT_EQ(simplified(0).substr(0, 40), "not: `G` goes over `k in t..40` anew at ");
}

TEST_F(SimplifyReductions, AGrowingWeightStays) {
  const Set domain = range(0, IndexExpr(t) + 1);
  const NodeId weight = power(g.param("gamma", 0.9), IndexExpr(k) - t, domain);
  const NodeId body =
      over(ScalarOp::Mul, {b, t, k}, domain, {g.at(weight, {b, t, k}), g.at(r, {b, k})});
  reduce(ReduceKind::Sum, domain, g.at(body, {b, t, k}));
  EXPECT_NE(simplified(0).find("a weight grows from step to step"), std::string::npos);
}

TEST_F(SimplifyReductions, InsideARecurrence) {
  // x[t] = tanh(sum(x[k] for k in 0..t)) + 1
  const NodeId x = g.declare("x", {b, t}, g.declared({b, t}));
  const NodeId sum = g.reduce(ReduceKind::Sum, {b, t}, {k}, range(0, t), g.at(x, {b, k}));
  const NodeId next = g.map(ScalarOp::Cos, {b, t}, {g.at(sum, {b, t})});
  g.piece(x, g.declared({b, t}), g.at(next, {b, t}));
  g.print("x", x);
  simplified(1e-5);
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, IntegersGrowFromWhatIsKnownAlready) {
  // x[t] = sum(x[k] for k in 0..t) + 1: the sum at t + 1 less x[t] would be a cycle
  const NodeId x = g.declare("x", {b, t}, g.declared({b, t}), DType::I32);
  const NodeId sum = g.reduce(ReduceKind::Sum, {b, t}, {k}, range(0, t), g.at(x, {b, k}));
  const NodeId next =
      g.map(ScalarOp::Add, {b, t}, {g.at(sum, {b, t}), g.at(g.constant(1, DType::I32))});
  g.piece(x, g.declared({b, t}), g.at(next, {b, t}));
  g.print("x", x);
  simplified(0);
  EXPECT_EQ(work(), 0);
}

TEST_F(SimplifyReductions, AWindowInsideARecurrenceStays) {
  const NodeId x = g.declare("x", {b, t}, g.declared({b, t}), DType::I32);
  const NodeId sum = g.reduce(ReduceKind::Sum, {b, t}, {k},
                              range(IndexExpr::max(IndexExpr(t) - 6, 0), t), g.at(x, {b, k}));
  const NodeId next =
      g.map(ScalarOp::Add, {b, t}, {g.at(sum, {b, t}), g.at(g.constant(1, DType::I32))});
  g.piece(x, g.declared({b, t}), g.at(next, {b, t}));
  g.print("x", x);
  EXPECT_EQ(simplified(0).substr(0, 5), "not: ");
}

TEST_F(SimplifyReductions, OtherRangesAreReducedFirst) {
  const Var c = g.range("c");
  const std::vector<Var> all{t, c, k};
  const Set domain = g.declared({t}).extendTo(all).intersect(Condition::within(c, 0, 2) &&
                                                             Condition::within(k, t, kSteps));
  const NodeId index =
      g.add("", all, domain, DType::I32, {}, pdg::IndexValue{IndexExpr(k) - t}, {});
  const NodeId steps = over(ScalarOp::Cast, all, domain, {g.at(index, {t, c, k})});
  g.node(steps).type = DType::F32;
  const NodeId weight =
      over(ScalarOp::Pow, all, domain, {g.at(g.param("gamma", 0.97)), g.at(steps, {t, c, k})});
  const NodeId body = over(ScalarOp::Mul, all, domain, {g.at(weight, {t, c, k}), g.at(r, {c, k})});
  const NodeId sum = g.reduce(ReduceKind::Sum, {t}, {c, k}, domain, g.at(body, {t, c, k}));
  g.print("G", sum);
  simplified();
  EXPECT_EQ(work(), 2 * kSteps);
}

TEST_F(SimplifyReductions, NothingStartsAtAnEndThatIsFoundOut) {
  g.graph().dim(t).end = g.constant(30, DType::I32);
  reduce(ReduceKind::Sum, range(t, kSteps), g.at(r, {b, k}));
  Notes notes;
  simplifyReductions(g.graph(), notes);
  EXPECT_EQ(text(notes).substr(0, 5), "not: ");
}

TEST_F(SimplifyReductions, TheSameValueIsMultiplied) {
  reduce(ReduceKind::Sum, range(0, IndexExpr(t) + 1), g.at(r, {b, t}));
  EXPECT_EQ(simplified(), "`G` sums the same value: it is multiplied by the length\n");
  EXPECT_EQ(definition(g.graph(), "G"), "    = mul %3[b, t], r[b, t]\n");
}

TEST_F(SimplifyReductions, VectorsElementByElement) {
  const NodeId v = g.draw(pdg::DrawKind::Uniform01, "v", {b, t}, {}, {3});
  const NodeId id = g.reduce(ReduceKind::Sum, {b, t}, {k}, range(t, kSteps),
                             g.at(v, {b, k}, {IndexExpr(2) - Var::element(0)}), {3});
  g.print("G", id);
  simplified();
  EXPECT_EQ(work(), 0);
}

}  // namespace
}  // namespace rlc::passes
