// What sinks showed, kept: an evaluation may be given up and begun again elsewhere.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/interpreter/sink_driver.h"

namespace rlc::repl {

class Recording : public runtime::SinkOutput {
 public:
  using Index = std::vector<std::pair<std::string, int64_t>>;
  struct Line {
    int sink;  // its number in the graph
    Index index;
    runtime::ShownValue value;
  };

  // Of more values than this nothing is kept.
  static constexpr int64_t kMostElements = 4'000'000;

  void show(const runtime::SinkInfo& sink, int number, const Index& index,
            const runtime::ShownValue& value) override;
  void clear();
  void replay(const pdg::Graph& graph, runtime::SinkOutput& output) const;
  const std::vector<Line>& lines() const { return lines_; }
  bool overflowed() const { return elements_ > kMostElements; }

 private:
  std::vector<Line> lines_;
  int64_t elements_ = 0;
};

}  // namespace rlc::repl
