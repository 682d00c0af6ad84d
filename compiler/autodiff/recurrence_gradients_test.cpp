// Recurrences, and which indices a loss and its target share.
#include "compiler/autodiff/testing.h"

namespace rlc::autodiff {
namespace {

using namespace testing;

IndexExpr e(int axis) { return Var::element(axis); }
Read half(GraphBuilder& g) { return g.at(g.constant(0.5, DType::F64), {}, {}); }

// h[0] = x, h[t+1] = tanh(0.5 * h[t] + u[t]) for t in 0..steps
NodeId recurrence(GraphBuilder& g, Var t, int64_t steps, NodeId u, NodeId x) {
  const Set all = g.box({t}, {0}, {steps + 1});
  const NodeId h = g.declare("h", {t}, all, DType::F64);
  const NodeId decayed = g.map(ScalarOp::Mul, {t}, {g.at(h, {t}), half(g)});
  const NodeId moved = g.map(ScalarOp::Add, {t}, {g.at(decayed, {t}), g.at(u, {t})});
  const NodeId next = g.map(ScalarOp::Tanh, {t}, {g.at(moved, {t})});
  g.piece(h, g.box({t}, {0}, {1}), g.at(x, {}, {}));
  g.piece(h, g.box({t}, {1}, {steps + 1}), g.at(next, {IndexExpr(t) - 1}));
  return h;
}

TEST(RecurrenceGradients, ThroughTimeToEveryStep) {
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 6);
    const NodeId u = leaf(g, "u", {t}), x = g.param("x", 0.3, DType::F64);
    const NodeId h = recurrence(g, t, 6, u, x);
    return Derivative{h, {6}, u, {t}, {t}, g.declared({t})};
  });
}

TEST(RecurrenceGradients, FromAStepInTheMiddleLaterStepsGiveZero) {
  const auto gradient = checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 6);
    const NodeId u = leaf(g, "u", {t}), x = g.param("x", 0.3, DType::F64);
    const NodeId h = recurrence(g, t, 6, u, x);
    return Derivative{h, {3}, u, {t}, {t}, g.declared({t})};
  });
  EXPECT_NE(gradient[2], 0);
  EXPECT_EQ(gradient[3], 0);
}

TEST(RecurrenceGradients, OfTheRecurrenceByItsOwnPoints) {
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 5), j = g.index("j", 0, 6);
    const NodeId u = leaf(g, "u", {t}), x = g.param("x", 0.3, DType::F64);
    const NodeId h = recurrence(g, t, 5, u, x);
    // d h[5]^2 / d h[j]
    const NodeId square = g.map(ScalarOp::Mul, {}, {g.at(h, {5}), g.at(h, {5})});
    return Derivative{square, {}, h, {j}, {j}, g.declared({j})};
  });
}

TEST(RecurrenceGradients, SharedParameterAndInitialValue) {
  for (bool initial : {true, false}) {
    for (bool second : {true, false}) {
      checkGradient([=](GraphBuilder& g) {
        const Var b = g.index("b", 0, 2), t = g.index("t", 0, 4);
        const NodeId w = g.param("w", 0.8, DType::F64), x = leaf(g, "x", {b}), c = leaf(g, "c", {b, t});
        const NodeId h = g.declare("h", {b, t}, g.box({b, t}, {0, 0}, {2, 5}), DType::F64);
        const NodeId scaled = g.map(ScalarOp::Mul, {b, t}, {g.at(h, {b, t}), g.at(w)});
        const NodeId next = g.map(ScalarOp::Tanh, {b, t}, {g.at(g.map(ScalarOp::Add, {b, t}, {g.at(scaled, {b, t}), g.at(c, {b, t})}), {b, t})});
        g.piece(h, g.box({b, t}, {0, 0}, {2, 1}), g.at(x, {b}));
        g.piece(h, g.box({b, t}, {0, 1}, {2, 5}), g.at(next, {b, IndexExpr(t) - 1}));
        NodeId loss = weightedSum(g, h);
        if (second) loss = weightedSum(g, addGrad(g, derivative(g, loss, x)));
        return derivative(g, loss, initial ? x : w);
      });
    }
  }
}

TEST(RecurrenceGradients, BackwardInTime) {
  checkGradient([](GraphBuilder& g) {  // G[t] = r[t] + 0.5 * G[t+1]^2, G[T] = 0
    const Var t = g.index("t", 0, 5);
    const NodeId r = leaf(g, "r", {t});
    const NodeId G = g.declare("G", {t}, g.box({t}, {0}, {6}), DType::F64);
    const NodeId next = g.map(ScalarOp::Mul, {t}, {g.at(G, {IndexExpr(t) + 1}), g.at(G, {IndexExpr(t) + 1})});
    const NodeId decayed = g.map(ScalarOp::Mul, {t}, {g.at(next, {t}), half(g)});
    const NodeId sum = g.map(ScalarOp::Add, {t}, {g.at(r, {t}), g.at(decayed, {t})});
    g.piece(G, g.box({t}, {0}, {5}), g.at(sum, {t}));
    g.piece(G, g.box({t}, {5}, {6}), g.at(g.constant(0, DType::F64), {}, {}));
    return derivative(g, weightedSum(g, G), r);
  });
}

TEST(RecurrenceGradients, NestedInTwoIndices) {
  checkGradient([](GraphBuilder& g) {  // x[i, t+1] = sin(x[i, t] + w), x[i+1, 0] = x[i, T]
    const Var i = g.index("i", 0, 3), t = g.index("t", 0, 3);
    const NodeId w = leaf(g, "w", {i});
    const NodeId x = g.declare("x", {i, t}, g.box({i, t}, {0, 0}, {3, 4}), DType::F64);
    const NodeId moved = g.map(ScalarOp::Add, {i, t}, {g.at(x, {i, t}), g.at(w, {i})});
    const NodeId next = g.map(ScalarOp::Sin, {i, t}, {g.at(moved, {i, t})});
    g.piece(x, g.box({i, t}, {0, 0}, {1, 1}), half(g));
    g.piece(x, g.box({i, t}, {1, 0}, {3, 1}), g.at(x, {IndexExpr(i) - 1, 3}));
    g.piece(x, g.box({i, t}, {0, 1}, {3, 4}), g.at(next, {i, IndexExpr(t) - 1}));
    return Derivative{x, {2, 3}, w, {i}, {i}, g.declared({i})};
  });
}

TEST(RecurrenceGradients, EachLossByEachValueWhereNothingIsShared) {
  checkGradient([](GraphBuilder& g) {  // d h[t] / d u[k] for all t, k
    const Var t = g.index("t", 0, 4), s = g.index("s", 0, 5), k = g.index("k", 0, 4);
    const NodeId u = leaf(g, "u", {t}), x = g.param("x", 0.3, DType::F64);
    const NodeId h = recurrence(g, t, 4, u, x);
    return Derivative{h, {s}, u, {k}, {s, k}, g.declared({s, k})};
  });
}

TEST(RecurrenceGradients, SharedIndexWithSumsOverThePast) {
  checkGradient([](GraphBuilder& g) {  // loss[t] = sum(x[k]^2 * x[t] for k in 0..t+1): by x[t]
    const Var t = g.index("t", 0, 4), k = g.range("k");
    const NodeId x = leaf(g, "x", {t});
    const Set past = g.where({t, k}, Condition::within(t, 0, 4) && Condition::within(k, 0, IndexExpr(t) + 1));
    const NodeId square = g.add("", {t, k}, past, DType::F64, {}, Map{ScalarOp::Mul}, {g.at(x, {k}), g.at(x, {k})});
    const NodeId body = g.add("", {t, k}, past, DType::F64, {}, Map{ScalarOp::Mul}, {g.at(square, {t, k}), g.at(x, {t})});
    const NodeId loss = g.reduce(ReduceKind::Sum, {t}, {k}, past, g.at(body, {t, k}));
    return derivative(g, loss, x);
  });
}

TEST(RecurrenceGradients, SharedIndexThroughTheNextPoint) {
  GraphBuilder g;  // loss[t] = h[t+1]^2 by u[t]: the index is shared although h is read one later
  auto build = [](GraphBuilder& g) {
    const Var t = g.index("t", 0, 5);
    const NodeId u = leaf(g, "u", {t}), x = g.param("x", 0.3, DType::F64);
    const NodeId h = recurrence(g, t, 5, u, x);
    return derivative(g, g.map(ScalarOp::Mul, {t}, {g.at(h, {IndexExpr(t) + 1}), g.at(h, {IndexExpr(t) + 1})}), u);
  };
  checkGradient(build);
  addGrad(g, build(g));
  expandGradients(g.graph());
  for (const Node& node : g.graph().nodes()) EXPECT_LE(node.dims.size(), 1u);
}

struct Training {
  NodeId loss, theta, rate, grad;
};

// theta[0] = start, loss[i] = sum((theta[i] - c[i])^4), theta[i+1] = theta[i] - rate * grad(loss, theta); the gradient
// optionally left out of differentiation.
Training training(GraphBuilder& g, Var i, int64_t steps) {
  const Var k = g.range("k");
  const NodeId rate = g.param("rate", 0.1, DType::F64);
  const NodeId c = leaf(g, "c", {i}, {2});
  const NodeId theta = g.declare("theta", {i}, g.box({i}, {0}, {steps + 1}), DType::F64, {2});
  const NodeId off = g.map(ScalarOp::Sub, {i}, {g.at(theta, {i}), g.at(c, {i})}, {2});
  const NodeId square = g.map(ScalarOp::Mul, {i}, {g.at(off, {i}), g.at(off, {i})}, {2});
  const NodeId fourth = g.map(ScalarOp::Mul, {i}, {g.at(square, {i}), g.at(square, {i})}, {2});
  const NodeId loss = g.reduce(ReduceKind::Sum, {i}, {k}, g.box({i, k}, {0, 0}, {steps, 2}), g.at(fourth, {i}, {k}));
  g.node(loss).name = "loss";
  const NodeId grad = g.add("", {i}, g.declared({i}), DType::F64, {2}, Grad{}, {g.at(loss, {i}), g.at(theta, {i})});
  const NodeId scaled = g.map(ScalarOp::Mul, {i}, {g.at(grad, {i}), g.at(rate, {}, {})}, {2});
  const NodeId next = g.map(ScalarOp::Sub, {i}, {g.at(theta, {i}), g.at(scaled, {i})}, {2});
  g.piece(theta, g.box({i}, {0}, {1}), g.at(leaf(g, "start", {}, {2}, 4), {}, {e(0)}));
  g.piece(theta, g.box({i}, {1}, {steps + 1}), g.at(next, {IndexExpr(i) - 1}));
  return {loss, theta, rate, grad};
}

TEST(RecurrenceGradients, TrainingStepsDoNotReachBackThroughEachOther) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 4);
  const Training t = training(g, i, 4);
  const int before = g.graph().size();
  expandGradients(g.graph());
  verifyOrThrow(g.graph(), "after expansion");
  EXPECT_LT(g.graph().size(), before + 12);
  // 4 * (theta - c)^3
  interpreter::Interpreter run(g.graph());
  for (int64_t step = 0; step < 4; ++step) {
    const double theta = run.evaluate(t.theta, {step}).elements[0].asDouble();
    const double c = std::sin((step * 3.0) * 0.7 + 1);
    EXPECT_NEAR(run.evaluate(t.grad, {step}).elements[0].asDouble(), 4 * std::pow(theta - c, 3), 1e-9);
  }
  // No dim but the step's own, and the elements' sum.
  for (const Node& node : g.graph().nodes()) EXPECT_LE(node.dims.size(), 1u);
}

TEST(RecurrenceGradients, ByTheLearningRateThroughAllSteps) {
  checkGradient([](GraphBuilder& g) {
    const Var i = g.index("i", 0, 3);
    const Training t = training(g, i, 3);
    return Derivative{t.loss, {2}, t.rate, {}, {}, g.declared({})};
  });
}

TEST(RecurrenceGradients, ByTheLearningRateAtEachStep) {
  checkGradient([](GraphBuilder& g) {
    const Var i = g.index("i", 0, 3);
    const Training t = training(g, i, 3);
    return Derivative{t.loss, {i}, t.rate, {}, {i}, g.declared({i})};
  });
}

TEST(RecurrenceGradients, EpochsInsideIterations) {
  // theta[i, u+1] = theta[i, u] - 0.5 * grad(loss, theta), theta[i+1, 0] = theta[i, U]: moves along u go both ways, but not
  // within an iteration. The loss also reads theta[i, 0], as an importance ratio does.
  GraphBuilder g;
  const Var i = g.index("i", 0, 2), u = g.index("u", 0, 3);
  const NodeId theta = g.declare("theta", {i, u}, g.box({i, u}, {0, 0}, {2, 4}), DType::F64);
  const NodeId square = g.map(ScalarOp::Mul, {i, u}, {g.at(theta, {i, u}), g.at(theta, {i, u})});
  const NodeId old = g.map(ScalarOp::Sin, {i, u}, {g.at(theta, {i, 0})});
  const NodeId loss = g.map(ScalarOp::Mul, {i, u}, {g.at(square, {i, u}), g.at(old, {i, u})});
  const NodeId grad = addGrad(g, {loss, {i, u}, theta, {i, u}, {i, u}, g.declared({i, u})});
  const NodeId scaled = g.map(ScalarOp::Mul, {i, u}, {g.at(grad, {i, u}), half(g)});
  const NodeId next = g.map(ScalarOp::Sub, {i, u}, {g.at(theta, {i, u}), g.at(scaled, {i, u})});
  g.piece(theta, g.box({i, u}, {0, 0}, {1, 1}), half(g));
  g.piece(theta, g.box({i, u}, {1, 0}, {2, 1}), g.at(theta, {IndexExpr(i) - 1, 3}));
  g.piece(theta, g.box({i, u}, {0, 1}, {2, 4}), g.at(next, {i, IndexExpr(u) - 1}));
  expandGradients(g.graph());
  verifyOrThrow(g.graph(), "after expansion");
  interpreter::Interpreter run(g.graph());
  for (int64_t step : {0, 1, 2}) {
    const double x = run.evaluate(theta, {1, step}).elements[0].asDouble();
    const double x0 = run.evaluate(theta, {1, 0}).elements[0].asDouble();
    const double expected = 2 * x * std::sin(x0) + (step == 0 ? x * x * std::cos(x0) : 0);
    EXPECT_NEAR(run.evaluate(grad, {1, step}).elements[0].asDouble(), expected, 1e-9);
  }
}

TEST(RecurrenceGradients, OnlineWithADetachedUpdate) {
  // x[t+1] = tanh(x[t] * w) - detach(grad(x[t]^2, w)): each gradient uses the past only.
  const auto gradient = checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 4);
    const NodeId w = g.param("w", 0.7, DType::F64);
    const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {5}), DType::F64);
    const NodeId loss = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(x, {t})});
    const NodeId grad = addGrad(g, {loss, {t}, w, {}, {t}, g.declared({t})});
    const NodeId fixed = g.add("", {t}, g.declared({t}), DType::F64, {}, Detach{}, {g.at(grad, {t})});
    const NodeId scaled = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(w)});
    const NodeId next = g.map(ScalarOp::Sub, {t}, {g.at(g.map(ScalarOp::Tanh, {t}, {g.at(scaled, {t})}), {t}), g.at(fixed, {t})});
    g.piece(x, g.box({t}, {0}, {1}), half(g));
    g.piece(x, g.box({t}, {1}, {5}), g.at(next, {IndexExpr(t) - 1}));
    return Derivative{loss, {t}, w, {}, {t}, g.declared({t})};
  }, {.step = 0});
  double x = 0.5, slope = 0;
  for (double value : gradient) {
    EXPECT_NEAR(value, 2 * x * slope, 1e-12);
    const double next = std::tanh(0.7 * x);
    slope = (1 - next * next) * (0.7 * slope + x);
    x = next - value;
  }
}

TEST(RecurrenceGradients, IndexThatEndsOnACondition) {
  // x[t+1] = x[t] + u[t] until x[t] > 1; loss = sum(x[t]^2 * u[t] for t), t up to the end
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 8), s = g.index("s", 0, 5);
    const NodeId u = leaf(g, "u", {t}, {}, 1, 0.6, 0.1);
    const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {9}), DType::F64);
    const NodeId next = g.map(ScalarOp::Sin, {t}, {g.at(g.map(ScalarOp::Add, {t}, {g.at(x, {t}), g.at(u, {t})}), {t})});
    g.piece(x, g.box({t}, {0}, {1}), half(g));
    g.piece(x, g.box({t}, {1}, {9}), g.at(next, {IndexExpr(t) - 1}));
    const NodeId done = g.map(ScalarOp::Lt, {t}, {g.at(g.constant(0.95, DType::F64), {}), g.at(x, {t})});
    const NodeId end = g.reduce(ReduceKind::FirstTrue, {}, {t}, g.declared({t}), g.at(done, {t}));
    std::get<Reduce>(g.node(end).op).otherwise = 8;
    g.graph().dim(t).end = end;
    const NodeId inside = g.map(ScalarOp::Lt, {t}, {g.at(g.indexValue({t}, t), {t}), g.at(end, {})});
    const NodeId square = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(x, {t})});
    const NodeId term = g.map(ScalarOp::Mul, {t}, {g.at(square, {t}), g.at(u, {t})});
    const NodeId loss = g.reduce(ReduceKind::Sum, {}, {t}, g.declared({t}), g.at(term, {t}));
    std::get<Reduce>(g.node(loss).op).hasFilter = true;
    g.node(loss).inputs.push_back(g.at(inside, {t}));
    return Derivative{loss, {}, u, {s}, {s}, g.box({s}, {0}, {2})};
  });
}

TEST(RecurrenceGradients, AGradientOfItselfWithoutEndIsReported) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  const NodeId w = g.param("w", 0.7, DType::F64);
  const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {5}), DType::F64);
  const NodeId scaled = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(w)});
  const NodeId grad = addGrad(g, {scaled, {t}, w, {}, {t}, g.declared({t})});
  const NodeId next = g.map(ScalarOp::Sub, {t}, {g.at(x, {t}), g.at(grad, {t})});
  g.piece(x, g.box({t}, {0}, {1}), half(g));
  g.piece(x, g.box({t}, {1}, {5}), g.at(next, {IndexExpr(t) - 1}));
  diagnostics::DiagnosticSink sink;
  expandGradients(g.graph(), sink);
  ASSERT_EQ(sink.errorCount(), 1u);
  EXPECT_EQ(sink.sorted()[0].kind, diagnostics::Kind::EndlessGradient);
  EXPECT_TRUE(verify(g.graph()).empty());
}

// A recurrent network of that many layers, trained: weights over i, activations over i, b and t.
int nodesMade(int layers) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 10), b = g.index("b", 0, 8), t = g.index("t", 0, 20), k = g.range("k");
  const std::vector<Var> dims{i, b, t};
  auto own = [&](NodeId id) { return g.at(id, {i, b, t}); };
  NodeId x = leaf(g, "x", dims, {4});
  std::vector<NodeId> weights;
  for (int layer = 0; layer < layers; ++layer) {
    weights.push_back(g.declare("W" + std::to_string(layer), {i}, g.box({i}, {0}, {11}), DType::F64, {4, 4}));
    const NodeId h = g.declare("h" + std::to_string(layer), dims, g.box(dims, {0, 0, 0}, {10, 8, 21}), DType::F64, {4});
    const NodeId product = g.map(ScalarOp::Mul, dims, {g.at(weights.back(), {i}, {e(0), e(1)}), g.at(x, {i, b, t}, {e(1)})}, {4, 4});
    const NodeId y = g.reduce(ReduceKind::Sum, dims, {k}, g.box({i, b, t, k}, {0, 0, 0, 0}, {10, 8, 20, 4}), g.at(product, {i, b, t}, {e(0), k}), {4});
    x = g.map(ScalarOp::Tanh, dims, {own(g.map(ScalarOp::Add, dims, {own(y), own(h)}, {4}))}, {4});
    g.piece(h, g.box(dims, {0, 0, 0}, {10, 8, 1}), g.at(g.constant(0, DType::F64), {}, {}));
    g.piece(h, g.box(dims, {0, 0, 1}, {10, 8, 21}), g.at(x, {i, b, IndexExpr(t) - 1}));
  }
  const NodeId loss = g.reduce(ReduceKind::Sum, {i}, {b, t, k}, g.box({i, b, t, k}, {0, 0, 0, 0}, {10, 8, 20, 4}), g.at(x, {i, b, t}, {k}));
  for (NodeId w : weights) {
    const NodeId grad = addGrad(g, {loss, {i}, w, {i}, {i}, g.declared({i})});
    const NodeId next = g.map(ScalarOp::Sub, {i}, {g.at(w, {i}), g.at(grad, {i})}, {4, 4});
    g.piece(w, g.box({i}, {0}, {1}), g.at(leaf(g, "", {}, {4, 4}), {}));
    g.piece(w, g.box({i}, {1}, {11}), g.at(next, {IndexExpr(i) - 1}));
  }
  const int before = g.graph().size();
  expandGradients(g.graph());
  return g.graph().size() - before;
}

TEST(RecurrenceGradients, DeepNetworksTakeNodesInProportion) {
  const int few = nodesMade(4), many = nodesMade(64);
  EXPECT_LE(many, few * 17);
}

}  // namespace
}  // namespace rlc::autodiff
