#include "tools/repl/recording.h"

namespace rlc::repl {

namespace {

int64_t elementsOf(const runtime::ShownValue& value) {
  if (const auto* tensor = std::get_if<DenseTensor>(&value.node))
    return static_cast<int64_t>(tensor->elements.size());
  int64_t sum = 0;
  if (const auto* fields = std::get_if<1>(&value.node)) {
    for (const auto& [name, field] : *fields) sum += elementsOf(field);
  } else {
    for (const auto& part : std::get<2>(value.node)) sum += elementsOf(part);
  }
  return sum;
}

}  // namespace

void Recording::show(const runtime::SinkInfo&, int number, const Index& index,
                     const runtime::ShownValue& value) {
  elements_ += elementsOf(value) + 1;
  if (overflowed()) return lines_.clear();
  lines_.push_back({number, index, value});
}

void Recording::clear() {
  lines_.clear();
  elements_ = 0;
}

void Recording::replay(const pdg::Graph& graph, runtime::SinkOutput& output) const {
  for (const Line& line : lines_)
    output.show(interpreter::infoOf(graph.sinks()[static_cast<size_t>(line.sink)]), line.sink,
                line.index, line.value);
}

}  // namespace rlc::repl
