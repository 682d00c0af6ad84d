#include "compiler/schedule/execution.h"

#include <gtest/gtest.h>

#include "compiler/schedule/testing.h"

namespace rlc::schedule {
namespace {

using pdg::NodeId;
using pdg::ReduceKind;
using pdg::testing::GraphBuilder;
using testing::plan;
using testing::Planned;

// Agents with a state of `width` numbers each, which a matrix of their own moves on.
Planned movedByMatrices(int64_t agents, int64_t width, LaneKind lanes = LaneKind::Vectors) {
  GraphBuilder g;
  const Var b = g.index("b", 0, agents), t = g.index("t", 0, 1000);
  const Var j = g.range("j");
  const IndexExpr row(Var::element(0));
  const NodeId w = g.draw(pdg::DrawKind::Uniform01, "w", {b}, {}, {width, width});
  const NodeId x =
      g.declare("x", {b, t}, g.box({b, t}, {0, 0}, {agents, 1001}), DType::F32, {width});
  g.piece(x, g.box({b, t}, {0, 0}, {agents, 1}),
          g.at(g.draw(pdg::DrawKind::Uniform01, "x", {b}, {}, {width}), {b}));
  const NodeId product = g.add(
      "product", {b, t, j}, g.box({b, t, j}, {0, 0, 0}, {agents, 1000, width}), DType::F32, {width},
      pdg::Map{ScalarOp::Mul}, {g.at(w, {b}, {row, j}), g.at(x, {b, t}, {IndexExpr(j)})});
  const NodeId moved =
      g.reduce(ReduceKind::Sum, {b, t}, {j}, g.box({b, t, j}, {0, 0, 0}, {agents, 1000, width}),
               g.at(product, {b, t, j}), {width});
  g.piece(x, g.box({b, t}, {0, 1}, {agents, 1001}), g.at(moved, {b, IndexExpr(t) - 1}));
  g.print("x", x);
  return plan(g, lanes);
}

// A register that few agents share is mostly empty where each has wide elements of its own; a GPU's
// threads are as good as lanes, and scalars leave no other lanes.
TEST(Execution, FewAgentsOfManyElementsEachHaveWholeRegisters) {
  const Planned few = movedByMatrices(4, 64);
  EXPECT_NE(few.text.find("threads for b in 0..4\n"), std::string::npos) << few.text;
  const Planned many = movedByMatrices(16, 64);
  EXPECT_NE(many.text.find("lanes for b in 0..16\n"), std::string::npos) << many.text;
  const Planned narrow = movedByMatrices(4, 8);
  EXPECT_NE(narrow.text.find("lanes for b in 0..4\n"), std::string::npos) << narrow.text;
  const Planned onGpu = movedByMatrices(4, 64, LaneKind::Threads);
  EXPECT_NE(onGpu.text.find("lanes for b in 0..4\n"), std::string::npos) << onGpu.text;
}

// Agents with one number each, which what `kind` makes of `length` others moves on.
Planned movedByReduction(ReduceKind kind, int64_t length) {
  GraphBuilder g;
  const Var b = g.index("b", 0, 4), t = g.index("t", 0, 1000), l = g.range("l");
  const NodeId w = g.draw(pdg::DrawKind::Uniform01, "w", {b, l});
  const NodeId x = g.declare("x", {b, t}, g.box({b, t}, {0, 0}, {4, 1001}));
  g.piece(x, g.box({b, t}, {0, 0}, {4, 1}), g.at(g.draw(pdg::DrawKind::Uniform01, "x", {b}), {b}));
  const NodeId product = g.map(ScalarOp::Mul, {b, t, l}, {g.at(w, {b, l}), g.at(x, {b, t})});
  const NodeId reduced = g.reduce(kind, {b, t}, {l}, g.box({b, t, l}, {0, 0, 0}, {4, 1000, length}),
                                  g.at(product, {b, t, l}));
  const NodeId moved = g.cast(DType::F32, {b, t}, g.at(reduced, {b, t}));
  g.piece(x, g.box({b, t}, {0, 1}, {4, 1001}), g.at(moved, {b, IndexExpr(t) - 1}));
  g.print("x", x);
  return plan(g);
}

// The terms of a long sum are lanes, too, but not those among which one is looked for.
TEST(Execution, FewAgentsOfLongSumsHaveWholeRegisters) {
  const Planned sums = movedByReduction(ReduceKind::Sum, 48);
  EXPECT_NE(sums.text.find("threads for b in 0..4\n"), std::string::npos) << sums.text;
  const Planned brief = movedByReduction(ReduceKind::Sum, 8);
  EXPECT_NE(brief.text.find("lanes for b in 0..4\n"), std::string::npos) << brief.text;
  const Planned positions = movedByReduction(ReduceKind::ArgMax, 48);
  EXPECT_NE(positions.text.find("lanes for b in 0..4\n"), std::string::npos) << positions.text;
}

// The matrices of `layers` layers, each the next from the one before; `looked`: and where each has
// the largest of so many of its rows' numbers, which only an iteration's own lane can look for.
Planned layersOfMatrices(int64_t layers, int64_t looked = 0, LaneKind lanes = LaneKind::Vectors) {
  GraphBuilder g;
  const Var l = g.index("l", 0, layers), u = g.index("u", 0, 100), r = g.range("r"),
            k = g.range("k");
  const IndexExpr row(Var::element(0)), column(Var::element(1));
  const auto steps = g.box({l, u}, {0, 0}, {layers, 100});
  const NodeId w =
      g.declare("w", {l, u}, g.box({l, u}, {0, 0}, {layers, 101}), DType::F32, {64, 64});
  g.piece(w, g.box({l, u}, {0, 0}, {layers, 1}),
          g.at(g.draw(pdg::DrawKind::Uniform01, "w", {l}, {}, {64, 64}), {l}));
  const NodeId next = g.add("next", {l, u}, steps, DType::F32, {64, 64}, pdg::Map{ScalarOp::Tanh},
                            {g.at(w, {l, u}, {row, column})});
  g.piece(w, g.box({l, u}, {0, 1}, {layers, 101}), g.at(next, {l, IndexExpr(u) - 1}));
  if (looked > 0)
    g.print("largest", g.reduce(ReduceKind::ArgMax, {l, u}, {r, k},
                                g.box({l, u, r, k}, {0, 0, 0, 0}, {layers, 100, looked, 64}),
                                g.at(w, {l, u}, {IndexExpr(r), IndexExpr(k)})));
  g.print("w", w);
  return plan(g, lanes);
}

// Elements side by side are as fast as lanes, whose layers lay between the elements of each.
TEST(Execution, LayersLeaveLanesToTheirElements) {
  const auto inLanes = [](const Planned& planned) {
    return planned.text.find("lanes for l in") != std::string::npos ||
           planned.text.find("lanes, threads for l in") != std::string::npos;
  };
  for (const int64_t layers : {5, 24, 64}) {
    const Planned planned = layersOfMatrices(layers);
    EXPECT_FALSE(inLanes(planned)) << planned.text;
  }
  const Planned looked = layersOfMatrices(24, 64);
  EXPECT_TRUE(inLanes(looked)) << looked.text;
  const Planned hardlyLooked = layersOfMatrices(24, 1);
  EXPECT_FALSE(inLanes(hardlyLooked)) << hardlyLooked.text;
  const Planned onGpu = layersOfMatrices(24, 0, LaneKind::Threads);
  EXPECT_TRUE(inLanes(onGpu)) << onGpu.text;
}

// Epochs go through their samples in orders of their own, which threads sort unless they are short;
// a GPU sorts each with all of its threads.
TEST(Execution, ThreadsShareLongPermutations) {
  const auto orders = [](int64_t samples, LaneKind lanes = LaneKind::Vectors) {
    GraphBuilder g;
    const Var e = g.index("e", 0, 4);
    const NodeId order = g.draw(pdg::DrawKind::Permutation, "order", {e}, {}, {samples});
    g.print("order", order);
    return plan(g, lanes).text;
  };
  EXPECT_NE(orders(512).find("threads for e in 0..4\n"), std::string::npos) << orders(512);
  EXPECT_EQ(orders(16).find("threads for e"), std::string::npos) << orders(16);
  EXPECT_EQ(orders(512, LaneKind::Threads).find("threads for e"), std::string::npos);
}

// x[s+1, i, j] = sum over l of x[s, i, l] w[l, j]: all of a row is read for each of its elements,
// so sums and rows have loops of their own, with rows for the lanes of a processor, whose registers
// hold some columns' sums, and columns for a GPU's threads.
TEST(Execution, ProductsOfMatricesHaveRowsForLanes) {
  GraphBuilder g;
  const Var s = g.index("s", 0, 10), i = g.index("i", 0, 64), j = g.index("j", 0, 48),
            l = g.index("l", 0, 48);
  const NodeId w = g.draw(pdg::DrawKind::Uniform01, "w", {l, j});
  const NodeId x = g.declare("x", {s, i, j}, g.box({s, i, j}, {0, 0, 0}, {11, 64, 48}));
  g.piece(x, g.box({s, i, j}, {0, 0, 0}, {1, 64, 48}),
          g.at(g.draw(pdg::DrawKind::Uniform01, "x", {i, j}), {i, j}));
  const NodeId product = g.map(ScalarOp::Mul, {s, i, j, l}, {g.at(x, {s, i, l}), g.at(w, {l, j})});
  const NodeId sum =
      g.reduce(ReduceKind::Sum, {s, i, j}, {l}, g.box({s, i, j, l}, {0, 0, 0, 0}, {10, 64, 48, 48}),
               g.at(product, {s, i, j, l}));
  g.piece(x, g.box({s, i, j}, {1, 0, 0}, {11, 64, 48}), g.at(sum, {IndexExpr(s) - 1, i, j}));
  g.print("last", g.reduce(ReduceKind::Max, {i}, {j}, g.box({i, j}, {0, 0}, {64, 48}),
                           g.at(x, {IndexExpr(10), i, j})));
  const Planned vectors = plan(g);
  EXPECT_NE(vectors.text.find("lanes for i in 0..64\n"), std::string::npos) << vectors.text;
  EXPECT_NE(vectors.text.find("for j in 0..48\n"), std::string::npos) << vectors.text;
  EXPECT_EQ(vectors.text.find("lanes for j in 0..48\n"), std::string::npos) << vectors.text;
  const Planned threads = plan(g, LaneKind::Threads);
  EXPECT_NE(threads.text.find("lanes for j in 0..48\n"), std::string::npos) << threads.text;
}

// The least of what a few networks say of each of a batch's samples: the samples are lanes, which
// share a network's weights. A few lanes that share a layer's weights compute vectors of its units.
TEST(Execution, FewNetworksAreNoLanesOfABatch) {
  const auto text = [](int64_t networks, bool weightsOfEach) {
    GraphBuilder g;
    const Var k = g.index("k", 0, 64), m = g.index("m", 0, networks), l = g.range("l");
    const IndexExpr unit(Var::element(0));
    const NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {k, m}, {}, {48});
    const NodeId own = g.draw(pdg::DrawKind::Uniform01, "w", {m}, {}, {48, 48});
    const NodeId common = g.draw(pdg::DrawKind::Uniform01, "c", {}, {}, {48, 48});
    const pdg::Read weight = weightsOfEach ? g.at(own, {m}, {unit, IndexExpr(l)})
                                           : g.at(common, {}, {unit, IndexExpr(l)});
    const NodeId product =
        g.map(ScalarOp::Mul, {k, m, l}, {weight, g.at(x, {k, m}, {IndexExpr(l)})}, {48});
    const Set terms = g.box({k, m, l}, {0, 0, 0}, {64, networks, 48});
    const NodeId layer =
        g.reduce(ReduceKind::Sum, {k, m}, {l}, terms, g.at(product, {k, m, l}, {unit}), {48});
    const pdg::Read number = g.at(layer, {k, m}, {IndexExpr(l)});
    const NodeId said =
        g.map(ScalarOp::Add, {k, m},
              {g.at(g.reduce(ReduceKind::Sum, {k, m}, {l}, terms, number), {k, m}),
               g.at(g.reduce(ReduceKind::Max, {k, m}, {l}, terms, number), {k, m})});
    const NodeId least = g.reduce(ReduceKind::Min, {k}, {m}, g.box({k, m}, {0, 0}, {64, networks}),
                                  g.at(said, {k, m}));
    g.print("sum", g.reduce(ReduceKind::Sum, {}, {k}, g.box({k}, {0}, {64}), g.at(least, {k})));
    return plan(g).text;
  };
  const auto batch = [](const std::string& text) {
    return text.find("lanes for k in 0..64\n") != std::string::npos ||
           text.find("lanes, threads for k in 0..64\n") != std::string::npos;
  };
  EXPECT_TRUE(batch(text(10, true))) << text(10, true);
  EXPECT_TRUE(batch(text(8, true))) << text(8, true);
  EXPECT_FALSE(batch(text(16, true))) << text(16, true);
  EXPECT_FALSE(batch(text(8, false))) << text(8, false);
}

}  // namespace
}  // namespace rlc::schedule
