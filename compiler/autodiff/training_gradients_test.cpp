// Gradients inside of what they train: steps of descent, epochs, gradients of gradients, networks.
#include "compiler/autodiff/testing.h"

namespace rlc::autodiff {
namespace {

using namespace testing;

struct Training {
  NodeId loss, theta, rate, grad;
};

// theta[0] = start, loss[i] = sum((theta[i] - c[i])^4), theta[i+1] = theta[i] - rate * grad(loss,
// theta); the gradient optionally left out of differentiation.
Training training(GraphBuilder& g, Var i, int64_t steps) {
  const Var k = g.range("k");
  const NodeId rate = g.param("rate", 0.1, DType::F64);
  const NodeId c = leaf(g, "c", {i}, {2});
  const NodeId theta = g.declare("theta", {i}, g.box({i}, {0}, {steps + 1}), DType::F64, {2});
  const NodeId off = g.map(ScalarOp::Sub, {i}, {g.at(theta, {i}), g.at(c, {i})}, {2});
  const NodeId square = g.map(ScalarOp::Mul, {i}, {g.at(off, {i}), g.at(off, {i})}, {2});
  const NodeId fourth = g.map(ScalarOp::Mul, {i}, {g.at(square, {i}), g.at(square, {i})}, {2});
  const NodeId loss = g.reduce(ReduceKind::Sum, {i}, {k}, g.box({i, k}, {0, 0}, {steps, 2}),
                               g.at(fourth, {i}, {k}));
  g.node(loss).name = "loss";
  const NodeId grad =
      g.add("", {i}, g.declared({i}), DType::F64, {2}, Grad{}, {g.at(loss, {i}), g.at(theta, {i})});
  const NodeId scaled = g.map(ScalarOp::Mul, {i}, {g.at(grad, {i}), g.at(rate, {}, {})}, {2});
  const NodeId next = g.map(ScalarOp::Sub, {i}, {g.at(theta, {i}), g.at(scaled, {i})}, {2});
  g.piece(theta, g.box({i}, {0}, {1}), g.at(leaf(g, "start", {}, {2}, 4), {}, {e(0)}));
  g.piece(theta, g.box({i}, {1}, {steps + 1}), g.at(next, {IndexExpr(i) - 1}));
  return {loss, theta, rate, grad};
}

TEST(TrainingGradients, TrainingStepsDoNotReachBackThroughEachOther) {
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
    EXPECT_NEAR(run.evaluate(t.grad, {step}).elements[0].asDouble(), 4 * std::pow(theta - c, 3),
                1e-9);
  }
  // No dim but the step's own, and the elements' sum.
  for (const Node& node : g.graph().nodes()) EXPECT_LE(node.dims.size(), 1u);
}

TEST(TrainingGradients, ByTheLearningRateThroughAllSteps) {
  checkGradient([](GraphBuilder& g) {
    const Var i = g.index("i", 0, 3);
    const Training t = training(g, i, 3);
    return Derivative{t.loss, {2}, t.rate, {}, {}, g.declared({})};
  });
}

TEST(TrainingGradients, ByTheLearningRateAtEachStep) {
  checkGradient([](GraphBuilder& g) {
    const Var i = g.index("i", 0, 3);
    const Training t = training(g, i, 3);
    return Derivative{t.loss, {i}, t.rate, {}, {i}, g.declared({i})};
  });
}

TEST(TrainingGradients, EpochsInsideIterations) {
  // theta[i, u+1] = theta[i, u] - 0.5 * grad(loss, theta), theta[i+1, 0] = theta[i, U]: moves along
  // u go both ways, but not within an iteration. The loss also reads theta[i, 0], as an importance
  // ratio does.
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

TEST(TrainingGradients, OnlineWithADetachedUpdate) {
  // x[t+1] = tanh(x[t] * w) - detach(grad(x[t]^2, w)): each gradient uses the past only.
  const auto gradient = checkGradient(
      [](GraphBuilder& g) {
        const Var t = g.index("t", 0, 4);
        const NodeId w = g.param("w", 0.7, DType::F64);
        const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {5}), DType::F64);
        const NodeId loss = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(x, {t})});
        const NodeId grad = addGrad(g, {loss, {t}, w, {}, {t}, g.declared({t})});
        const NodeId fixed =
            g.add("", {t}, g.declared({t}), DType::F64, {}, Detach{}, {g.at(grad, {t})});
        const NodeId scaled = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(w)});
        const NodeId next =
            g.map(ScalarOp::Sub, {t},
                  {g.at(g.map(ScalarOp::Tanh, {t}, {g.at(scaled, {t})}), {t}), g.at(fixed, {t})});
        g.piece(x, g.box({t}, {0}, {1}), half(g));
        g.piece(x, g.box({t}, {1}, {5}), g.at(next, {IndexExpr(t) - 1}));
        return Derivative{loss, {t}, w, {}, {t}, g.declared({t})};
      },
      {.step = 0});
  double x = 0.5, slope = 0;
  for (double value : gradient) {
    EXPECT_NEAR(value, 2 * x * slope, 1e-12);
    const double next = std::tanh(0.7 * x);
    slope = (1 - next * next) * (0.7 * slope + x);
    x = next - value;
  }
}

TEST(TrainingGradients, AGradientOfItselfWithoutEndIsReported) {
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
  EXPECT_EQ(sink.sorted()[0].notes.back().message, "`x` reads the gradient");
  EXPECT_TRUE(verify(g.graph()).empty());
}

// Such as the probabilities that actions had when they were taken: `old`, by the weights that a
// round of updates began with.
TEST(TrainingGradients, OfAGradientWithoutEndItIsSaidWhatReadsOtherWeights) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 4), u = g.index("u", 0, 3);
  const NodeId w = g.declare("w", {i, u}, g.box({i, u}, {0, 0}, {4, 4}), DType::F64);
  const NodeId old = g.map(ScalarOp::Tanh, {i}, {g.at(w, {i, 0})});
  g.graph().node(old).name = "old";
  const NodeId loss = g.map(ScalarOp::Mul, {i, u}, {g.at(w, {i, u}), g.at(old, {i})});
  const NodeId grad = addGrad(g, {loss, {i, u}, w, {i, u}, {i, u}, g.declared({i, u})});
  const NodeId next = g.map(ScalarOp::Sub, {i, u}, {g.at(w, {i, u}), g.at(grad, {i, u})});
  g.piece(w, g.box({i, u}, {0, 0}, {1, 1}), half(g));
  g.piece(w, g.box({i, u}, {1, 0}, {4, 1}), g.at(w, {IndexExpr(i) - 1, 3}));
  g.piece(w, g.box({i, u}, {0, 1}, {4, 4}), g.at(next, {i, IndexExpr(u) - 1}));
  diagnostics::DiagnosticSink sink;
  expandGradients(g.graph(), sink);
  ASSERT_EQ(sink.errorCount(), 1u);
  EXPECT_EQ(sink.sorted()[0].notes.back().message,
            "`w` reads `old` reads `w` at other points than that of the gradient");
}

// A recurrent network of that many layers, trained: weights over i, activations over i, b and t.
int nodesMade(int layers) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 10), b = g.index("b", 0, 8), t = g.index("t", 0, 20),
            k = g.range("k");
  const std::vector<Var> dims{i, b, t};
  auto own = [&](NodeId id) { return g.at(id, {i, b, t}); };
  NodeId x = leaf(g, "x", dims, {4});
  std::vector<NodeId> weights;
  for (int layer = 0; layer < layers; ++layer) {
    weights.push_back(
        g.declare("W" + std::to_string(layer), {i}, g.box({i}, {0}, {11}), DType::F64, {4, 4}));
    const NodeId h = g.declare("h" + std::to_string(layer), dims,
                               g.box(dims, {0, 0, 0}, {10, 8, 21}), DType::F64, {4});
    const NodeId product =
        g.map(ScalarOp::Mul, dims,
              {g.at(weights.back(), {i}, {e(0), e(1)}), g.at(x, {i, b, t}, {e(1)})}, {4, 4});
    const NodeId y =
        g.reduce(ReduceKind::Sum, dims, {k}, g.box({i, b, t, k}, {0, 0, 0, 0}, {10, 8, 20, 4}),
                 g.at(product, {i, b, t}, {e(0), k}), {4});
    x = g.map(ScalarOp::Tanh, dims, {own(g.map(ScalarOp::Add, dims, {own(y), own(h)}, {4}))}, {4});
    g.piece(h, g.box(dims, {0, 0, 0}, {10, 8, 1}), g.at(g.constant(0, DType::F64), {}, {}));
    g.piece(h, g.box(dims, {0, 0, 1}, {10, 8, 21}), g.at(x, {i, b, IndexExpr(t) - 1}));
  }
  const NodeId loss =
      g.reduce(ReduceKind::Sum, {i}, {b, t, k}, g.box({i, b, t, k}, {0, 0, 0, 0}, {10, 8, 20, 4}),
               g.at(x, {i, b, t}, {k}));
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

TEST(TrainingGradients, DeepNetworksTakeNodesInProportion) {
  const int few = nodesMade(4), many = nodesMade(64);
  EXPECT_LE(many, few * 17);
}

}  // namespace
}  // namespace rlc::autodiff
