#include "compiler/schedule/scheduler.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "compiler/schedule/expand_point_updates.h"
#include "compiler/schedule/recompute.h"
#include "compiler/schedule/testing.h"

namespace rlc::schedule {
namespace {

using pdg::ReduceKind;
using pdg::testing::GraphBuilder;
using polyhedral::Condition;
using testing::plan;
using testing::Planned;

// x[0] = 1; x[t+1] = 0.5 * x[t], over t in 0..10.
NodeId decay(GraphBuilder& g, Var t) {
  const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {11}));
  g.piece(x, g.where({t}, Condition::equal(t, 0)), g.at(g.constant(1.0)));
  const NodeId half = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(g.constant(0.5))});
  g.piece(x, g.box({t}, {1}, {11}), g.at(half, {IndexExpr(t) - 1}));
  return x;
}

// s[b, 0] drawn; s[b, t+1] = 0.5 * s[b, t], over some environments and steps.
NodeId simulation(GraphBuilder& g, Var b, Var t, int64_t count = 64, int64_t steps = 100) {
  const NodeId s = g.declare("s", {b, t}, g.box({b, t}, {0, 0}, {count, steps + 1}));
  g.piece(s, g.box({b, t}, {0, 0}, {count, 1}),
          g.at(g.draw(pdg::DrawKind::Uniform01, "s", {b}), {b}));
  const NodeId step = g.map(ScalarOp::Mul, {b, t}, {g.at(s, {b, t}), g.at(g.constant(0.5))});
  g.piece(s, g.box({b, t}, {0, 1}, {count, steps + 1}), g.at(step, {b, IndexExpr(t) - 1}));
  return s;
}

// The sum over k of x at these dims times a weight of its own for each k.
NodeId weighted(GraphBuilder& g, const std::vector<Var>& dims, std::vector<int64_t> ends,
                const pdg::Read& x, int64_t weights) {
  const Var k = g.range("k");
  const NodeId w = g.draw(pdg::DrawKind::Uniform01, "w", {}, {}, {weights});
  std::vector<Var> all = dims;
  all.push_back(k);
  ends.push_back(weights);
  const Set range = g.box(all, std::vector<IndexExpr>(all.size(), 0), {ends.begin(), ends.end()});
  const NodeId product = g.add("", all, range, DType::F32, {}, pdg::Map{ScalarOp::Mul},
                               {g.at(w, {}, {IndexExpr(k)}), x});
  std::vector<IndexExpr> at(all.begin(), all.end());
  return g.reduce(ReduceKind::Sum, dims, {k}, range, g.at(product, at));
}

// y goes upward and z, which begins where y ends, downward; both read the draw x.
TEST(Recompute, WhatTwoLoopsReadIsComputedInBothInsteadOfKept) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 100);
  const NodeId x = g.draw(pdg::DrawKind::StandardNormal, "x", {t});
  const NodeId y = g.declare("y", {t}, g.box({t}, {0}, {101})),
               z = g.declare("z", {t}, g.box({t}, {0}, {101}));
  g.piece(y, g.box({t}, {0}, {1}), g.at(g.constant(1.0)));
  g.piece(y, g.box({t}, {1}, {101}),
          g.at(g.map(ScalarOp::Add, {t}, {g.at(y, {t}), g.at(x, {t})}), {IndexExpr(t) - 1}));
  g.piece(z, g.box({t}, {100}, {101}), g.at(y, {IndexExpr(100)}));
  g.piece(z, g.box({t}, {0}, {100}),
          g.at(g.map(ScalarOp::Add, {t}, {g.at(z, {IndexExpr(t) + 1}), g.at(x, {t})}), {t}));
  g.print("first", g.reduce(ReduceKind::Sum, {}, {t}, g.box({t}, {0}, {1}), g.at(z, {t})));

  const Planned kept = plan(g);
  const auto elements = [&](const Planned& p) {
    int64_t most = 0;
    for (const Storage& storage : p.storage) most = std::max(most, storage.elements);
    return most;
  };
  EXPECT_EQ(elements(kept), 100) << kept.memory;
  EXPECT_EQ(recomputable(g.graph(), kept.statements, kept.schedule), std::vector<NodeId>{x});
  std::map<NodeId, NodeId> copies;
  const NodeId copy = recomputeWhereRead(g.graph(), kept.statements, kept.schedule, x, copies);
  EXPECT_EQ(copies, (std::map<NodeId, NodeId>{{x, copy}}));
  const Planned twice = plan(g);
  EXPECT_LE(elements(twice), 2) << twice.memory;
  EXPECT_TRUE(recomputable(g.graph(), twice.statements, twice.schedule).empty());
}

// A table of which one entry a step changes needs no second copy; one whose entries come from their
// neighbours does.
TEST(Storage, WhatIsComputedFromItsOwnPlaceLiesInIt) {
  for (const int64_t from : {0, -1}) {
    GraphBuilder g;
    const Var t = g.index("t", 0, 100), s = g.index("s", 0, 8);
    const NodeId x = g.declare("x", {t, s}, g.box({t, s}, {0, -1}, {101, 8}));
    g.piece(x, g.box({t, s}, {0, -1}, {1, 8}), g.at(g.constant(1.0)));
    g.piece(x, g.box({t, s}, {1, -1}, {101, 0}), g.at(g.constant(2.0)));
    const NodeId half =
        g.map(ScalarOp::Mul, {t, s}, {g.at(x, {t, IndexExpr(s) + from}), g.at(g.constant(0.5))});
    g.piece(x, g.box({t, s}, {1, 0}, {101, 8}), g.at(half, {IndexExpr(t) - 1, s}));
    g.print("sum",
            g.reduce(ReduceKind::Sum, {}, {s}, g.box({s}, {0}, {8}), g.at(x, {IndexExpr(100), s})));
    const std::string memory = plan(g).memory;
    EXPECT_EQ(memory.find("x: t=ring 1") != std::string::npos, from == 0) << memory;
  }
}

// Q[0, s] = 1; Q[t+1, s] = Q[t, s] with 0.5 at s == k[t], over t in 0..100 and s in 0..8.
NodeId tableOfOneChange(GraphBuilder& g, Var t, Var s) {
  const NodeId k = g.draw(pdg::DrawKind::UniformInt, "k", {t},
                          {g.at(g.constant(0, DType::I32)), g.at(g.constant(8, DType::I32))});
  const NodeId q = g.declare("Q", {t, s}, g.box({t, s}, {0, 0}, {101, 8}));
  g.piece(q, g.box({t, s}, {0, 0}, {1, 8}), g.at(g.constant(1.0)));
  const NodeId change = g.add("", {t, s}, g.declared({t, s}), DType::F32, {},
                              pdg::PointUpdate{{{s, IndexExpr::value(2, nullptr, nullptr)}}},
                              {g.at(q, {t, s}), g.at(g.constant(0.5)), g.at(k, {t})});
  g.piece(q, g.box({t, s}, {1, 0}, {101, 8}), g.at(change, {IndexExpr(t) - 1, s}));
  return q;
}

TEST(Storage, ATableOfWhichOneElementChangesLiesInItsPlace) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 100), s = g.index("s", 0, 8);
  const NodeId q = tableOfOneChange(g, t, s);
  g.print("sum",
          g.reduce(ReduceKind::Sum, {}, {s}, g.box({s}, {0}, {8}), g.at(q, {IndexExpr(100), s})));
  const Planned p = plan(g);
  EXPECT_NE(p.memory.find("Q: t=ring 1"), std::string::npos) << p.memory;
  EXPECT_NE(p.text.find("\n  Q[t, s] changes in one position"), std::string::npos) << p.text;
  EXPECT_TRUE(copiedUpdates(g.graph(), p.statements, p.storage).empty());
}

TEST(Storage, ATableThatIsReadOnceMoreIsToldOf) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 100), s = g.index("s", 0, 8);
  const NodeId q = tableOfOneChange(g, t, s);
  const NodeId difference =
      g.map(ScalarOp::Sub, {t, s}, {g.at(q, {IndexExpr(t) + 1, s}), g.at(q, {t, s})});
  g.print("sum", g.reduce(ReduceKind::Sum, {}, {t, s}, g.box({t, s}, {0, 0}, {100, 8}),
                          g.at(difference, {t, s})));
  const Planned p = plan(g);
  const auto copied = copiedUpdates(g.graph(), p.statements, p.storage);
  ASSERT_EQ(copied.size(), 1u) << p.memory;
  EXPECT_EQ(copied[0].node, q);
  expandPointUpdates(g.graph(), {copied[0].update});
  EXPECT_TRUE(pointUpdatesOf(g.graph()).empty());
  EXPECT_EQ(plan(g).text.find("changes in one position"), std::string::npos);
}

// best[t] = max(Q[t, k] for k) is read by what makes Q[t+1]: by then nobody needs Q[t].
TEST(Storage, WhatIsReadBeforeTheNextIsWrittenNeedsNoPlaceBeside) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 100), s = g.index("s", 0, 8), k = g.range("k");
  const NodeId q = g.declare("Q", {t, s}, g.box({t, s}, {0, 0}, {101, 8}));
  const NodeId best = g.reduce(ReduceKind::Max, {t}, {k}, g.box({t, k}, {0, 0}, {100, 8}),
                               g.at(q, {t, IndexExpr(k)}));
  g.piece(q, g.box({t, s}, {0, 0}, {1, 8}), g.at(g.constant(1.0)));
  const NodeId next = g.map(ScalarOp::Mul, {t, s}, {g.at(q, {t, s}), g.at(best, {t})});
  g.piece(q, g.box({t, s}, {1, 0}, {101, 8}), g.at(next, {IndexExpr(t) - 1, s}));
  g.print("sum",
          g.reduce(ReduceKind::Sum, {}, {s}, g.box({s}, {0}, {8}), g.at(q, {IndexExpr(100), s})));
  const std::string memory = plan(g).memory;
  EXPECT_NE(memory.find("Q: t=ring 1"), std::string::npos) << memory;
}

TEST(Scheduler, RunsARecurrenceForward) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  g.print("x", decay(g, t));
  EXPECT_EQ(plan(g).text,
            "for t in 0..11\n"
            "  x[t] (equation 1)\n"
            "  x[t] (equation 2)\n");
}

TEST(Scheduler, RunsAReturnBackward) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  const NodeId r = g.map(ScalarOp::Sin, {t},
                         {g.at(g.cast(DType::F32, {t}, g.at(g.indexValue({t}, t), {t})), {t})});
  const NodeId ret = g.declare("G", {t}, g.box({t}, {0}, {11}));
  const NodeId sum = g.map(ScalarOp::Add, {t}, {g.at(r, {t}), g.at(ret, {IndexExpr(t) + 1})});
  g.piece(ret, g.box({t}, {0}, {10}), g.at(sum, {t}));
  g.piece(ret, g.where({t}, Condition::equal(t, 10)), g.at(g.constant(0.0)));
  g.print("G", ret);
  EXPECT_EQ(plan(g).text,
            "for t in 0..11 downward\n"
            "  G[t] (equation 1)\n"
            "  G[t] (equation 2)\n");
}

// Mutual recurrences need a shift: a[t] reads b[t+1], b[t] reads a[t-2].
TEST(Scheduler, ShiftsMutualRecurrences) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  const NodeId a = g.declare("a", {t}, g.box({t}, {0}, {10}));
  const NodeId b = g.declare("b", {t}, g.box({t}, {0}, {12}));
  g.piece(a, g.box({t}, {0}, {10}), g.at(b, {IndexExpr(t) + 1}));
  g.piece(b, g.box({t}, {0}, {2}), g.at(g.constant(1.0)));
  const NodeId f = g.map(ScalarOp::Mul, {t}, {g.at(a, {IndexExpr(t) - 2}), g.at(g.constant(0.5))});
  g.node(f).domain = g.box({t}, {2}, {12});
  g.piece(b, g.box({t}, {2}, {12}), g.at(f, {t}));
  g.print("a", a);
  const Planned p = plan(g);
  EXPECT_EQ(p.text,
            "for t in 0..12\n"
            "  b[t] (equation 1)\n"
            "  b[t] (equation 2)\n"
            "  a[t - 1] (equation 1)\n");
}

// A rollout over environments and steps, its returns backward, the mean of what both give: one loop
// over lanes.
TEST(Scheduler, FusesARolloutWithItsReturns) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 5), b = g.index("b", 0, 64), t = g.index("t", 0, 100);
  const NodeId w = g.declare("w", {i}, g.box({i}, {0}, {6}));
  const NodeId s = g.declare("s", {i, b, t}, g.box({i, b, t}, {0, 0, 0}, {5, 64, 101}));
  g.piece(s, g.box({i, b, t}, {0, 0, 0}, {5, 64, 1}),
          g.at(g.draw(pdg::DrawKind::Uniform01, "s", {i, b}), {i, b}));
  const NodeId step = g.map(ScalarOp::Mul, {i, b, t}, {g.at(s, {i, b, t}), g.at(w, {i})});
  g.piece(s, g.box({i, b, t}, {0, 0, 1}, {5, 64, 101}), g.at(step, {i, b, IndexExpr(t) - 1}));
  const NodeId ret = g.declare("G", {i, b, t}, g.box({i, b, t}, {0, 0, 0}, {5, 64, 101}));
  const NodeId sum =
      g.map(ScalarOp::Add, {i, b, t}, {g.at(s, {i, b, t}), g.at(ret, {i, b, IndexExpr(t) + 1})});
  g.piece(ret, g.box({i, b, t}, {0, 0, 0}, {5, 64, 100}), g.at(sum, {i, b, t}));
  g.piece(ret, g.box({i, b, t}, {0, 0, 100}, {5, 64, 101}), g.at(g.constant(0.0)));
  const NodeId product =
      g.map(ScalarOp::Mul, {i, b, t}, {g.at(s, {i, b, t}), g.at(ret, {i, b, t})});
  const Set range = g.box({i, b, t}, {0, 0, 0}, {5, 64, 100});
  const NodeId loss = g.reduce(ReduceKind::Sum, {i}, {b, t}, range, g.at(product, {i, b, t}));
  g.node(loss).name = "loss";
  const NodeId next = g.map(ScalarOp::Sub, {i}, {g.at(w, {i}), g.at(loss, {i})});
  g.piece(w, g.box({i}, {0}, {1}), g.at(g.constant(1.0)));
  g.piece(w, g.box({i}, {1}, {6}), g.at(next, {IndexExpr(i) - 1}));
  g.sink(pdg::Sink::Kind::Report, "loss", loss);
  const Planned p = plan(g);
  EXPECT_EQ(p.text,
            "for i in 0..6\n"
            "  loss[i] starts\n"
            "  w[i] (equation 1)\n"
            "  w[i] (equation 2)\n"
            "  lanes for b in 0..64\n"
            "    for t in 0..101\n"
            "      s[i, b, t] (equation 1)\n"
            "      s[i, b, t] (equation 2)\n"
            "    for t in 0..101 downward\n"
            "      G[i, b, t] (equation 1)\n"
            "      G[i, b, t] (equation 2)\n"
            "      loss[i] accumulates\n"
            "  emit \"loss\"\n");
  EXPECT_EQ(p.memory,
            "w: i=ring 1, 1 x f32\n"
            "s: i=ring 1 b=lane t=all 101, 101 x f32 per lane\n"
            "G: i=ring 1 b=lane t=ring 1, 1 x f32 per lane\n"
            "loss: i=ring 2, 2 x f32\n");
}

// Weights that a loop over u updates, which the next iteration of the loop outside goes on from:
// one point, however many updates, for what is carried over lies in its place already. Not if its
// elements change places on the way.
TEST(Scheduler, KeepsALoopsLastPointForTheNextIteration) {
  for (const bool reversed : {false, true}) {
    GraphBuilder g;
    const Var i = g.index("i", 0, 5), u = g.index("u", 0, 100);
    const IndexExpr e(Var::element(0));
    const NodeId w = g.declare("w", {i, u}, g.box({i, u}, {0, 0}, {5, 101}), DType::F32, {4});
    g.piece(w, g.box({i, u}, {0, 0}, {1, 1}), g.at(g.constant(1.0), {}, {}));
    g.piece(w, g.box({i, u}, {1, 0}, {5, 1}),
            g.at(w, {IndexExpr(i) - 1, 100}, {reversed ? IndexExpr(3) - e : e}));
    const NodeId step =
        g.map(ScalarOp::Mul, {i, u}, {g.at(w, {i, u}), g.at(g.constant(0.5), {}, {})}, {4});
    g.piece(w, g.box({i, u}, {0, 1}, {5, 101}), g.at(step, {i, IndexExpr(u) - 1}));
    g.sink(pdg::Sink::Kind::Report, "after",
           g.map(ScalarOp::Exp, {i}, {g.at(w, {i, 100}, {IndexExpr(0)})}));
    const Planned p = plan(g);
    EXPECT_NE(p.memory.find(reversed ? "w: i=ring 2 u=ring 1, 8 x f32\n"
                                     : "w: i=ring 1 u=ring 1, 4 x f32\n"),
              std::string::npos)
        << p.text << p.memory;
  }
}

// Three points from the end are read behind the loop: the last three are kept, where the loop ends
// for that i.
TEST(Scheduler, KeepsNoMoreThanFromTheFirstPointReadBehindALoop) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 5), t = g.index("t", 0, 100);
  const Set all = g.box({i, t}, {0, 0}, {5, 101})
                      .intersect(Condition::lessEqual(IndexExpr(t), IndexExpr(i) * 20));
  const NodeId x = g.declare("x", {i, t}, all);
  g.piece(x, g.box({i, t}, {0, 0}, {5, 1}), g.at(g.constant(1.0)));
  const NodeId step = g.map(ScalarOp::Mul, {i, t}, {g.at(x, {i, t}), g.at(g.constant(0.5))});
  g.piece(x, all.intersect(Condition::less(IndexExpr(0), IndexExpr(t))),
          g.at(step, {i, IndexExpr(t) - 1}));
  g.sink(pdg::Sink::Kind::Report, "two", g.map(ScalarOp::Exp, {}, {g.at(x, {2, 38})}));
  const Planned p = plan(g);
  EXPECT_NE(p.memory.find("t=ring 3"), std::string::npos) << p.text << p.memory;
}

// What reads the states of all steps and environments, but needs a mean over the environments
// first, runs over the steps, each with the environments as its lanes: as the states lie in memory.
TEST(Scheduler, LanesOfASimulationStayInside) {
  GraphBuilder g;
  const Var b = g.index("b", 0, 64), t = g.index("t", 0, 100);
  const NodeId s = simulation(g, b, t);
  const Set range = g.box({b, t}, {0, 0}, {64, 100});
  const NodeId mean = g.reduce(ReduceKind::Sum, {}, {b, t}, range, g.at(s, {b, t}));
  g.node(mean).name = "mean";
  const NodeId off = g.map(ScalarOp::Sub, {b, t}, {g.at(s, {b, t}), g.at(mean, {})});
  const NodeId square = g.map(ScalarOp::Mul, {b, t}, {g.at(off, {b, t}), g.at(off, {b, t})});
  const NodeId spread = g.reduce(ReduceKind::Sum, {}, {b, t}, range, g.at(square, {b, t}));
  g.node(spread).name = "spread";
  g.print("spread", spread);
  const Planned p = plan(g);
  EXPECT_NE(p.text.find("for b in 0..64\n"), std::string::npos) << p.text;
  const auto outer = p.text.find("for t in 0..100\n");
  ASSERT_NE(outer, std::string::npos) << p.text;
  EXPECT_NE(p.text.find("lanes for b in 0..64\n", outer), std::string::npos) << p.text;
}

// Clocks that all lanes share make `t` the index of most statements; what a simulation of lanes
// reads and what reads it runs in its lanes all the same.
TEST(Scheduler, WhatASimulationTouchesFollowsItsLanes) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 100), b = g.index("b", 0, 64);
  for (const char* clock : {"clock", "timer"}) {
    const NodeId c = g.declare(clock, {t}, g.box({t}, {0}, {101}));
    g.piece(c, g.box({t}, {0}, {1}), g.at(g.constant(0.0)));
    const NodeId next = g.map(ScalarOp::Add, {t}, {g.at(c, {t}), g.at(g.constant(1.0))});
    g.piece(c, g.box({t}, {1}, {101}), g.at(next, {IndexExpr(t) - 1}));
    g.print(clock, c);
  }
  const NodeId noise = g.draw(pdg::DrawKind::Uniform01, "noise", {b, t});
  const NodeId s = g.declare("s", {b, t}, g.box({b, t}, {0, 0}, {64, 101}));
  g.piece(s, g.box({b, t}, {0, 0}, {64, 1}), g.at(g.draw(pdg::DrawKind::Uniform01, "s", {b}), {b}));
  const NodeId step = g.map(ScalarOp::Mul, {b, t}, {g.at(s, {b, t}), g.at(noise, {b, t})});
  g.piece(s, g.box({b, t}, {0, 1}, {64, 101}), g.at(step, {b, IndexExpr(t) - 1}));
  const NodeId product = g.map(ScalarOp::Mul, {b, t}, {g.at(s, {b, t}), g.at(noise, {b, t})});
  g.print("reward", g.reduce(ReduceKind::Sum, {}, {b, t}, g.box({b, t}, {0, 0}, {64, 100}),
                             g.at(product, {b, t})));
  const Planned p = plan(g);
  EXPECT_NE(p.memory.find("noise: b=lane t=ring 2"), std::string::npos) << p.text << p.memory;
}

// The scale is ready before the simulation starts, though it comes later in the program: it does
// not part what the simulation computes from what reads both, so no array of all steps is kept.
TEST(Scheduler, WhatNeedsNoLoopDoesNotPartLoops) {
  GraphBuilder g;
  const Var b = g.index("b", 0, 64), t = g.index("t", 0, 100);
  const NodeId s = simulation(g, b, t);
  const NodeId scale =
      g.map(ScalarOp::Exp, {}, {g.at(g.draw(pdg::DrawKind::Uniform01, "scale", {}), {})});
  g.node(scale).name = "scale";
  const NodeId scaled = g.map(ScalarOp::Mul, {b, t}, {g.at(s, {b, t}), g.at(scale, {})});
  const Set range = g.box({b, t}, {0, 0}, {64, 100});
  const NodeId mean = g.reduce(ReduceKind::Sum, {}, {b, t}, range, g.at(scaled, {b, t}));
  g.node(mean).name = "mean";
  g.print("mean", mean);
  const Planned p = plan(g);
  EXPECT_NE(p.memory.find("s: b=lane t=ring"), std::string::npos) << p.text << p.memory;
}

// Four environments fill a quarter of a register. What is computed from each of their steps, and
// waits for no other step, has the steps for its lanes; not where that would keep millions of them,
// nor where the environments are lanes enough.
TEST(Scheduler, ValuesOfFewEnvironmentsHaveTheirStepsForLanes) {
  const auto planned = [](int64_t count, int64_t steps) {
    GraphBuilder g;
    const Var b = g.index("b", 0, count), t = g.index("t", 0, steps);
    const NodeId s = simulation(g, b, t, count, steps);
    const NodeId value = weighted(g, {b, t}, {count, steps}, g.at(s, {b, t}), 2000);
    g.node(value).name = "value";
    // What reads the values goes along with the environments, downward.
    const NodeId a = g.declare("a", {b, t}, g.box({b, t}, {0, 0}, {count, steps + 1}));
    g.piece(a, g.box({b, t}, {0, steps}, {count, steps + 1}), g.at(g.constant(0.0)));
    const NodeId sum =
        g.add("", {b, t}, g.box({b, t}, {0, 0}, {count, steps}), DType::F32, {},
              pdg::Map{ScalarOp::Add}, {g.at(value, {b, t}), g.at(a, {b, IndexExpr(t) + 1})});
    g.piece(a, g.box({b, t}, {0, 0}, {count, steps}), g.at(sum, {b, t}));
    const NodeId both = g.map(ScalarOp::Mul, {b, t}, {g.at(a, {b, t}), g.at(value, {b, t})});
    g.node(both).domain = g.box({b, t}, {0, 0}, {count, steps});
    g.print("most", g.reduce(ReduceKind::Max, {b}, {t}, g.box({b, t}, {0, 0}, {count, steps}),
                             g.at(both, {b, t})));
    return plan(g).text;
  };
  const std::string lanes = "lanes for t in 0..";
  EXPECT_NE(planned(4, 100).find(lanes), std::string::npos) << planned(4, 100);
  EXPECT_EQ(planned(64, 100).find(lanes), std::string::npos) << planned(64, 100);
  EXPECT_EQ(planned(4, 1000000).find(lanes), std::string::npos) << planned(4, 1000000);
}

// Two loops of much the same work over samples, the second of which needs their mean: that has a
// loop of its own, so that the two stand apart. Not where one of them has little to do, or both
// have so much that threads share each well.
TEST(Scheduler, LoopsOfMuchTheSameWorkStandApart) {
  const auto loops = [](int64_t samples, int64_t first, int64_t second) {
    GraphBuilder g;
    const Var m = g.index("m", 0, samples);
    const Set all = g.box({m}, {0}, {samples});
    const NodeId x = g.draw(pdg::DrawKind::Uniform01, "x", {m});
    const NodeId doubled = g.map(ScalarOp::Add, {m}, {g.at(x, {m}), g.at(x, {m})});
    const NodeId one = weighted(g, {m}, {samples}, g.at(doubled, {m}), first);
    g.print("one", g.reduce(ReduceKind::Sum, {}, {m}, all, g.at(one, {m})));
    const NodeId mean = g.reduce(ReduceKind::Sum, {}, {m}, all, g.at(doubled, {m}));
    const NodeId centered = g.map(ScalarOp::Sub, {m}, {g.at(doubled, {m}), g.at(mean, {})});
    const NodeId two = weighted(g, {m}, {samples}, g.at(centered, {m}), second);
    g.print("two", g.reduce(ReduceKind::Sum, {}, {m}, all, g.at(two, {m})));
    const std::string text = plan(g).text;
    int count = 0;
    for (size_t at = text.find("for m in"); at != std::string::npos;
         at = text.find("for m in", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(loops(128, 10000, 10000), 3);
  EXPECT_EQ(loops(128, 10000, 100), 2);
  EXPECT_EQ(loops(128, 1000000, 1000000), 2);
}

// y[r] = sum over u of x[r + u], of elements or of points: over elements the sum is part of y, over
// points it runs along with what produces them.
TEST(Scheduler, AWindowOverElementsIsPartOfWhatUsesIt) {
  for (const bool elements : {false, true}) {
    GraphBuilder g;
    const Var p = g.index("p", 0, 10), r = g.index("r", 0, 8), u = g.range("u");
    const NodeId x = elements ? g.draw(pdg::DrawKind::Uniform01, "x", {}, {}, {10})
                              : g.draw(pdg::DrawKind::Uniform01, "x", {p});
    g.node(x).name = "x";
    const IndexExpr place = IndexExpr(r) + IndexExpr(u);
    const Set range = g.box({r, u}, {0, 0}, {8, 3});
    const NodeId product =
        g.add("", {r, u}, range, DType::F32, {}, pdg::Map{ScalarOp::Mul},
              {elements ? g.at(x, {}, {place}) : g.at(x, {place}), g.at(g.constant(0.5))});
    const NodeId sum = g.reduce(ReduceKind::Sum, {r}, {u}, range, g.at(product, {r, u}));
    const NodeId y = g.map(ScalarOp::Add, {r}, {g.at(sum, {r}), g.at(g.constant(1.0))});
    g.print("y", y);
    const Planned planned = plan(g);
    EXPECT_EQ(planned.text.find("accumulates") == std::string::npos, elements) << planned.text;
  }
}

// 20 iterations of 100 steps for 64 lanes, each iteration from where the one before has ended;
// every step is `step` of the value.
NodeId throughIterations(GraphBuilder& g, const std::array<Var, 3>& ibt, const std::string& name,
                         const std::function<NodeId(NodeId)>& step) {
  const auto [i, b, t] = ibt;
  const NodeId x = g.declare(name, {i, b, t}, g.box({i, b, t}, {0, 0, 0}, {20, 64, 101}));
  g.piece(x, g.box({i, b, t}, {0, 0, 0}, {1, 64, 1}),
          g.at(g.draw(pdg::DrawKind::Uniform01, name, {b}), {b}));
  g.piece(x, g.box({i, b, t}, {1, 0, 0}, {20, 64, 1}),
          g.at(x, {IndexExpr(i) - 1, b, IndexExpr(100)}));
  g.piece(x, g.box({i, b, t}, {0, 0, 1}, {20, 64, 101}), g.at(step(x), {i, b, IndexExpr(t) - 1}));
  return x;
}

// The mean over all lanes keeps the simulation's loop over the iterations outside.
NodeId simulation(GraphBuilder& g, const std::array<Var, 3>& ibt) {
  const auto [i, b, t] = ibt;
  return throughIterations(g, ibt, "s", [&, i = i, b = b, t = t](NodeId x) {
    const NodeId mean = g.reduce(ReduceKind::Sum, {i}, {b}, g.box({i, b}, {0, 0}, {20, 64}),
                                 g.at(x, {i, b, IndexExpr(0)}));
    return g.map(ScalarOp::Mul, {i, b, t}, {g.at(x, {i, b, t}), g.at(mean, {i})});
  });
}

// What is added up along the steps of all iterations.
NodeId sumAlong(GraphBuilder& g, const std::array<Var, 3>& ibt, NodeId s) {
  const auto [i, b, t] = ibt;
  return throughIterations(g, ibt, "sum", [&, i = i, b = b, t = t](NodeId x) {
    return g.map(ScalarOp::Add, {i, b, t}, {g.at(x, {i, b, t}), g.at(s, {i, b, t})});
  });
}

// What counts along the steps of all iterations reads a simulation of each, whose loop over the
// iterations is in order: it goes along with that loop, although its lanes could be outermost, so
// that no array of all iterations is kept.
TEST(Scheduler, WhatGoesInOrderFollowsTheLoopThatItReads) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 20), b = g.index("b", 0, 64), t = g.index("t", 0, 100);
  const NodeId s = simulation(g, {i, b, t});
  const NodeId sum = sumAlong(g, {i, b, t}, s);
  g.print("sum", sum);
  g.print("s", s);
  const Planned p = plan(g);
  EXPECT_EQ(p.text.find("for i in 0..20"), p.text.rfind("for i in 0..20")) << p.text;
}

// So does an iteration's sum over lanes and steps: it is shown when the iteration is done.
TEST(Scheduler, ASumOverLanesFollowsTheLoopThatItReads) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 20), b = g.index("b", 0, 64), t = g.index("t", 0, 100);
  const NodeId s = simulation(g, {i, b, t});
  const NodeId sum = sumAlong(g, {i, b, t}, s);
  g.print("total", g.reduce(ReduceKind::Sum, {i}, {b, t},
                            g.box({i, b, t}, {0, 0, 0}, {20, 64, 100}), g.at(sum, {i, b, t})));
  const Planned p = plan(g);
  EXPECT_EQ(p.text.find("for i in 0..20"), p.text.rfind("for i in 0..20")) << p.text;
  EXPECT_NE(p.memory.find("sum: i=ring 1"), std::string::npos) << p.memory;
}

// x[i, j] = x[i-1, j+1] + x[i-2, j-1] needs i before j, but x[i, j] = x[i, j-1] + x[i+1, j-2] needs
// a skewed order.
TEST(Scheduler, LeavesSkewedOrdersToIsl) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 6), j = g.index("j", 0, 6);
  const NodeId x = g.declare("x", {i, j}, g.box({i, j}, {0, 0}, {6, 6}));
  const Set inner = g.box({i, j}, {1, 2}, {5, 5});
  const NodeId f = g.map(ScalarOp::Add, {i, j},
                         {g.at(x, {IndexExpr(i) - 1, IndexExpr(j) + 1}),
                          g.at(x, {IndexExpr(i) + 1, IndexExpr(j) - 2})});
  g.node(f).domain = inner;
  g.piece(x, inner, g.at(f, {i, j}));
  g.piece(x, g.box({i, j}, {0, 0}, {6, 6}).subtract(inner), g.at(g.constant(1.0)));
  g.print("x", x);
  EXPECT_NE(plan(g).text.find("in an order found by isl"), std::string::npos);
}

// Each x[i, j] reads others at [i-1, j+70] and [i+1, j-80]: `72 i + j` is no small sum of the
// indices, and with too few steps isl finds nothing either.
TEST(Order, ThatIsNotFoundInTimeSaysSo) {
  constexpr size_t kTensors = 5;
  bool late = false;
  for (unsigned long budget = 1000; budget < 1'000'000 && !late; budget *= 2) {
    try {
      GraphBuilder g(budget);
      const Var i = g.index("i", 0, 4), j = g.index("j", 0, 160);
      std::vector<NodeId> x;
      for (size_t k = 0; k < kTensors; ++k)
        x.push_back(g.declare("x" + std::to_string(k), {i, j}, g.box({i, j}, {0, 0}, {4, 160})));
      const auto one = g.at(g.constant(1.0));
      for (size_t k = 0; k < kTensors; ++k) {
        const auto whole = g.box({i, j}, {0, 0}, {4, 160});
        const auto back = g.box({i, j}, {1, 0}, {4, 90}), on = g.box({i, j}, {0, 80}, {3, 160});
        const auto part = [&](const std::string& name, const polyhedral::Set& where, NodeId read,
                              const IndexExpr& atI, const IndexExpr& atJ) {
          const NodeId id = g.declare(name + std::to_string(k), {i, j}, whole);
          g.piece(id, where, g.at(read, {atI, atJ}));
          g.piece(id, whole.subtract(where), one);
          return g.at(id, {i, j});
        };
        const auto a = part("a", back, x[(k + 1) % kTensors], IndexExpr(i) - 1, IndexExpr(j) + 70);
        const auto b =
            part("b", on, x[(3 * k + 2) % kTensors], IndexExpr(i) + 1, IndexExpr(j) - 80);
        g.piece(x[k], whole, g.at(g.map(ScalarOp::Add, {i, j}, {a, b}), {i, j}));
      }
      g.print("x", x.front());
      plan(g);
    } catch (const NoOrder& none) {
      late = none.outOfTime && std::string(none.what()).starts_with("an order of `");
    } catch (const polyhedral::OperationLimit&) {
    }
  }
  EXPECT_TRUE(late);
}

}  // namespace
}  // namespace rlc::schedule
