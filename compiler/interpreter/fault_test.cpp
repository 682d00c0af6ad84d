#include <gtest/gtest.h>

#include "compiler/interpreter/testing.h"

namespace rlc::interpreter {
namespace {

using pdg::testing::GraphBuilder;

runtime::RuntimeFault faultOf(GraphBuilder& g, NodeId id, const Point& point) {
  try {
    values(g, id, point);
  } catch (const runtime::RuntimeFault& fault) {
    return fault;
  }
  return runtime::RuntimeFault(diagnostics::Kind::DrawFault, "no fault", {}, "", {});
}

struct Division {
  GraphBuilder g;
  Var t = g.index("t", 0, 10);
  NodeId x = g.indexValue({t}, IndexExpr(t) - 3);
  NodeId ratio = g.map(ScalarOp::FloorDiv, {t}, {g.at(g.constant(12, DType::I32)), g.at(x, {t})});
};

TEST(Fault, DivisionByZeroNamesTensorAndPoint) {
  Division d;
  d.g.node(d.ratio).name = "ratio";
  d.g.node(d.ratio).span = {0, 7, 9};
  const runtime::RuntimeFault fault = faultOf(d.g, d.ratio, {3});
  EXPECT_EQ(fault.message(), "integer division by zero");
  EXPECT_EQ(fault.tensor, "ratio");
  EXPECT_EQ(fault.span.begin, 7u);
  ASSERT_EQ(fault.point.size(), 1u);
  EXPECT_EQ(fault.point[0], (std::pair<std::string, int64_t>("t", 3)));
}

TEST(Fault, AnUnnamedNodeIsCalledAfterItsReader) {
  Division d;
  const NodeId y = d.g.add("y", {d.t}, d.g.declared({d.t}), DType::I32, {}, pdg::Detach{},
                           {d.g.at(d.ratio, {d.t})});
  EXPECT_EQ(faultOf(d.g, y, {3}).tensor, "y");
}

TEST(Fault, OtherPointsStillEvaluateAfterwards) {
  Division d;
  Interpreter interpreter(d.g.graph());
  EXPECT_THROW(interpreter.evaluate(d.ratio, {3}), runtime::RuntimeFault);
  EXPECT_EQ(interpreter.evaluate(d.ratio, {5}).elements[0].i, 6);
  EXPECT_THROW(interpreter.evaluate(d.ratio, {3}), runtime::RuntimeFault);
}

TEST(Fault, TheFirstPointInOrderIsReported) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10), k = g.range("k");
  const NodeId x = g.indexValue({t}, IndexExpr::mod(IndexExpr(t), 3) - 2);
  const NodeId ratio =
      g.map(ScalarOp::FloorDiv, {t}, {g.at(g.constant(12, DType::I32)), g.at(x, {t})});
  const NodeId sum =
      g.reduce(pdg::ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {10}), g.at(ratio, {k}));
  EXPECT_EQ(faultOf(g, sum, {}).point[0].second, 2);
}

TEST(Fault, ACastThatDoesNotFitShowsTheValue) {
  GraphBuilder g;
  const NodeId i = g.cast(DType::I32, {}, g.at(g.constant(3e9)));
  EXPECT_EQ(faultOf(g, i, {}).message(), "the value 3e+09 does not fit in i32");
}

TEST(Fault, AGatherOutOfRangeShowsTheSubscript) {
  GraphBuilder g;
  const NodeId v = g.constant({1, 2, 3}, DType::F32, {3});
  g.node(v).name = "v";
  const NodeId gather = g.add(
      "y", {}, g.declared({}), DType::F32, {}, pdg::Detach{},
      {g.at(v, {}, {IndexExpr::value(1, nullptr, nullptr)}), g.at(g.constant(3, DType::I32))});
  const runtime::RuntimeFault fault = faultOf(g, gather, {});
  EXPECT_EQ(fault.message(), "`v[3]`: a subscript of `v` is outside of its shape");
  EXPECT_EQ(fault.point, (std::vector<std::pair<std::string, int64_t>>{{"the subscript", 3}}));
}

TEST(Fault, AGatherOfAnUndefinedPointIsOutOfRange) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  const auto points =
      g.where({t}, Condition::within(t, 0, 10) && Condition::equal(IndexExpr::mod(t, 2), 0));
  const NodeId even = g.declare("x", {t}, points, DType::I32);
  g.piece(even, points, g.at(g.add("", {t}, points, DType::I32, {}, pdg::IndexValue{t}, {}), {t}));
  const NodeId gather =
      g.add("y", {}, g.declared({}), DType::I32, {}, pdg::Detach{},
            {g.at(even, {IndexExpr::value(1, nullptr, nullptr)}), g.at(g.constant(3, DType::I32))});
  EXPECT_TRUE(faultOf(g, gather, {})
                  .message()
                  .starts_with("`x[3]`: a subscript of `x` is outside of its domain"));
}

TEST(Fault, AnEmptyMaxNamesTheReduction) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10), k = g.range("k");
  const NodeId x = g.indexValue({t}, t);
  const NodeId best =
      g.reduce(pdg::ReduceKind::Max, {t}, {k}, g.box({t, k}, {0, 0}, {10, t}), g.at(x, {k}));
  EXPECT_EQ(faultOf(g, best, {0}).message(), "`max` of an empty range");
  EXPECT_EQ(values(g, best, {4}), Values{3});
}

TEST(Fault, ADrawFromAnEmptyRangeShowsTheRange) {
  GraphBuilder g;
  const NodeId three = g.constant(3, DType::I32);
  const NodeId j = g.draw(pdg::DrawKind::UniformInt, "j", {}, {g.at(three), g.at(three)});
  EXPECT_EQ(faultOf(g, j, {}).message(), "a draw from the empty range 3..3");
}

TEST(Fault, MemoryIsLimited) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 1000000), k = g.range("k");
  const NodeId x = g.indexValue({t}, t);
  const NodeId sum =
      g.reduce(pdg::ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {1000000}), g.at(x, {k}));
  Options options;
  options.memoryLimit = 1 << 20;
  Interpreter interpreter(g.graph(), options);
  try {
    interpreter.evaluate(sum);
    FAIL();
  } catch (const runtime::RuntimeFault& fault) {
    EXPECT_EQ(fault.kind, diagnostics::Kind::OutOfMemory);
  }
}

TEST(Fault, AReductionWithoutEndIsRefused) {
  GraphBuilder g;
  const Var j = g.range("j"), k = g.range("k");
  const NodeId sum =
      g.reduce(pdg::ReduceKind::Sum, {}, {j, k}, g.box({j, k}, {0, 0}, {1000000000, 1000000000}),
               g.at(g.constant(1.0)));
  try {
    values(g, sum);
    FAIL();
  } catch (const runtime::RuntimeFault& fault) {
    EXPECT_EQ(fault.kind, diagnostics::Kind::TooManyPoints);
  }
}

TEST(FirstNan, TheTensorThatMadeItIsNamed) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10), k = g.range("k");
  const NodeId x = g.indexValue({t}, IndexExpr(t) - 3), zero = g.constant(0.0);
  const NodeId f = g.cast(DType::F32, {t}, g.at(x, {t}));
  const NodeId ratio = g.map(ScalarOp::Div, {t}, {g.at(zero), g.at(f, {t})});
  g.node(ratio).name = "ratio";
  const NodeId sum =
      g.reduce(pdg::ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {10}), g.at(ratio, {k}));
  Interpreter interpreter(g.graph());
  interpreter.evaluate(sum);
  ASSERT_TRUE(interpreter.firstNan());
  EXPECT_EQ(interpreter.firstNan()->tensor, "ratio");
  EXPECT_EQ(interpreter.firstNan()->point[0].second, 3);
}

}  // namespace
}  // namespace rlc::interpreter
