// Sinks to the standard output and to files.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "jit/runtime/sink_output.h"
#include "jit/runtime/sinks.h"
#include "tools/progress.h"

namespace rlc::tools {

class RunOutput : public runtime::SinkOutput {
 public:
  struct Options {
    bool json = false;
    bool thin = false;  // a terminal: of many reports, one a second and the last are shown
    uint64_t seed = 0;  // noted in checkpoints
  };
  using Index = std::vector<std::pair<std::string, int64_t>>;

  RunOutput(std::ostream& out, ProgressLine& progress, const Options& options);

  void show(const runtime::SinkInfo& sink, int number, const Index& index,
            const runtime::ShownValue& value) override;
  void finish();                                    // writes what was held back; to be called once
  bool failed() const { return writer_.failed(); }  // the output could not be written
  const std::string& saveError() const {
    return save_error_;
  }  // the first checkpoint that could not be written
  const std::string& nanReport() const {
    return nan_report_;
  }  // the first report that was NaN: "`loss` at i = 3"

 private:
  struct Held {
    std::string label;
    Index index;
    runtime::ShownValue value;
  };
  void report(const runtime::SinkInfo& sink, int number, const Index& index,
              const runtime::ShownValue& value);
  void save(const runtime::SinkInfo& sink, const Index& index, const runtime::ShownValue& value);
  void writeReport(const std::string& label, const Index& index, const runtime::ShownValue& value);
  void flushSometimes();

  runtime::SinkWriter writer_;
  ProgressLine& progress_;
  Options options_;
  std::chrono::steady_clock::time_point flushed_{};
  std::map<int, std::chrono::steady_clock::time_point> shown_;
  std::map<int, Held> held_;
  int64_t reports_ = 0;
  std::string save_error_, nan_report_;
};

// The value's form for the writer; it refers to the tensors.
runtime::Value writable(const runtime::ShownValue& value, const std::string& field = "");

// "policy" -> "policy.rlc"; a name with an extension stays.
std::string checkpointPath(const std::string& label);

}  // namespace rlc::tools
