// Each element-wise operation, and its second derivative.
#include "compiler/autodiff/testing.h"

namespace rlc::autodiff {
namespace {

using namespace testing;

// The sum over four values of op(x, ...), with operands of ours around `offset`.
Build unary(ScalarOp op, double offset, double scale, bool second) {
  return [=](GraphBuilder& g) {
    const Var t = g.index("t", 0, 4);
    const NodeId x = leaf(g, "x", {t}, {}, 1, offset, scale);
    const NodeId y = g.map(op, {t}, {g.at(x, {t})});
    NodeId loss = weightedSum(g, y);
    if (second) loss = weightedSum(g, addGrad(g, {loss, {}, x, {t}, {t}, g.declared({t})}), 3);
    return derivative(g, loss, x);
  };
}

Build binary(ScalarOp op, double a, double b, double scale, bool byFirst, bool second) {
  return [=](GraphBuilder& g) {
    const Var t = g.index("t", 0, 3);
    const NodeId x = leaf(g, "x", {t}, {IndexExpr(2)}, 1, a, scale);
    const NodeId y = leaf(g, "y", {t}, {IndexExpr(2)}, 2, b, scale);
    const NodeId z = g.map(op, {t}, {g.at(x, {t}), g.at(y, {t})}, {2});
    NodeId loss = weightedSum(g, z);
    const NodeId first = byFirst ? x : y;
    if (second)
      loss = weightedSum(g, addGrad(g, {loss, {}, byFirst ? y : x, {t}, {t}, g.declared({t})}), 3);
    return derivative(g, loss, first);
  };
}

TEST(MapGradients, UnaryOperations) {
  struct Case {
    ScalarOp op;
    double offset, scale;
  };
  const std::vector<Case> cases = {
      {ScalarOp::Neg, 0, 1},         {ScalarOp::Abs, 0, 1},     {ScalarOp::Exp, 0, 1},
      {ScalarOp::Expm1, 0, 1},       {ScalarOp::Log, 2, 1},     {ScalarOp::Log1p, 1, 1},
      {ScalarOp::Sqrt, 2, 1},        {ScalarOp::Sin, 0, 2},     {ScalarOp::Cos, 0, 2},
      {ScalarOp::Tan, 0, 1},         {ScalarOp::Asin, 0, 0.8},  {ScalarOp::Acos, 0, 0.8},
      {ScalarOp::Atan, 0, 2},        {ScalarOp::Sinh, 0, 1},    {ScalarOp::Cosh, 0, 1},
      {ScalarOp::Tanh, 0, 1},        {ScalarOp::Sigmoid, 0, 2}, {ScalarOp::Softplus, 0, 2},
      {ScalarOp::Erf, 0, 1},         {ScalarOp::Lgamma, 3, 2},  {ScalarOp::Digamma, 3, 2},
      {ScalarOp::Digamma, -0.5, 0.2}};
  for (const Case& c : cases) {
    SCOPED_TRACE(name(c.op));
    checkGradient(unary(c.op, c.offset, c.scale, false));
    if (c.op != ScalarOp::Abs)
      checkGradient(unary(c.op, c.offset, c.scale, true), {.tolerance = 1e-5});
  }
}

TEST(MapGradients, OperationsWithSteps) {
  for (ScalarOp op :
       {ScalarOp::Floor, ScalarOp::Ceil, ScalarOp::Round, ScalarOp::Trunc, ScalarOp::Sign}) {
    for (double value : checkGradient(unary(op, 0.1, 1, false), {.step = 0})) EXPECT_EQ(value, 0);
  }
}

TEST(MapGradients, BinaryOperations) {
  for (bool first : {true, false}) {
    for (bool second : {true, false}) {
      checkGradient(binary(ScalarOp::Add, 0, 0, 1, first, second));
      checkGradient(binary(ScalarOp::Sub, 0, 0, 1, first, second));
      checkGradient(binary(ScalarOp::Mul, 0, 0, 1, first, second));
      checkGradient(binary(ScalarOp::Div, 0, 2, 1, first, second));
      checkGradient(binary(ScalarOp::Pow, 2, 1, 1, first, second));
      checkGradient(binary(ScalarOp::Atan2, 1, 0.5, 1, first, second));
      checkGradient(binary(ScalarOp::Min, 0, 0, 1, first, second));
      checkGradient(binary(ScalarOp::Max, 0, 0, 1, first, second));
      checkGradient(binary(ScalarOp::Mod, 5.2, 1.4, 0.1, first, second));
    }
  }
}

// The derivative at given values of the operands.
double at(ScalarOp op, std::vector<double> operands, int by) {
  return checkGradient(
      [=](GraphBuilder& g) {
        std::vector<NodeId> nodes;
        std::vector<Read> reads;
        for (double value : operands) {
          nodes.push_back(g.param("p" + std::to_string(nodes.size()), value, DType::F64));
          reads.push_back(g.at(nodes.back(), {}));
        }
        const NodeId y = g.map(op, {}, reads);
        return derivative(g, y, nodes[static_cast<size_t>(by)]);
      },
      {.step = 0})[0];
}

TEST(MapGradients, Kinks) {
  EXPECT_EQ(at(ScalarOp::Max, {2, 2}, 0), 1);
  EXPECT_EQ(at(ScalarOp::Max, {2, 2}, 1), 0);
  EXPECT_EQ(at(ScalarOp::Min, {2, 2}, 0), 1);
  EXPECT_EQ(at(ScalarOp::Min, {2, 2}, 1), 0);
  EXPECT_EQ(at(ScalarOp::Abs, {0}, 0), 0);
}

TEST(MapGradients, PowersOfZero) {
  EXPECT_EQ(at(ScalarOp::Pow, {0, 0}, 0), 0);
  EXPECT_EQ(at(ScalarOp::Pow, {0, 0}, 1), 0);
  EXPECT_EQ(at(ScalarOp::Pow, {0, 1}, 0), 1);
  EXPECT_EQ(at(ScalarOp::Pow, {0, 2}, 0), 0);
  EXPECT_EQ(at(ScalarOp::Pow, {0, 2}, 1), 0);
  EXPECT_EQ(at(ScalarOp::Pow, {-2, 2}, 0), -4);
}

TEST(MapGradients, SideNotSelectedGivesZeroWhereItIsSingular) {
  // if x > 0 then x * log(x) else 0, at 0 and below
  for (double value : {0.0, -1.0}) {
    const auto gradient = checkGradient(
        [=](GraphBuilder& g) {
          const NodeId x = g.param("x", value, DType::F64), zero = g.constant(0, DType::F64);
          const NodeId positive = g.map(ScalarOp::Lt, {}, {g.at(zero), g.at(x)});
          const NodeId log = g.map(ScalarOp::Log, {}, {g.at(x)});
          const NodeId entropy = g.map(ScalarOp::Mul, {}, {g.at(x), g.at(log)});
          return derivative(
              g, g.map(ScalarOp::Select, {}, {g.at(positive), g.at(entropy), g.at(zero)}), x);
        },
        {.step = 0});
    EXPECT_EQ(gradient, std::vector<double>{0});
  }
}

TEST(MapGradients, DetachAndIntegersCut) {
  const auto gradient = checkGradient(
      [](GraphBuilder& g) {
        const NodeId x = g.param("x", 1.5, DType::F64);
        const NodeId cut = g.add("", {}, g.declared({}), DType::F64, {}, Detach{}, {g.at(x)});
        const NodeId whole = g.cast(DType::F64, {}, g.at(g.cast(DType::I32, {}, g.at(x))));
        const NodeId a = g.map(ScalarOp::Mul, {}, {g.at(x), g.at(cut)});
        return derivative(g, g.map(ScalarOp::Add, {}, {g.at(a), g.at(whole)}), x);
      },
      {.step = 0});
  EXPECT_EQ(gradient, std::vector<double>{1.5});
}

TEST(MapGradients, ZeroForWantOfADerivativeIsWarnedOf) {
  GraphBuilder g;
  const NodeId x = g.param("x", 1.5, DType::F64);
  const NodeId whole = g.cast(DType::F64, {}, g.at(g.cast(DType::I32, {}, g.at(x))));
  addGrad(g, derivative(g, whole, x));
  diagnostics::DiagnosticSink sink;
  expandGradients(g.graph(), sink);
  ASSERT_EQ(sink.sorted().size(), 1u);
  EXPECT_EQ(sink.sorted()[0].kind, diagnostics::Kind::ZeroGradient);
  EXPECT_FALSE(sink.hasErrors());
}

TEST(MapGradients, CastsBetweenFloatsKeepEachNodesType) {
  GraphBuilder g;
  const NodeId x = g.param("x", 3, DType::F64);
  const NodeId narrow = g.cast(DType::F32, {}, g.at(x));
  const NodeId square = g.map(ScalarOp::Mul, {}, {g.at(narrow), g.at(narrow)});
  const NodeId grad = addGrad(g, derivative(g, square, x));
  expandGradients(g.graph());
  verifyOrThrow(g.graph(), "after expansion");
  EXPECT_EQ(g.node(grad).type, DType::F64);
  EXPECT_EQ(interpreter::Interpreter(g.graph()).evaluate(grad).elements[0].asDouble(), 6);
}

TEST(MapGradients, NothingDependsGivesZero) {
  const auto gradient = checkGradient([](GraphBuilder& g) {
    const NodeId x = leaf(g, "x", {}, {IndexExpr(3)}), y = g.param("y", 1, DType::F64);
    return derivative(g, y, x);
  });
  EXPECT_EQ(gradient, (std::vector<double>{0, 0, 0}));
}

}  // namespace
}  // namespace rlc::autodiff
