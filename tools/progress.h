// The line at the foot of a terminal while a program runs:
//   i 57/200  3.1/s  0:46 left  episode return 123.4
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "jit/runtime/sink_output.h"

namespace rlc::tools {

class ProgressLine {
 public:
  explicit ProgressLine(bool enabled) : enabled_(enabled), start_(Clock::now()) {}
  ~ProgressLine() { hide(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(const runtime::IndexProgress& progress);      // draws at most ten times a second
  void metric(const std::string& name, std::string value);  // shown from the next drawing on
  void hide();  // before anything else is written to the terminal

 private:
  using Clock = std::chrono::steady_clock;
  std::string text(const runtime::IndexProgress& progress, double seconds) const;

  bool enabled_, shown_ = false;
  Clock::time_point start_, drawn_{};
  std::map<std::string, std::string> metrics_;
};

// 46 -> "0:46", 3723 -> "1:02:03".
std::string clockText(double seconds);

}  // namespace rlc::tools
