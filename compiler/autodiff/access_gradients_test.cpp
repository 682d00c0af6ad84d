// Reads of every kind, turned around.
#include "compiler/autodiff/testing.h"

namespace rlc::autodiff {
namespace {

using namespace testing;

TEST(AccessGradients, Broadcast) {
  checkGradient([](GraphBuilder& g) {
    const Var b = g.index("b", 0, 2), t = g.index("t", 0, 3);
    const NodeId x = leaf(g, "x", {b}, {2}), y = leaf(g, "y", {b, t}, {2, 3}, 2);
    const NodeId z = g.map(ScalarOp::Mul, {b, t}, {g.at(x, {b}, {e(0)}), g.at(y, {b, t})}, {2, 3});
    return derivative(g, weightedSum(g, z), x);
  });
}

TEST(AccessGradients, TransposedAndShifted) {
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 4);
    const NodeId x = leaf(g, "x", {t}, {2, 3});
    const NodeId y = g.declare("y", {t}, g.declared({t}), DType::F64, {3, 2});
    g.piece(y, g.where({t}, Condition::within(t, 1, 4)), g.at(x, {IndexExpr(t) - 1}, {e(1), e(0)}));
    g.piece(y, g.where({t}, Condition::equal(t, 0)), g.at(g.constant(0, DType::F64), {}, {}));
    const NodeId z = g.map(ScalarOp::Mul, {t}, {g.at(y, {t}), g.at(y, {t})}, {3, 2});
    return derivative(g, weightedSum(g, z), x);
  });
}

TEST(AccessGradients, SliceOfElements) {
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 2);
    const NodeId x = leaf(g, "x", {t}, {5});
    const NodeId y = g.map(ScalarOp::Exp, {t}, {g.at(x, {t}, {e(0) + 2})}, {2});
    const NodeId z = g.map(ScalarOp::Sin, {t}, {g.at(x, {t}, {e(0) * 2})}, {3});
    const NodeId a = weightedSum(g, y), b = weightedSum(g, z);
    return derivative(g, g.map(ScalarOp::Add, {}, {g.at(a), g.at(b)}), x);
  });
}

TEST(AccessGradients, Concatenation) {
  for (bool first : {true, false}) {
    checkGradient([=](GraphBuilder& g) {
      const Var t = g.index("t", 0, 2);
      const NodeId x = leaf(g, "x", {t}, {3}), y = leaf(g, "y", {t}, {2}, 4);
      const NodeId z = g.declare("z", {t}, g.declared({t}), DType::F64, {5});
      g.piece(z, g.declared({t}), g.at(x, {t}), Condition::less(e(0), 3));
      g.piece(z, g.declared({t}), g.at(y, {t}, {e(0) - 3}), Condition::lessEqual(3, e(0)));
      const NodeId square = g.map(ScalarOp::Mul, {t}, {g.at(z, {t}), g.at(z, {t})}, {5});
      return derivative(g, weightedSum(g, square), first ? x : y);
    });
  }
}

TEST(AccessGradients, Reshape) {
  checkGradient([](GraphBuilder& g) {
    const NodeId x = leaf(g, "x", {}, {6});
    const NodeId y = g.map(ScalarOp::Exp, {}, {g.at(x, {}, {e(0) * 3 + e(1)})}, {2, 3});
    const NodeId z =
        g.map(ScalarOp::Sin, {},
              {g.at(y, {}, {IndexExpr::floorDiv(e(0), 3), IndexExpr::mod(e(0), 3)})}, {6});
    return derivative(g, weightedSum(g, z), x);
  });
}

TEST(AccessGradients, FixedPoint) {
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 5);
    const NodeId x = leaf(g, "x", {t}, {2});
    const NodeId y = g.map(ScalarOp::Mul, {t}, {g.at(x, {2}, {1}), g.at(x, {t}, {0})});
    return derivative(g, weightedSum(g, y), x);
  });
}

TEST(AccessGradients, GatherBecomesScatterAndBack) {
  for (bool second : {false, true}) {
    checkGradient([=](GraphBuilder& g) {
      const Var t = g.index("t", 0, 5), b = g.index("b", 0, 2);
      const NodeId x = leaf(g, "x", {b, t}, {2});
      const NodeId j = g.indexValue({t}, IndexExpr::mod(IndexExpr(t) * 3 + 1, 4));
      const IndexExpr at = IndexExpr::value(1, std::make_shared<const IndexExpr>(0),
                                            std::make_shared<const IndexExpr>(4));
      const NodeId y = g.map(ScalarOp::Exp, {b, t}, {g.at(x, {b, at}), g.at(j, {t})}, {2});
      NodeId loss = weightedSum(g, y);
      if (second) {
        const NodeId grad = addGrad(g, derivative(g, loss, x));
        const NodeId square =
            g.map(ScalarOp::Mul, {b, t}, {g.at(grad, {b, t}), g.at(grad, {b, t})}, {2});
        loss = weightedSum(g, square);
      }
      return derivative(g, loss, x);
    });
  }
}

TEST(AccessGradients, GatherOfElements) {
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 4);
    const NodeId x = leaf(g, "x", {t}, {3});
    const NodeId j = g.indexValue({t}, IndexExpr::mod(IndexExpr(t) * 2, 3));
    const IndexExpr at = IndexExpr::value(1, std::make_shared<const IndexExpr>(0),
                                          std::make_shared<const IndexExpr>(3));
    const NodeId y = g.map(ScalarOp::Exp, {t}, {g.at(x, {t}, {at}), g.at(j, {t})});
    return derivative(g, weightedSum(g, y), x);
  });
}

TEST(AccessGradients, GatherWithoutIndices) {
  checkGradient([](GraphBuilder& g) {
    const NodeId x = leaf(g, "x", {}, {3}), j = g.indexValue({}, 1);
    const IndexExpr at = IndexExpr::value(1, std::make_shared<const IndexExpr>(0),
                                          std::make_shared<const IndexExpr>(3));
    return derivative(g, g.map(ScalarOp::Exp, {}, {g.at(x, {}, {at}), g.at(j)}), x);
  });
}

TEST(AccessGradients, Contraction) {
  for (bool weights : {true, false}) {
    for (bool second : {false, true}) {
      checkGradient([=](GraphBuilder& g) {
        const Var b = g.index("b", 0, 2), t = g.index("t", 0, 2), k = g.range("k");
        const NodeId w = leaf(g, "W", {}, {3, 2}), x = leaf(g, "x", {b, t}, {2}, 5);
        const NodeId product = g.map(ScalarOp::Mul, {b, t},
                                     {g.at(w, {}, {e(0), e(1)}), g.at(x, {b, t}, {e(1)})}, {3, 2});
        const NodeId y =
            g.reduce(ReduceKind::Sum, {b, t}, {k}, g.box({b, t, k}, {0, 0, 0}, {2, 2, 2}),
                     g.at(product, {b, t}, {e(0), k}), {3});
        const NodeId out = g.map(ScalarOp::Tanh, {b, t}, {g.at(y, {b, t})}, {3});
        NodeId loss = weightedSum(g, out);
        if (second) loss = weightedSum(g, addGrad(g, derivative(g, loss, w)), 7);
        return derivative(g, loss, weights ? w : x);
      });
    }
  }
}

TEST(AccessGradients, Convolution) {
  for (bool kernel : {true, false}) {
    checkGradient([=](GraphBuilder& g) {
      const Var t = g.index("t", 0, 4), k = g.range("k");
      const NodeId x = leaf(g, "x", {}, {6}), w = leaf(g, "w", {}, {3}, 4);
      const NodeId product =
          g.add("", {t, k}, g.box({t, k}, {0, 0}, {4, 3}), DType::F64, {}, Map{ScalarOp::Mul},
                {g.at(x, {}, {IndexExpr(t) + k}), g.at(w, {}, {k})});
      const NodeId y =
          g.reduce(ReduceKind::Sum, {t}, {k}, g.box({t, k}, {0, 0}, {4, 3}), g.at(product, {t, k}));
      return derivative(g, weightedSum(g, y), kernel ? w : x);
    });
  }
}

TEST(AccessGradients, SliceOfVaryingLength) {
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 4), k = g.range("k");
    const NodeId x = leaf(g, "x", {t});
    const NodeId y =
        g.map(ScalarOp::Exp, {t}, {g.at(x, {e(0)})}, {IndexExpr(t) + 1});  // exp(x[0..t+1])
    const NodeId z = g.reduce(
        ReduceKind::Prod, {t}, {k},
        g.where({t, k}, Condition::within(t, 0, 4) && Condition::within(k, 0, IndexExpr(t) + 1)),
        g.at(y, {t}, {k}));
    return derivative(g, weightedSum(g, z), x);
  });
}

TEST(AccessGradients, LazyMerge) {
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 6);
    const NodeId x = leaf(g, "x", {t});
    const NodeId y = g.declare("y", {t}, g.declared({t}), DType::F64);
    const NodeId two = g.constant(2, DType::F64);
    const Set odd = g.declared({t}).intersect(Condition::equal(IndexExpr::mod(t, 2), 1));
    const NodeId twice = g.add("", {t}, odd, DType::F64, {}, Map{ScalarOp::Mul},
                               {g.at(x, {IndexExpr(t) - 1}), g.at(two)});
    g.piece(y, odd, g.at(twice, {t}));
    g.piece(y, g.declared({t}).subtract(odd), g.at(x, {t}));
    const NodeId z = g.map(ScalarOp::Exp, {t}, {g.at(y, {t})});
    return derivative(g, weightedSum(g, z), x);
  });
}

}  // namespace
}  // namespace rlc::autodiff
