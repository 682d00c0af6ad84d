#include "jit/runtime/sinks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace rlc::runtime {
namespace {

std::string printed(std::string_view label, std::vector<IndexValue> point, const Value& value,
                    Notation notation = Notation::Text) {
  std::ostringstream out;
  SinkWriter(out, notation).print(label, point, value);
  return out.str();
}

const float kQuarter = 0.25f;
const Value kScalar = Value::tensor(DType::F32, {}, &kQuarter);

Value recordOf(const float* data) {
  Value x = Value::tensor(DType::F32, {}, data), v = Value::tensor(DType::F32, {2}, data + 1),
        record;
  x.field = "x";
  v.field = "v";
  record.kind = Value::Kind::Record;
  record.children = {x, v};
  return record;
}

TEST(Sinks, printNamesThePoint) {
  EXPECT_EQ(printed("x", {{"t", 3}}, kScalar), "x[t=3] = 0.25\n");
  EXPECT_EQ(printed("x", {{"i", -1}, {"t", 3}}, kScalar), "x[i=-1, t=3] = 0.25\n");
  EXPECT_EQ(printed("x[T]", {}, kScalar), "x[T] = 0.25\n");
}

TEST(Sinks, jsonLinesAreObjects) {
  EXPECT_EQ(printed("x", {{"t", 3}}, kScalar, Notation::Json),
            "{\"print\": \"x\", \"index\": {\"t\": 3}, \"value\": 0.25}\n");
  EXPECT_EQ(printed("x[T]", {}, kScalar, Notation::Json),
            "{\"print\": \"x[T]\", \"index\": {}, \"value\": 0.25}\n");
}

TEST(Sinks, reportsAreMetrics) {
  std::ostringstream text, json;
  const IndexValue point[] = {{"i", 3}};
  SinkWriter(text, Notation::Text).report("episode return", point, kScalar);
  SinkWriter(json, Notation::Json).report("episode return", point, kScalar);
  EXPECT_EQ(text.str(), "episode return[i=3] = 0.25\n");
  EXPECT_EQ(json.str(),
            "{\"report\": \"episode return\", \"index\": {\"i\": 3}, \"value\": 0.25}\n");
}

TEST(Sinks, tensorsAreNestedLists) {
  const int32_t data[] = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(printed("m", {}, Value::tensor(DType::I32, {2, 3}, data)),
            "m = [[1, 2, 3], [4, 5, 6]]\n");
  EXPECT_EQ(printed("m", {}, Value::tensor(DType::I32, {0}, data)), "m = []\n");
  EXPECT_EQ(printed("m", {}, Value::tensor(DType::I32, {2, 0}, data)), "m = [[], []]\n");
  DenseTensor tensor{
      DType::Bool, {2}, {Scalar::ofInt(DType::Bool, 1), Scalar::ofInt(DType::Bool, 0)}};
  EXPECT_EQ(printed("m", {}, Value::tensor(tensor)), "m = [true, false]\n");
}

TEST(Sinks, recordsAndTuplesKeepTheirForm) {
  const float data[] = {1.0f, 0.5f, std::nanf("")};
  const Value record = recordOf(data);
  EXPECT_EQ(printed("p", {}, record), "p = {x: 1.0, v: [0.5, nan]}\n");
  EXPECT_EQ(printed("p", {}, record, Notation::Json),
            "{\"print\": \"p\", \"index\": {}, \"value\": {\"x\": 1.0, \"v\": [0.5, \"nan\"]}}\n");
  Value tuple;
  tuple.kind = Value::Kind::Tuple;
  tuple.children = {kScalar, record};
  EXPECT_EQ(printed("q", {}, tuple), "q = (0.25, {x: 1.0, v: [0.5, nan]})\n");
}

TEST(Sinks, linesStayInOrderAcrossManyFlushes) {
  std::ostringstream out;
  {
    SinkWriter writer(out, Notation::Text);
    for (int64_t t = 0; t < 20000; ++t) {
      const IndexValue point[] = {{"t", t}};
      writer.print("x", point, kScalar);
    }
  }
  std::istringstream lines(out.str());
  std::string line;
  for (int t = 0; t < 20000; ++t) {
    ASSERT_TRUE(std::getline(lines, line));
    ASSERT_EQ(line, "x[t=" + std::to_string(t) + "] = 0.25");
  }
}

TEST(Sinks, aRefusedWriteIsNoticed) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  SinkWriter writer(out, Notation::Text);
  writer.print("x", {}, kScalar);
  writer.flush();
  EXPECT_TRUE(writer.failed());
}

}  // namespace
}  // namespace rlc::runtime
