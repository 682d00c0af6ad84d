#include "tools/output.h"

#include <cmath>
#include <filesystem>

#include "jit/runtime/format.h"
#include "tools/checkpoint_values.h"

namespace rlc::tools {

using runtime::ShownValue;
using Clock = std::chrono::steady_clock;

namespace {

// Reports that a terminal shows before it thins them.
constexpr int64_t kReportsInFull = 50;

std::vector<runtime::IndexValue> pointOf(const RunOutput::Index& index) {
  std::vector<runtime::IndexValue> point;
  for (const auto& [name, value] : index) point.push_back({name, value});
  return point;
}

bool hasNan(const ShownValue& value) {
  if (const auto* tensor = std::get_if<DenseTensor>(&value.node)) {
    for (const Scalar& element : tensor->elements)
      if (element.isFloating() && std::isnan(element.f)) return true;
    return false;
  }
  if (const auto* fields = std::get_if<1>(&value.node)) {
    for (const auto& [name, field] : *fields)
      if (hasNan(field)) return true;
    return false;
  }
  for (const ShownValue& part : std::get<2>(value.node))
    if (hasNan(part)) return true;
  return false;
}

}  // namespace

runtime::Value writable(const ShownValue& value, const std::string& field) {
  runtime::Value result;
  if (const auto* tensor = std::get_if<DenseTensor>(&value.node)) {
    result = runtime::Value::tensor(*tensor);
  } else if (const auto* fields = std::get_if<1>(&value.node)) {
    result.kind = runtime::Value::Kind::Record;
    for (const auto& [name, part] : *fields) result.children.push_back(writable(part, name));
  } else {
    result.kind = runtime::Value::Kind::Tuple;
    for (const ShownValue& part : std::get<2>(value.node))
      result.children.push_back(writable(part));
  }
  result.field = field;
  return result;
}

std::string checkpointPath(const std::string& label) {
  return std::filesystem::path(label).has_extension() ? label : label + ".rlc";
}

RunOutput::RunOutput(std::ostream& out, ProgressLine& progress, const Options& options)
    : writer_(out, options.json ? runtime::Notation::Json : runtime::Notation::Text),
      progress_(progress),
      options_(options) {}

void RunOutput::show(const runtime::SinkInfo& sink, int number, const Index& index,
                     const ShownValue& value) {
  switch (sink.kind) {
    case runtime::SinkKind::Print:
      progress_.hide();
      writer_.print(sink.label, pointOf(index), writable(value));
      return;
    case runtime::SinkKind::Report:
      return report(sink, number, index, value);
    case runtime::SinkKind::Save:
      return save(sink, index, value);
  }
}

void RunOutput::report(const runtime::SinkInfo& sink, int number, const Index& index,
                       const ShownValue& value) {
  std::string text;
  runtime::appendValue(text, writable(value), runtime::Notation::Text);
  progress_.metric(sink.label, text);
  if (nan_report_.empty() && hasNan(value)) nan_report_ = runtime::placeText(sink.label, index);
  const auto now = Clock::now();
  if (options_.thin && ++reports_ > kReportsInFull &&
      now - shown_[number] < std::chrono::seconds(1)) {
    held_[number] = {sink.label, index, value};
    return;
  }
  held_.erase(number);
  shown_[number] = now;
  writeReport(sink.label, index, value);
}

void RunOutput::writeReport(const std::string& label, const Index& index, const ShownValue& value) {
  progress_.hide();
  writer_.report(label, pointOf(index), writable(value));
  flushSometimes();
}

void RunOutput::flushSometimes() {
  const auto now = Clock::now();
  if (now - flushed_ < std::chrono::milliseconds(100)) return;
  flushed_ = now;
  writer_.flush();
}

void RunOutput::save(const runtime::SinkInfo& sink, const Index& index, const ShownValue& value) {
  // Iterations overwrite each other; populations do not.
  std::string label = sink.label;
  runtime::Attributes attributes{{"seed", std::to_string(options_.seed)}};
  for (size_t i = 0; i < index.size(); ++i) {
    attributes.emplace_back(index[i].first, std::to_string(index[i].second));
    if (static_cast<int>(i) != sink.iteration)
      label += "-" + index[i].first + std::to_string(index[i].second);
  }
  const CheckpointValues values(sink.label, value);
  const auto status = runtime::writeCheckpoint(checkpointPath(label), attributes, values.tensors());
  if (!status.ok() && save_error_.empty()) save_error_ = status.error;
}

void RunOutput::finish() {
  for (const auto& [number, held] : held_) writeReport(held.label, held.index, held.value);
  held_.clear();
  progress_.hide();
  writer_.flush();
}

}  // namespace rlc::tools
