#include <gtest/gtest.h>

#include "compiler/diagnostics/internal_error.h"
#include "jit/host/built_program.h"
#include "jit/host/sink_router.h"

namespace rlc::host {
namespace {

using runtime::SinkKind;
using Lines = std::vector<std::string>;

// Each shown point as "label[coordinates]".
class Recorder : public runtime::SinkOutput {
 public:
  void show(const runtime::SinkInfo& sink, int, const runtime::SinkIndex& index,
            const runtime::ShownValue&) override {
    std::string text = sink.label + "[";
    for (const auto& [name, position] : index) text += name + "=" + std::to_string(position);
    lines.push_back(text + "]");
  }
  Lines lines;
};

// A sink over t in 0..extent, or without dims.
Sink sinkOf(SinkKind kind, const std::string& label, int64_t extent = 0) {
  Sink sink;
  sink.info = {kind, label, 0};
  if (extent == 0) return sink;
  sink.dims = {"t"};
  sink.line.first = 0;
  sink.line.last = extent - 1;
  PointExpr hi;
  hi.constant = extent;
  sink.box.levels.push_back({0, {}, hi});
  return sink;
}

void send(SinkRouter& router, int sink, const Point& at) {
  router.reached(sink, at,
                 [](int) { return DenseTensor{DType::I32, {}, {Scalar::ofInt(DType::I32, 1)}}; });
}

TEST(SinkRouter, PrintsWaitForTheirTurn) {
  const std::vector<Sink> sinks = {sinkOf(SinkKind::Print, "a", 2),
                                   sinkOf(SinkKind::Report, "m", 2), sinkOf(SinkKind::Print, "b")};
  Recorder out;
  SinkRouter router(sinks, out);
  send(router, 2, {});
  send(router, 0, {1});
  send(router, 1, {0});
  send(router, 0, {0});
  EXPECT_EQ(out.lines, (Lines{"m[t=0]"}));
  router.finish();
  EXPECT_EQ(out.lines, (Lines{"m[t=0]", "a[t=0]", "a[t=1]", "b[]"}));
}

TEST(SinkRouter, AStoppedRunSavesTheLatestState) {
  const std::vector<Sink> sinks = {sinkOf(SinkKind::Save, "w", 9)};
  Recorder out;
  SinkRouter router(sinks, out);
  send(router, 0, {0});
  send(router, 0, {1});
  EXPECT_EQ(out.lines, (Lines{}));
  router.finish();
  EXPECT_EQ(out.lines, (Lines{"w[t=1]"}));
}

TEST(SinkRouter, EachLineHasALastPoint) {
  std::vector<Sink> sinks = {sinkOf(SinkKind::Report, "m", 2)};  // over t, and s that ends
  sinks[0].dims = {"t", "s"};
  sinks[0].line.everyDim = 1;
  sinks[0].line.every = 2;
  sinks[0].line.everyLast = 9;
  sinks[0].line.lastIsOpen = true;
  Recorder out;
  SinkRouter router(sinks, out);
  for (int64_t s = 0; s < 4; ++s)  // side by side; t = 0 ends at s = 2
    for (int64_t t = 0; t < 2; ++t)
      if (t == 1 || s < 3) send(router, 0, {t, s});
  router.finish();
  EXPECT_EQ(out.lines, (Lines{"m[t=0s=0]", "m[t=1s=0]", "m[t=0s=2]", "m[t=1s=2]", "m[t=1s=3]"}));
}

TEST(BuiltProgram, BytesComeBack) {
  BuiltProgram program;
  program.name = "p.rl";
  program.sources = {{"p.rl", "x = 1"}};
  program.scratchInFile = true;
  program.params = {{"lr", "rate", "f32", "0.1", 0}};
  program.plan.parameters = {{"lr", 8, Scalar::ofFloat(DType::F32, 0.1)}};
  program.plan.sinks = {sinkOf(SinkKind::Print, "a", 3)};
  const std::string bytes = toBytes(program);
  const BuiltProgram read = builtProgram(bytes);
  EXPECT_EQ(toBytes(read), bytes);
  EXPECT_EQ(read.params[0].name, "lr");
  EXPECT_TRUE(read.scratchInFile);
  int points = 0;
  forEachPoint(read.plan.sinks[0], [&](const Point&) { return ++points < 10; });
  EXPECT_EQ(points, 3);
}

TEST(BuiltProgram, DamagedBytesAreRefused) {
  BuiltProgram program;
  program.sources = {{"p.rl", "x = 1"}};
  const std::string bytes = toBytes(program);
  EXPECT_THROW(builtProgram(""), InternalError);
  EXPECT_THROW(builtProgram(bytes + "x"), InternalError);
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(builtProgram(bytes.substr(0, length)), InternalError);
}

}  // namespace
}  // namespace rlc::host
