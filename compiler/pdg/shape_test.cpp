#include "compiler/pdg/shape.h"

#include <gtest/gtest.h>

#include "compiler/pdg/testing.h"

namespace rlc::pdg {
namespace {

using testing::GraphBuilder;

TEST(Shape, ConstantExtentsAreNumbers) {
  GraphBuilder g;
  const NodeId m = g.constant({1, 2, 3, 4, 5, 6}, DType::F32, {2, 3});
  EXPECT_EQ(constantShape(g.node(m)), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(elementCount({2, 3}), 6);
  EXPECT_EQ(elementCount({}), 1);
}

TEST(Shape, AVaryingExtentHasAMaximum) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  const NodeId slice = g.indexValue({t}, Var::element(0), {IndexExpr(t) + 1});
  EXPECT_EQ(constantShape(g.node(slice)), std::nullopt);
  EXPECT_EQ(maximumShape(g.node(slice)), (std::vector<int64_t>{10}));
}

TEST(Shape, OnlyEqualElementsAreASplat) {
  GraphBuilder g;
  EXPECT_EQ(splatValue(g.node(g.constant({2, 2}, DType::F32, {2})))->f, 2.0);
  EXPECT_EQ(splatValue(g.node(g.constant({2, 3}, DType::F32, {2}))), std::nullopt);
}

}  // namespace
}  // namespace rlc::pdg
