#include "compiler/schedule/storage.h"

#include <gtest/gtest.h>

#include "compiler/schedule/testing.h"

namespace rlc::schedule {
namespace {

using pdg::ReduceKind;
using pdg::testing::GraphBuilder;
using testing::plan;
using testing::Planned;

// A simulation whose end the updates read is in the loop over updates, in the first of them. Of
// what nothing else reads a lane keeps one point. What a count over all steps reads, too, is kept,
// in the order of the lanes that simulate, though the count's own run over the steps.
TEST(Storage, KeepsLittleOfWhatTheFirstIterationOfALoopSimulates) {
  for (const bool counted : {false, true}) {
    GraphBuilder g;
    const Var i = g.index("i", 0, 5), u = g.index("u", 0, 3), b = g.index("b", 0, 64),
              t = g.index("t", 0, 100);
    const NodeId w = g.declare("w", {i, u}, g.box({i, u}, {0, 0}, {5, 4}));
    const NodeId s = g.declare("s", {i, b, t}, g.box({i, b, t}, {0, 0, 0}, {5, 64, 101}));
    g.piece(s, g.box({i, b, t}, {0, 0, 0}, {5, 64, 1}),
            g.at(g.draw(pdg::DrawKind::Uniform01, "s", {i, b}), {i, b}));
    const NodeId step = g.map(ScalarOp::Mul, {i, b, t}, {g.at(s, {i, b, t}), g.at(w, {i, 0})});
    g.piece(s, g.box({i, b, t}, {0, 0, 1}, {5, 64, 101}), g.at(step, {i, b, IndexExpr(t) - 1}));
    const Set ends = g.box({i, u, b}, {0, 0, 0}, {5, 3, 64});
    const NodeId end = g.reduce(ReduceKind::Sum, {i, u}, {b}, ends, g.at(s, {i, b, 100}));
    const NodeId next = g.map(ScalarOp::Mul, {i, u}, {g.at(w, {i, u}), g.at(end, {i, u})});
    g.piece(w, g.box({i, u}, {0, 0}, {1, 1}), g.at(g.constant(1.0)));
    g.piece(w, g.box({i, u}, {1, 0}, {5, 1}), g.at(w, {IndexExpr(i) - 1, 3}));
    g.piece(w, g.box({i, u}, {0, 1}, {5, 4}), g.at(next, {i, IndexExpr(u) - 1}));
    g.sink(pdg::Sink::Kind::Report, "w", w);
    const Set all = g.box({i, b, t}, {0, 0, 0}, {5, 64, 100});
    if (counted)
      g.sink(pdg::Sink::Kind::Report, "count",
             g.reduce(ReduceKind::Sum, {i}, {b, t}, all, g.at(s, {i, b, t})));
    const Planned p = plan(g);
    EXPECT_NE(p.text.find("  for u in 0..4\n"), std::string::npos) << p.text;
    EXPECT_EQ(p.text.find("    lanes for t in 0..100\n") != std::string::npos, counted) << p.text;
    EXPECT_NE(p.memory.find(counted ? "s: i=ring 1 b=all 64 t=all 101,"
                                    : "s: i=ring 1 b=all 64 t=ring 1,"),
              std::string::npos)
        << p.text << p.memory;
    EXPECT_EQ(p.storage[static_cast<size_t>(s)].dims[1].stride, 1);
  }
}

// What lanes make lies lane by lane, but row by row where more rows are read, each wherever data
// say, than made.
TEST(Storage, LaysRowsOutThatAreReadWhereDataSay) {
  for (const int64_t batch : {64, 100000})
    for (const int64_t pixels : {2, 12, 100}) {
      GraphBuilder g;
      const Var b = g.index("b", 0, 64), t = g.index("t", 0, 100), m = g.index("m", 0, batch);
      const IndexExpr pixel(Var::element(0));
      const NodeId s =
          g.declare("s", {b, t}, g.box({b, t}, {0, 0}, {64, 101}), DType::F32, {pixels});
      g.piece(s, g.box({b, t}, {0, 0}, {64, 1}),
              g.at(g.draw(pdg::DrawKind::Uniform01, "s", {b}, {}, {pixels}), {b}, {pixel}));
      const NodeId step =
          g.map(ScalarOp::Mul, {b, t}, {g.at(s, {b, t}, {pixel}), g.at(g.constant(0.5), {}, {})},
                {pixels});
      g.piece(s, g.box({b, t}, {0, 1}, {64, 101}), g.at(step, {b, IndexExpr(t) - 1}, {pixel}));
      const NodeId which =
          g.draw(pdg::DrawKind::UniformInt, "which", {m},
                 {g.at(g.constant(0, DType::I32)), g.at(g.constant(64, DType::I32))});
      const IndexExpr lane = IndexExpr::value(1, std::make_shared<const IndexExpr>(0),
                                              std::make_shared<const IndexExpr>(63));
      const NodeId drawn = g.map(ScalarOp::Exp, {m},
                                 {g.at(s, {lane, 100}, {pixel}), g.at(which, {m}, {})}, {pixels});
      g.print("sum", g.reduce(ReduceKind::Sum, {}, {m}, g.box({m}, {0}, {batch}),
                              g.at(drawn, {m}, {pixel}), {pixels}));
      const Planned p = plan(g);
      const Storage& states = p.storage[static_cast<size_t>(s)];
      const bool rows = batch > 64 && pixels > 2;
      // A short row does not lie in two lines of a cache.
      const int64_t row = pixels == 12 ? 16 : pixels;
      EXPECT_EQ(states.dims[0].stride, rows ? row : 1) << p.text << p.memory;
      EXPECT_EQ(states.elementStride[0], rows ? 1 : 64) << p.text << p.memory;
    }
}

// Keys come point by point and are read along all points so far, which lie side by side: where each
// element's would begin in the same sets of a cache, they are a block longer.
TEST(Storage, KeepsRowsApartThatWouldShareTheSetsOfACache) {
  for (const int64_t points : {1000, 1024}) {
    GraphBuilder g;
    const Var t = g.index("t", 0, points), s = g.index("s", 0, IndexExpr(t) + 1);
    const Var k = g.range("k");
    const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {points + 1}), DType::F32, {64});
    g.piece(x, g.box({t}, {0}, {1}), g.at(g.draw(pdg::DrawKind::Uniform01, "x", {}, {}, {64}), {}));
    const Set pairs = g.box({t, s}, {0, 0}, {points, IndexExpr(t) + 1});
    const Set terms = g.box({t, s, k}, {0, 0, 0}, {points, IndexExpr(t) + 1, 64});
    const NodeId product =
        g.add("product", {t, s, k}, terms, DType::F32, {}, pdg::Map{ScalarOp::Mul},
              {g.at(x, {t}, {IndexExpr(k)}), g.at(x, {s}, {IndexExpr(k)})});
    const NodeId score = g.reduce(ReduceKind::Sum, {t, s}, {k}, terms, g.at(product, {t, s, k}));
    const NodeId top = g.reduce(ReduceKind::Max, {t}, {s}, pairs, g.at(score, {t, s}));
    const NodeId least = g.reduce(ReduceKind::Min, {t}, {s}, pairs, g.at(score, {t, s}));
    const NodeId spread = g.map(ScalarOp::Sub, {t}, {g.at(top, {t}), g.at(least, {t})});
    const NodeId next =
        g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(spread, {t}, {})}, {IndexExpr(64)});
    g.piece(x, g.box({t}, {1}, {points + 1}), g.at(next, {IndexExpr(t) - 1}));
    g.sink(pdg::Sink::Kind::Report, "spread", spread);
    const Planned p = plan(g);
    const Storage& keys = p.storage[static_cast<size_t>(x)];
    EXPECT_EQ(keys.dims[0].stride, 1) << p.text << p.memory;
    EXPECT_EQ(keys.elementStride[0], points == 1024 ? 1024 + 32 : 1000) << p.text << p.memory;
    EXPECT_EQ(keys.elements, 64 * keys.elementStride[0]);
  }
}

// One update of the weights for each round: the gradient may wait for its only readers, the
// updates, but the equations of each tensor stay in step, so that it is updated in its place.
TEST(Storage, UpdatesInPlaceWhatOneStepOfALoopChanges) {
  GraphBuilder g;
  const Var v = g.index("v", 0, 5), u = g.index("u", 0, 1);
  const NodeId w = g.declare("w", {v, u}, g.box({v, u}, {0, 0}, {5, 2})),
               m = g.declare("m", {v, u}, g.box({v, u}, {0, 0}, {5, 2}));
  const NodeId gradient = g.map(ScalarOp::Mul, {v, u}, {g.at(w, {v, u}), g.at(w, {v, 0})});
  const NodeId moment = g.map(ScalarOp::Add, {v, u}, {g.at(m, {v, u}), g.at(gradient, {v, u})});
  const NodeId next =
      g.map(ScalarOp::Sub, {v, u}, {g.at(gradient, {v, u}), g.at(m, {v, IndexExpr(u) + 1})});
  for (const auto& [tensor, update] : {std::pair{w, next}, std::pair{m, moment}}) {
    g.piece(tensor, g.box({v, u}, {0, 0}, {1, 1}), g.at(g.constant(1.0)));
    g.piece(tensor, g.box({v, u}, {1, 0}, {5, 1}), g.at(tensor, {IndexExpr(v) - 1, 1}));
    g.piece(tensor, g.box({v, u}, {0, 1}, {5, 2}), g.at(update, {v, IndexExpr(u) - 1}));
  }
  g.sink(pdg::Sink::Kind::Report, "w", w);
  const Planned p = plan(g);
  for (const char* kept : {"m: v=ring 1 u=ring 1,", "m[v, u] (equation 1)", "m[v, u] (equation 3)"})
    EXPECT_NE((p.text + p.memory).find(kept), std::string::npos) << p.text << p.memory;
}

}  // namespace
}  // namespace rlc::schedule
