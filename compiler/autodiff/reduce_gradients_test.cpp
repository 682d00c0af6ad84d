// Reductions and sorts.
#include "compiler/autodiff/testing.h"

namespace rlc::autodiff {
namespace {

using namespace testing;

Build whole(ReduceKind kind, bool second) {
  return [=](GraphBuilder& g) {
    const Var b = g.index("b", 0, 2), t = g.index("t", 0, 3), k = g.range("k");
    const NodeId x = leaf(g, "x", {b, t}, {2, 2});
    const NodeId y = g.reduce(kind, {b}, {t, k}, g.box({b, t, k}, {0, 0, 0}, {2, 3, 2}),
                              g.at(x, {b, t}, {e(0), k}), {2});
    NodeId loss = weightedSum(g, y);
    if (second) {
      const NodeId grad = addGrad(g, derivative(g, loss, x));
      loss = weightedSum(
          g, g.map(ScalarOp::Mul, {b, t}, {g.at(grad, {b, t}), g.at(x, {b, t})}, {2, 2}), 5);
    }
    return derivative(g, loss, x);
  };
}

TEST(ReduceGradients, EveryKind) {
  for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max, ReduceKind::Min}) {
    SCOPED_TRACE(name(kind));
    checkGradient(whole(kind, false));
    checkGradient(whole(kind, true));
  }
}

Build given(ReduceKind kind, std::vector<double> values, bool second = false) {
  return [=](GraphBuilder& g) {
    const Var k = g.range("k");
    const auto n = static_cast<int64_t>(values.size());
    const NodeId x = g.constant(values, DType::F64, {n});
    NodeId loss = g.reduce(kind, {}, {k}, g.box({k}, {0}, {n}), g.at(x, {}, {k}));
    if (second) loss = weightedSum(g, addGrad(g, derivative(g, loss, x)));
    return derivative(g, loss, x);
  };
}

TEST(ReduceGradients, ProductsWithZeros) {
  EXPECT_EQ(checkGradient(given(ReduceKind::Prod, {2, 0, 3})), (std::vector<double>{0, 6, 0}));
  EXPECT_EQ(checkGradient(given(ReduceKind::Prod, {2, 0, 0})), (std::vector<double>{0, 0, 0}));
  checkGradient(given(ReduceKind::Prod, {2, 0, 3, 4}, true));
}

TEST(ReduceGradients, TheFirstExtremeTakesAll) {
  EXPECT_EQ(checkGradient(given(ReduceKind::Max, {1, 3, 3}), {.step = 0}),
            (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(checkGradient(given(ReduceKind::Min, {1, 3, 1}), {.step = 0}),
            (std::vector<double>{1, 0, 0}));
}

TEST(ReduceGradients, TheFirstExtremeOfSeveralRangesIsTheLexicographicallyFirst) {
  const auto gradient = checkGradient(
      [](GraphBuilder& g) {
        const Var j = g.range("j"), k = g.range("k");
        const NodeId x = g.constant({0, 1, 2, 2, 0, 2}, DType::F64, {2, 3});
        return derivative(g,
                          g.reduce(ReduceKind::Max, {}, {k, j}, g.box({k, j}, {0, 0}, {3, 2}),
                                   g.at(x, {}, {j, k})),
                          x);
      },
      {.step = 0});
  EXPECT_EQ(gradient, (std::vector<double>{0, 0, 0, 1, 0, 0}));  // k = 0, j = 1
}

TEST(ReduceGradients, RangesWithVaryingBounds) {
  for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max}) {
    checkGradient([=](GraphBuilder& g) {
      const Var t = g.index("t", 0, 6), k = g.range("k");
      const NodeId x = leaf(g, "x", {t});
      const Set window =
          g.where({t, k}, Condition::within(t, 0, 6) &&
                              Condition::within(k, t, IndexExpr::min(IndexExpr(t) + 3, 6)));
      const NodeId y = g.reduce(kind, {t}, {k}, window, g.at(x, {k}));
      return derivative(g, weightedSum(g, y), x);
    });
  }
}

TEST(ReduceGradients, RangesThatDependOnTheElement) {
  for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max}) {
    checkGradient([=](GraphBuilder& g) {  // cumulative, along an axis
      const Var t = g.index("t", 0, 2), k = g.range("k");
      const NodeId x = leaf(g, "x", {t}, {4});
      const Set upTo = g.where({t, k, Var::element(0)}, Condition::within(k, 0, e(0) + 1) &&
                                                            Condition::within(t, 0, 2) &&
                                                            Condition::within(e(0), 0, 4));
      const NodeId y = g.reduce(kind, {t}, {k}, upTo, g.at(x, {t}, {k}), {4});
      return derivative(g, weightedSum(g, y), x);
    });
  }
}

TEST(ReduceGradients, Filters) {
  for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max, ReduceKind::Min}) {
    checkGradient([=](GraphBuilder& g) {
      const Var b = g.index("b", 0, 2), t = g.index("t", 0, 5);
      const NodeId x = leaf(g, "x", {b, t}), y = leaf(g, "y", {b, t}, {}, 3);
      const NodeId low =
          g.map(ScalarOp::Lt, {b, t}, {g.at(y, {b, t}), g.at(g.constant(0.5, DType::F64))});
      const NodeId z = g.reduce(kind, {b}, {t}, g.declared({b, t}), g.at(x, {b, t}));
      std::get<Reduce>(g.node(z).op).hasFilter = true;
      g.node(z).inputs.push_back(g.at(low, {b, t}));
      return derivative(g, weightedSum(g, z), x);
    });
  }
}

TEST(ReduceGradients, LogSumExpAndSoftmax) {
  for (bool second : {false, true}) {
    checkGradient([=](GraphBuilder& g) {
      const Var t = g.index("t", 0, 2), k = g.range("k");
      const Set range = g.box({t, k}, {0, 0}, {2, 4});
      const NodeId x = leaf(g, "x", {t}, {4});
      const NodeId most = g.reduce(ReduceKind::Max, {t}, {k}, range, g.at(x, {t}, {k}));
      const NodeId moved = g.map(ScalarOp::Sub, {t}, {g.at(x, {t}), g.at(most, {t}, {})}, {4});
      const NodeId power = g.map(ScalarOp::Exp, {t}, {g.at(moved, {t})}, {4});
      const NodeId total = g.reduce(ReduceKind::Sum, {t}, {k}, range, g.at(power, {t}, {k}));
      const NodeId softmax =
          g.map(ScalarOp::Div, {t}, {g.at(power, {t}), g.at(total, {t}, {})}, {4});
      NodeId loss = weightedSum(g, softmax);
      if (second) loss = weightedSum(g, addGrad(g, derivative(g, loss, x)), 5);
      return derivative(g, loss, x);
    });
  }
}

TEST(ReduceGradients, Sort) {
  for (bool descending : {false, true}) {
    for (bool second : {false, true}) {
      checkGradient([=](GraphBuilder& g) {
        const Var t = g.index("t", 0, 2);
        const NodeId x = leaf(g, "x", {t}, {2, 4});
        const NodeId sorted = g.sort({t}, g.at(x, {t}), {2, 4}, false, descending);
        NodeId loss = weightedSum(g, g.map(ScalarOp::Exp, {t}, {g.at(sorted, {t})}, {2, 4}));
        if (second) loss = weightedSum(g, addGrad(g, derivative(g, loss, x)), 5);
        return derivative(g, loss, x);
      });
    }
  }
}

TEST(ReduceGradients, PositionsAndDrawsHaveNone) {
  const auto gradient = checkGradient(
      [](GraphBuilder& g) {
        const Var k = g.range("k");
        const NodeId x = leaf(g, "x", {}, {3});
        const NodeId best =
            g.reduce(ReduceKind::ArgMax, {}, {k}, g.box({k}, {0}, {3}), g.at(x, {}, {k}));
        return derivative(g, g.cast(DType::F64, {}, g.at(best)), x);
      },
      {.step = 0});
  EXPECT_EQ(gradient, (std::vector<double>{0, 0, 0}));
}

}  // namespace
}  // namespace rlc::autodiff
