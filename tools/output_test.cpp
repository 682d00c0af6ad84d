#include "tools/output.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "jit/runtime/checkpoint.h"
#include "tools/checkpoint_values.h"

namespace rlc::tools {
namespace {

using runtime::ShownValue;
using runtime::SinkInfo;
using runtime::SinkKind;

ShownValue scalar(double value) {
  return {DenseTensor{DType::F32, {}, {Scalar::ofFloat(DType::F32, value)}}};
}

SinkInfo sinkOf(SinkKind kind, const std::string& label) { return {kind, label, 0}; }

struct Captured {
  std::ostringstream out;
  ProgressLine progress{false};
};

TEST(RunOutput, PrintsAndReportsAreLines) {
  Captured c;
  RunOutput output(c.out, c.progress, {});
  output.show(sinkOf(SinkKind::Print, "x"), 0, {{"t", 3}}, scalar(0.25));
  output.show(sinkOf(SinkKind::Report, "loss"), 1, {}, scalar(1));
  output.finish();
  EXPECT_EQ(c.out.str(), "x[t=3] = 0.25\nloss = 1.0\n");
}

TEST(RunOutput, JsonIsAnObjectALine) {
  Captured c;
  RunOutput::Options options;
  options.json = true;
  RunOutput output(c.out, c.progress, options);
  output.show(sinkOf(SinkKind::Print, "x"), 0, {{"t", 3}}, scalar(0.25));
  output.finish();
  EXPECT_EQ(c.out.str(), "{\"print\": \"x\", \"index\": {\"t\": 3}, \"value\": 0.25}\n");
}

TEST(RunOutput, ATerminalSeesSomeReportsAndTheLast) {
  Captured c;
  RunOutput::Options options;
  options.thin = true;
  RunOutput output(c.out, c.progress, options);
  for (int64_t i = 0; i < 1000; ++i)
    output.show(sinkOf(SinkKind::Report, "r"), 0, {{"i", i}}, scalar(1));
  output.finish();
  const std::string text = c.out.str();
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 100);
  EXPECT_NE(text.find("r[i=999]"), std::string::npos);
}

TEST(RunOutput, TheFirstNanReportIsRemembered) {
  Captured c;
  RunOutput output(c.out, c.progress, {});
  output.show(sinkOf(SinkKind::Report, "loss"), 0, {{"i", 1}}, scalar(1));
  output.show(sinkOf(SinkKind::Report, "loss"), 0, {{"i", 2}}, scalar(NAN));
  output.show(sinkOf(SinkKind::Report, "loss"), 0, {{"i", 3}}, scalar(NAN));
  EXPECT_EQ(output.nanReport(), "`loss` at i = 2");
}

TEST(RunOutput, SavesAreCheckpoints) {
  Captured c;
  RunOutput output(c.out, c.progress, {});
  const std::string path = testing::TempDir() + "rlc_output_test.rlc";
  output.show(sinkOf(SinkKind::Save, path), 0, {}, scalar(2));
  EXPECT_EQ(output.saveError(), "");
  runtime::Checkpoint read;
  ASSERT_TRUE(runtime::readCheckpoint(path, read).ok());
  ASSERT_EQ(read.tensors.size(), 1u);
  EXPECT_EQ(*static_cast<const float*>(read.tensors[0].data), 2.0f);
}

TEST(RunOutput, ACheckpointThatCanNotBeWrittenIsAnError) {
  Captured c;
  RunOutput output(c.out, c.progress, {});
  output.show(sinkOf(SinkKind::Save, "/nonexistent/folder/w"), 0, {}, scalar(2));
  EXPECT_NE(output.saveError(), "");
}

TEST(CheckpointPath, GetsAnExtension) {
  EXPECT_EQ(checkpointPath("policy"), "policy.rlc");
  EXPECT_EQ(checkpointPath("policy.bin"), "policy.bin");
}

TEST(CheckpointValues, LeavesAreNamedByTheirPath) {
  ShownValue record;
  record.node = std::vector<std::pair<std::string, ShownValue>>{{"W", scalar(1)}, {"c", scalar(2)}};
  const CheckpointValues values("net", record);
  ASSERT_EQ(values.tensors().size(), 2u);
  EXPECT_EQ(values.tensors()[1].name, "net.c");
}

}  // namespace
}  // namespace rlc::tools
