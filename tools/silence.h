// A program's results where only its time is asked for.
#pragma once

#include <algorithm>
#include <cmath>

#include "compiler/interpreter/sink_driver.h"

namespace rlc::tools {

// Takes what sinks show and shows nothing; keeps the value that was printed last, and which sink
// first showed what is no finite number.
class Silence : public runtime::SinkOutput {
 public:
  void show(const runtime::SinkInfo& sink, int, const std::vector<std::pair<std::string, int64_t>>&,
            const runtime::ShownValue& value) override {
    if (const auto* tensor = std::get_if<DenseTensor>(&value.node);
        tensor && !tensor->elements.empty())
      last = tensor->elements.front();
    if (notFinite.empty() && !isFinite(value))
      notFinite = sink.label.empty() ? "what is printed" : "`" + sink.label + "`";
  }
  Scalar last;
  std::string notFinite;  // empty: everything was

 private:
  static bool isFinite(const runtime::ShownValue& value) {
    if (const auto* tensor = std::get_if<DenseTensor>(&value.node))
      return std::all_of(tensor->elements.begin(), tensor->elements.end(),
                         [](const Scalar& each) { return std::isfinite(each.asDouble()); });
    if (const auto* parts = std::get_if<std::vector<runtime::ShownValue>>(&value.node))
      return std::all_of(parts->begin(), parts->end(), isFinite);
    const auto& fields =
        std::get<std::vector<std::pair<std::string, runtime::ShownValue>>>(value.node);
    return std::all_of(fields.begin(), fields.end(),
                       [](const auto& field) { return isFinite(field.second); });
  }
};

}  // namespace rlc::tools
