#include <gtest/gtest.h>

#include <cmath>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/interpreter/testing.h"

namespace rlc::interpreter {
namespace {

using pdg::testing::GraphBuilder;

// x[0] = 0, x[t] = x[t-1] + 1 on 0..=n
NodeId counter(GraphBuilder& g, Var t, int64_t n) {
  const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {n + 1}), DType::I32);
  const NodeId next =
      g.add("", {t}, g.box({t}, {1}, {n + 1}), DType::I32, {}, pdg::Map{ScalarOp::Add},
            {g.at(x, {IndexExpr(t) - 1}), g.at(g.constant(1, DType::I32))});
  g.piece(x, g.box({t}, {0}, {1}), g.at(g.constant(0, DType::I32)));
  g.piece(x, g.box({t}, {1}, {n + 1}), g.at(next, {t}));
  return x;
}

TEST(Recurrence, AMillionStepsNeedNoStack) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 1000000);
  EXPECT_EQ(values(g, counter(g, t, 1000000), {1000000}), Values{1000000});
}

TEST(Recurrence, EachPointIsComputedOnce) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 100);
  const NodeId x = counter(g, t, 100);
  Interpreter interpreter(g.graph());
  interpreter.evaluate(x, {100});
  const int64_t computed = interpreter.pointsComputed();
  interpreter.evaluate(x, {50});
  EXPECT_EQ(interpreter.pointsComputed(), computed);
  EXPECT_EQ(computed, 201);
}

TEST(Recurrence, BackwardRecurrencesRunBackward) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  const NodeId G = g.declare("G", {t}, g.box({t}, {0}, {11}));
  const NodeId step = g.add("", {t}, g.box({t}, {0}, {10}), DType::F32, {}, pdg::Map{ScalarOp::Mul},
                            {g.at(G, {IndexExpr(t) + 1}), g.at(g.constant(0.5))});
  g.piece(G, g.box({t}, {0}, {10}), g.at(step, {t}));
  g.piece(G, g.box({t}, {10}, {11}), g.at(g.constant(1.0)));
  EXPECT_EQ(values(g, G, {0}), Values{std::pow(0.5, 10)});
}

TEST(Recurrence, SparseDomainsUseLittleMemory) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 1000000), j = g.index("j", 0, 1000000);
  const NodeId x = g.indexValue({i, j}, IndexExpr(i) - j);
  EXPECT_EQ(values(g, x, {999999, 999998}), Values{1});
}

TEST(Recurrence, ACycleIsAnInternalErrorAndNotAHang) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  const NodeId x = g.declare("x", {t}, g.declared({t}));
  g.piece(x, g.declared({t}), g.at(x, {t}));
  EXPECT_THROW(values(g, x, {0}), InternalError);
}

// An index that ends where x reaches 5; y[s] = x[s]
struct Until {
  GraphBuilder g;
  Var s = g.index("s", 0, 100), k = g.range("k");
  NodeId x = counter(g, s, 100);
  NodeId done = g.map(ScalarOp::Eq, {s}, {g.at(x, {s}), g.at(g.constant(5, DType::I32))});
  NodeId end =
      g.reduce(pdg::ReduceKind::FirstTrue, {}, {k}, g.box({k}, {0}, {100}), g.at(done, {k}));
  NodeId y = g.add("y", {s}, g.declared({s}), DType::I32, {}, pdg::Detach{}, {g.at(x, {s})});
  Until() { g.graph().dim(s).end = end; }
  NodeId readY(int64_t at) {
    return g.add("z", {}, g.declared({}), DType::I32, {}, pdg::Detach{}, {g.at(y, {at})});
  }
  NodeId readX(int64_t at) {
    return g.add("z", {}, g.declared({}), DType::I32, {}, pdg::Detach{}, {g.at(x, {at})});
  }
};

TEST(Until, PointsUpToTheEndCanBeRead) {
  Until u;
  EXPECT_EQ(values(u.g, u.end), Values{6});
  EXPECT_EQ(values(u.g, u.readY(5)), Values{5});
  EXPECT_EQ(values(u.g, u.readX(6)), Values{6});  // x[s+1] = ... is defined at the end, too
}

TEST(Until, ReadingPastTheEndIsAFault) {
  Until u;
  EXPECT_THROW(values(u.g, u.readY(6)), runtime::RuntimeFault);
  try {
    values(u.g, u.readX(7));
    FAIL();
  } catch (const runtime::RuntimeFault& fault) {
    EXPECT_EQ(fault.message(), "`x` is read at s = 7, past end(s) = 6");
    EXPECT_EQ(fault.tensor, "z");
  }
}

}  // namespace
}  // namespace rlc::interpreter
