#include "compiler/interpreter/sink_driver.h"

#include <gtest/gtest.h>

#include "compiler/interpreter/testing.h"

namespace rlc::interpreter {
namespace {

using pdg::Sink;
using pdg::testing::GraphBuilder;

// Each sink as "label[coordinates]".
class Recorder : public SinkOutput {
 public:
  void show(const runtime::SinkInfo& sink, int,
            const std::vector<std::pair<std::string, int64_t>>& index,
            const ShownValue& value) override {
    std::string text = sink.label + "[";
    for (const auto& [name, position] : index) text += name + "=" + std::to_string(position) + " ";
    if (!index.empty()) text.pop_back();
    lines.push_back(text + "]");
    last = value;
  }
  std::vector<std::string> lines;
  ShownValue last;
};

using Lines = std::vector<std::string>;

TEST(SinkDriver, PrintsComeInSourceOrderByPoints) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 2), u = g.index("u", 0, 2);
  g.print("b", g.indexValue({t, u}, t));
  g.print("a", g.indexValue({t}, t));
  Recorder out;
  EXPECT_EQ(Interpreter(g.graph()).run(out), RunEnd::Finished);
  EXPECT_EQ(out.lines,
            (Lines{"b[t=0 u=0]", "b[t=0 u=1]", "b[t=1 u=0]", "b[t=1 u=1]", "a[t=0]", "a[t=1]"}));
}

TEST(SinkDriver, ReportsOverOneIndexAdvanceTogether) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 2);
  g.print("p", g.indexValue({}, 1));
  g.sink(Sink::Kind::Report, "a", g.indexValue({i}, i));
  g.sink(Sink::Kind::Report, "b", g.indexValue({i}, i));
  Recorder out;
  Interpreter(g.graph()).run(out);
  EXPECT_EQ(out.lines, (Lines{"a[i=0]", "b[i=0]", "a[i=1]", "b[i=1]", "p[]"}));
}

TEST(SinkDriver, EachThinsAndKeepsTheLast) {
  GraphBuilder g;
  const Var i = g.index("i", 3, 12);
  g.sink(Sink::Kind::Report, "a", g.indexValue({i}, i));
  g.graph().sinks()[0].every = 5;
  g.graph().sinks()[0].everyDim = i;
  Recorder out;
  Interpreter(g.graph()).run(out);
  EXPECT_EQ(out.lines, (Lines{"a[i=3]", "a[i=8]", "a[i=11]"}));
}

TEST(SinkDriver, AConditionHidesPoints) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 4);
  const NodeId x = g.indexValue({t}, t);
  g.print("x", x);
  const NodeId small = g.map(ScalarOp::Lt, {t}, {g.at(x, {t}), g.at(g.constant(2, DType::I32))});
  g.graph().sinks()[0].where = g.at(small, {t});
  Recorder out;
  Interpreter(g.graph()).run(out);
  EXPECT_EQ(out.lines, (Lines{"x[t=0]", "x[t=1]"}));
}

TEST(SinkDriver, ASaveWritesTheLastPoint) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 5);
  g.sink(Sink::Kind::Save, "w", g.indexValue({i}, i));
  Recorder out;
  Interpreter(g.graph()).run(out);
  EXPECT_EQ(out.lines, (Lines{"w[i=4]"}));
}

TEST(SinkDriver, StoppingSavesTheLatestPoint) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 5);
  g.sink(Sink::Kind::Save, "w", g.indexValue({i}, i));
  g.print("p", g.indexValue({}, 1));
  Recorder out;
  int steps = 0;
  RunControl control;
  control.stop = [&] { return steps == 3; };
  control.progress = [&](const runtime::IndexProgress& progress) {
    ++steps;
    EXPECT_EQ(progress.done, steps);
    EXPECT_EQ(progress.total, 5);
  };
  EXPECT_EQ(Interpreter(g.graph()).run(out, control), RunEnd::Stopped);
  EXPECT_EQ(out.lines, (Lines{"w[i=2]"}));
}

TEST(SinkDriver, StoppingSavesAPointThatWasReached) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 5);
  const NodeId w = g.indexValue({i}, i);
  g.sink(Sink::Kind::Report, "m", w);
  for (int64_t point : {1, 4}) {
    g.sink(Sink::Kind::Save, "w" + std::to_string(point), w);
    Sink& save = g.graph().sinks().back();
    save.dims.clear();
    save.domain = Set::universe(g.graph().context(), {});
    std::get<0>(save.value.node).at = {IndexExpr(point)};
  }
  Recorder out;
  int steps = 0;
  RunControl control;
  control.stop = [&] { return steps == 3; };
  control.progress = [&](const runtime::IndexProgress&) { ++steps; };
  EXPECT_EQ(Interpreter(g.graph()).run(out, control), RunEnd::Stopped);
  EXPECT_EQ(out.lines, (Lines{"m[i=0]", "m[i=1]", "m[i=2]", "w1[]"}));
}

TEST(SinkDriver, RecordsKeepTheirFields) {
  GraphBuilder g;
  g.print("p", g.constant(1.0));
  const pdg::SinkValue leaf = g.graph().sinks()[0].value;
  g.graph().sinks()[0].value.node =
      std::vector<std::pair<std::string, pdg::SinkValue>>{{"x", leaf}, {"y", leaf}};
  Recorder out;
  Interpreter(g.graph()).run(out);
  const auto& fields = std::get<1>(out.last.node);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[1].first, "y");
  EXPECT_EQ(std::get<DenseTensor>(fields[1].second.node).elements[0].f, 1.0);
}

TEST(SinkDriver, AnEmptyDomainShowsNothing) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 0);
  g.print("x", g.indexValue({t}, t));
  g.sink(Sink::Kind::Report, "r", g.indexValue({t}, t));
  Recorder out;
  Interpreter(g.graph()).run(out);
  EXPECT_TRUE(out.lines.empty());
}

}  // namespace
}  // namespace rlc::interpreter
