#include "compiler/passes/pipeline.h"

#include <gtest/gtest.h>

#include <ctime>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/passes/testing.h"

namespace rlc::passes {
namespace {

using pdg::IndexExpr;
using pdg::NodeId;
using pdg::Var;
using pdg::testing::GraphBuilder;

TEST(Pipeline, NamesAnUnknownPassAndTheNearest) {
  EXPECT_EQ(unknownPass("dead-code"), "");
  EXPECT_EQ(unknownPass("dead-cod"), "there is no pass `dead-cod`: did you mean `dead-code`?");
  EXPECT_NE(unknownPass("vectors").find("the passes are dead-code, "), std::string::npos);
  GraphBuilder g;
  EXPECT_THROW(runPasses(g.graph(), {.disabled = {"vectors"}, .observer = {}}), InternalError);
}

TEST(Pipeline, ReportsWhatEachRunDid) {
  GraphBuilder g;
  g.constant(2.0);
  g.print("one", g.constant(1.0));
  std::vector<std::string> seen;
  const PassReport report = runPasses(
      g.graph(),
      {.disabled = {"simplify"},
       .verifyEach = true,
       .observer = [&](const PassRun& run, const pdg::Graph& before, const pdg::Graph& after) {
         seen.emplace_back(run.name);
         EXPECT_EQ(run.nodesBefore, before.size());
         EXPECT_EQ(run.nodesAfter, after.size());
       }});
  ASSERT_EQ(seen.size(), report.runs.size());
  EXPECT_EQ(seen[0], "dead-code");
  EXPECT_EQ(report.runs[0].nodesBefore, 2);
  EXPECT_EQ(report.runs[0].nodesAfter, 1);
  for (const std::string& name : seen) EXPECT_NE(name, "simplify");
}

// Chains of a thousand equations, each with constants, aliases and an index that it does not vary
// over.
TEST(Pipeline, TimeIsLinearInTheNumberOfEquations) {
  auto seconds = [](int equations) {
    GraphBuilder g;
    const Var b = g.index("b", 0, 8), t = g.index("t", 0, 100);
    NodeId last = g.draw(pdg::DrawKind::Uniform01, "x", {t});
    for (int n = 0; n < equations; ++n) {
      const bool first = n == 0;
      std::vector<IndexExpr> at = first ? std::vector<IndexExpr>{t} : std::vector<IndexExpr>{b, t};
      NodeId value = last;
      for (int step = 0; step < 9; ++step) {
        const NodeId factor = g.constant(step % 3 ? 1.0 : 0.5);
        value = g.map(step % 2 ? ScalarOp::Mul : ScalarOp::Sub, {b, t},
                      {g.at(value, at), g.at(factor)});
        at = {b, t};
      }
      const NodeId y = g.declare("y" + std::to_string(n), {b, t}, g.declared({b, t}));
      g.piece(y, g.box({b, t}, {0, 0}, {8, 1}), g.at(g.constant(0.0)));
      g.piece(y, g.box({b, t}, {0, 1}, {8, 100}), g.at(value, {b, IndexExpr(t) - 1}));
      last = y;
    }
    g.print("y", last);
    const std::clock_t start = std::clock();  // of this process: others may keep the machine busy
    runPasses(g.graph());
    const double total = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return total;
  };
  const double once = seconds(1000);
  EXPECT_LT(once, 2.0);
  EXPECT_LT(seconds(2000), 4 * once + 0.5);
  RecordProperty("seconds", std::to_string(once));
}

}  // namespace
}  // namespace rlc::passes
