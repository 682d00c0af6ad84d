// Recurrences, and which indices a loss and its target share.
#include "compiler/autodiff/testing.h"

namespace rlc::autodiff {
namespace {

using namespace testing;

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
        const NodeId w = g.param("w", 0.8, DType::F64), x = leaf(g, "x", {b}),
                     c = leaf(g, "c", {b, t});
        const NodeId h = g.declare("h", {b, t}, g.box({b, t}, {0, 0}, {2, 5}), DType::F64);
        const NodeId scaled = g.map(ScalarOp::Mul, {b, t}, {g.at(h, {b, t}), g.at(w)});
        const NodeId next = g.map(
            ScalarOp::Tanh, {b, t},
            {g.at(g.map(ScalarOp::Add, {b, t}, {g.at(scaled, {b, t}), g.at(c, {b, t})}), {b, t})});
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
    const NodeId next =
        g.map(ScalarOp::Mul, {t}, {g.at(G, {IndexExpr(t) + 1}), g.at(G, {IndexExpr(t) + 1})});
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
    const Set past =
        g.where({t, k}, Condition::within(t, 0, 4) && Condition::within(k, 0, IndexExpr(t) + 1));
    const NodeId square =
        g.add("", {t, k}, past, DType::F64, {}, Map{ScalarOp::Mul}, {g.at(x, {k}), g.at(x, {k})});
    const NodeId body = g.add("", {t, k}, past, DType::F64, {}, Map{ScalarOp::Mul},
                              {g.at(square, {t, k}), g.at(x, {t})});
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
    return derivative(
        g, g.map(ScalarOp::Mul, {t}, {g.at(h, {IndexExpr(t) + 1}), g.at(h, {IndexExpr(t) + 1})}),
        u);
  };
  checkGradient(build);
  addGrad(g, build(g));
  expandGradients(g.graph());
  for (const Node& node : g.graph().nodes()) EXPECT_LE(node.dims.size(), 1u);
}

TEST(RecurrenceGradients, IndexThatEndsOnACondition) {
  // x[t+1] = x[t] + u[t] until x[t] > 1; loss = sum(x[t]^2 * u[t] for t), t up to the end
  checkGradient([](GraphBuilder& g) {
    const Var t = g.index("t", 0, 8), s = g.index("s", 0, 5);
    const NodeId u = leaf(g, "u", {t}, {}, 1, 0.6, 0.1);
    const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {9}), DType::F64);
    const NodeId next = g.map(ScalarOp::Sin, {t},
                              {g.at(g.map(ScalarOp::Add, {t}, {g.at(x, {t}), g.at(u, {t})}), {t})});
    g.piece(x, g.box({t}, {0}, {1}), half(g));
    g.piece(x, g.box({t}, {1}, {9}), g.at(next, {IndexExpr(t) - 1}));
    const NodeId done =
        g.map(ScalarOp::Lt, {t}, {g.at(g.constant(0.95, DType::F64), {}), g.at(x, {t})});
    const NodeId end = g.reduce(ReduceKind::FirstTrue, {}, {t}, g.declared({t}), g.at(done, {t}));
    std::get<Reduce>(g.node(end).op).otherwise = 8;
    g.graph().dim(t).end = end;
    const NodeId inside =
        g.map(ScalarOp::Lt, {t}, {g.at(g.indexValue({t}, t), {t}), g.at(end, {})});
    const NodeId square = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(x, {t})});
    const NodeId term = g.map(ScalarOp::Mul, {t}, {g.at(square, {t}), g.at(u, {t})});
    const NodeId loss = g.reduce(ReduceKind::Sum, {}, {t}, g.declared({t}), g.at(term, {t}));
    std::get<Reduce>(g.node(loss).op).hasFilter = true;
    g.node(loss).inputs.push_back(g.at(inside, {t}));
    return Derivative{loss, {}, u, {s}, {s}, g.box({s}, {0}, {2})};
  });
}

}  // namespace
}  // namespace rlc::autodiff
