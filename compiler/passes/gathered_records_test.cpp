#include "compiler/passes/gathered_records.h"

#include <gtest/gtest.h>

#include "compiler/passes/testing.h"

namespace rlc::passes {
namespace {

using namespace testing;

// Tensors over t in 0..6, each of a draw, and sums of what is read at j[m], m in 0..`samples`.
struct GatheredRecords : ::testing::Test {
  GraphBuilder g;
  Var t = g.index("t", 0, 6), m;
  NodeId j = -1;

  void samples(int64_t count) {
    m = g.index("m", 0, count);
    j = g.draw(pdg::DrawKind::UniformInt, "j", {m},
               {g.at(g.constant(0, DType::I32)), g.at(g.constant(6, DType::I32))});
  }
  NodeId tensor(const std::string& name, std::vector<IndexExpr> shape = {}) {
    const NodeId drawn =
        g.draw(pdg::DrawKind::Uniform01, "stream of " + name, {t}, {}, std::move(shape));
    g.node(drawn).name = name;
    return drawn;
  }
  Read gather(NodeId x, int value, std::vector<IndexExpr> element = {}, int64_t shift = 0) {
    const auto lo = std::make_shared<const IndexExpr>(0), hi = std::make_shared<const IndexExpr>(6);
    return {x, {IndexExpr::value(value, lo, hi) + IndexExpr(shift)}, std::move(element)};
  }
  // x + y of two gathers, printed.
  NodeId sum(Read x, Read y) {
    const NodeId result = g.add("", {m}, g.declared({m}), DType::F32, {}, pdg::Map{ScalarOp::Add},
                                {std::move(x), std::move(y), g.at(j, {m})});
    g.print("sum" + std::to_string(result), result);
    return result;
  }
  NodeId sum(NodeId x, NodeId y) { return sum(gather(x, 2), gather(y, 2)); }
  std::string noted() { return text(apply(gatheredRecords, g.graph())); }
};

TEST_F(GatheredRecords, LieSideBySide) {
  samples(20);
  const NodeId x = tensor("x"), y = tensor("y"), v = tensor("v", {IndexExpr(3)});
  const NodeId first = sum(x, y), second = sum(gather(x, 2), gather(v, 2, {IndexExpr(1)}));
  EXPECT_EQ(noted(),
            "`v`, `x`, `y` lie side by side where they are read at points that data say\n");
  const NodeId record = g.node(first).inputs[0].producer;
  EXPECT_EQ(g.node(first).inputs[1].producer, record);
  EXPECT_EQ(g.node(second).inputs[1].producer, record);
  EXPECT_EQ(g.node(second).inputs[1].element[0], IndexExpr(1));
  EXPECT_EQ(g.node(first).inputs[0].element[0], IndexExpr(3));
  EXPECT_EQ(g.node(record).shape[0], IndexExpr(5));
}

TEST_F(GatheredRecords, AreReadMoreOftenThanComputed) {
  samples(11);
  const NodeId x = tensor("x"), y = tensor("y"), z = tensor("z");
  sum(x, y), sum(y, z);
  EXPECT_EQ(noted(), "");
}

TEST_F(GatheredRecords, TwoTensorsStayAsTheyAre) {
  samples(20);
  sum(tensor("x"), tensor("y"));
  EXPECT_EQ(noted(), "");
}

TEST_F(GatheredRecords, HaveOnlyThePointsOfAllParts) {
  samples(20);
  const NodeId x = tensor("x"), y = tensor("y"), z = tensor("z");
  const NodeId longer = g.declare("longer", {t}, g.box({t}, {0}, {7}));
  g.piece(longer, g.box({t}, {0}, {7}), g.at(g.constant(2.5)));
  sum(x, y), sum(z, longer);
  const NodeId last = sum(gather(longer, 2, {}, 1), gather(x, 2));
  EXPECT_EQ(noted(),
            "`x`, `y`, `z` lie side by side where they are read at points that data say\n");
  EXPECT_EQ(g.node(last).inputs[0].producer, longer);
}

// A record is there once all of its parts are: what is computed from a gather is no part, or it
// would wait for itself.
TEST_F(GatheredRecords, DoNotHoldWhatIsComputedFromThem) {
  samples(20);
  const NodeId x = tensor("x"), y = tensor("y"), z = tensor("z");
  const NodeId total = g.reduce(ReduceKind::Sum, {}, {m}, g.declared({m}), g.at(sum(x, y), {m}));
  const NodeId late = g.map(ScalarOp::Mul, {t}, {g.at(y, {t}), g.at(total)});
  g.node(late).name = "late";
  const NodeId reader = sum(late, z);
  EXPECT_EQ(noted(),
            "`x`, `y`, `z` lie side by side where they are read at points that data say\n");
  EXPECT_EQ(g.node(reader).inputs[0].producer, late);
}

// A sum over a range of its own reads the record, too, whose line the others fetch anyway; it is no
// reason for one.
TEST_F(GatheredRecords, AreReadBySumsOverRanges) {
  samples(20);
  const NodeId x = tensor("x"), y = tensor("y"), z = tensor("z");
  const Var k = g.range("k");
  const auto total = [&](NodeId tensor) {
    const NodeId result =
        g.reduce(ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {20}), gather(tensor, 1));
    g.node(result).inputs.push_back(g.at(j, {k}));
    g.print("total" + std::to_string(result), result);
    return result;
  };
  const NodeId all = total(x);
  EXPECT_EQ(noted(), "");
  const NodeId first = sum(x, y);
  sum(y, z);
  // What is computed from a sum can't be read by it.
  const NodeId late = g.map(ScalarOp::Mul, {t}, {g.at(z, {t}), g.at(total(y))});
  g.node(late).name = "late";
  sum(x, late);
  EXPECT_EQ(noted(),
            "`x`, `y`, `z`, `late` lie side by side where they are read at points that data say\n");
  EXPECT_EQ(g.node(all).inputs[0].producer, g.node(first).inputs[0].producer);
  EXPECT_EQ(g.node(g.node(late).inputs[1].producer).inputs[0].producer, y);
}

// What an earlier iteration of the loop around has read is there: x[i+1, t] = x[i, t] + a sum of
// what is gathered at i.
TEST_F(GatheredRecords, MayHoldWhatIsComputedFromEarlierOnes) {
  const Var i = g.index("i", 0, 3);
  samples(20);
  const NodeId x = g.declare("x", {i, t}, g.box({i, t}, {0, 0}, {4, 6}));
  const NodeId y = g.map(ScalarOp::Exp, {i, t}, {g.at(x, {i, t})});
  const NodeId z = g.map(ScalarOp::Tanh, {t, i}, {g.at(x, {i, t})});
  const auto lo = std::make_shared<const IndexExpr>(0), hi = std::make_shared<const IndexExpr>(6);
  const IndexExpr drawn = IndexExpr::value(2, lo, hi);
  const auto add = [&](Read a, Read b) {
    return g.add("", {i, m}, g.declared({i, m}), DType::F32, {}, pdg::Map{ScalarOp::Add},
                 {std::move(a), std::move(b), g.at(j, {m})});
  };
  const NodeId first = add({x, {i, drawn}, {}}, {y, {i, drawn}, {}});
  const NodeId second = add({z, {drawn, i}, {}}, {y, {i, drawn}, {}});
  const NodeId both = g.map(ScalarOp::Add, {i, m}, {g.at(first, {i, m}), g.at(second, {i, m})});
  const NodeId total = g.reduce(ReduceKind::Sum, {i}, {m}, g.declared({i, m}), g.at(both, {i, m}));
  const NodeId next = g.map(ScalarOp::Sub, {i, t}, {g.at(x, {i, t}), g.at(total, {i})});
  g.piece(x, g.box({i, t}, {0, 0}, {1, 6}), g.at(tensor("start"), {t}));
  g.piece(x, g.box({i, t}, {1, 0}, {4, 6}), g.at(next, {IndexExpr(i) - 1, t}));
  g.print("x", x);
  noted();
  const NodeId record = g.node(first).inputs[0].producer;
  EXPECT_NE(record, x);
  EXPECT_EQ(g.node(first).inputs[1].producer, record);
  EXPECT_EQ(g.node(second).inputs[0].producer, record);
}

// Integers that f32 holds exactly, and truths, go through a cast and back.
TEST_F(GatheredRecords, HoldSmallIntegersAndTruths) {
  samples(20);
  const NodeId x = tensor("x"), y = tensor("y");
  const NodeId small =
      g.draw(pdg::DrawKind::UniformInt, "small", {t},
             {g.at(g.constant(-5, DType::I32)), g.at(g.constant(1000, DType::I32))});
  const NodeId large =
      g.draw(pdg::DrawKind::UniformInt, "large", {t},
             {g.at(g.constant(0, DType::I32)), g.at(g.constant(1 << 30, DType::I32))});
  const NodeId truth = g.map(ScalarOp::Lt, {t}, {g.at(x, {t}), g.at(y, {t})});
  sum(x, y);
  const NodeId integers = g.add("", {m}, g.declared({m}), DType::I32, {}, pdg::Map{ScalarOp::Add},
                                {gather(small, 2), gather(large, 2), g.at(j, {m})});
  g.print("integers", integers);
  const NodeId choice =
      g.add("", {m}, g.declared({m}), DType::F32, {}, pdg::Map{ScalarOp::Select},
            {gather(truth, 3), g.at(g.constant(1.0)), g.at(g.constant(2.0)), g.at(j, {m})});
  g.print("choice", choice);
  noted();
  EXPECT_NE(g.node(integers).inputs[0].producer, small);
  EXPECT_EQ(g.node(integers).inputs[1].producer, large);
  EXPECT_EQ(g.node(g.node(integers).inputs[0].producer).type, DType::I32);
  EXPECT_EQ(g.node(g.node(choice).inputs[0].producer).type, DType::Bool);
  EXPECT_NE(g.node(choice).inputs[0].producer, truth);
}

// What is one operation on other parts is computed where it is read.
TEST_F(GatheredRecords, DoNotHoldWhatFollowsFromOthers) {
  samples(20);
  const NodeId x = tensor("x"), y = tensor("y"), z = tensor("z");
  const NodeId total = g.map(ScalarOp::Add, {t}, {g.at(x, {t}), g.at(y, {t})});
  sum(x, y);
  const NodeId reader = sum(z, total);
  noted();
  const NodeId record = g.node(reader).inputs[0].producer;
  EXPECT_EQ(g.node(record).shape[0], IndexExpr(3));
  const pdg::Node& computed = g.node(g.node(reader).inputs[1].producer);
  ASSERT_TRUE(std::holds_alternative<pdg::Map>(computed.op));
  EXPECT_EQ(computed.dims, std::vector<Var>{m});
  EXPECT_EQ(computed.inputs[0].producer, record);
  EXPECT_EQ(computed.inputs[1].producer, record);
}

}  // namespace
}  // namespace rlc::passes
