// The rows of benchmarks/learning.json: which program learns what, and what is expected of it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace rlc::tools {

// The returns that are good enough. In a list of rows: the least one, or [least, most] where too
// high a return is wrong as well (a negative control, a figure that is to be met and not beaten).
struct AcceptedReturns {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  // False for NaN.
  bool holds(double value) const { return value >= least && value <= most; }
  std::string text() const;  // `>= 475`, `8 to 12`
};

struct LearningRow {
  std::string name, environment, algorithm;
  std::string program;                    // in examples/
  std::vector<std::string> set;           // name=value
  std::string metric = "episode return";  // the report that is kept
  bool population = false;                // the program has seeds of its own: it runs once
  std::optional<int64_t> steps;           // of the environment, in a run
  bool aboutSteps = false;                // episodes decide how many they are
  std::string published, source;          // with its protocol
  std::optional<AcceptedReturns> accept;  // the means that reproduce what is published
  std::string note;                       // what else is to be said of what was measured
  std::vector<std::string> shortSet;      // a run of seconds
  bool shortWhileLearning =
      false;  // the return while it learns counts, not the last weights' evaluation
  AcceptedReturns shortAccept;  // outside of it learning is broken
};

// Throws UsageError.
std::vector<LearningRow> readLearningRows(const std::string& path);

}  // namespace rlc::tools
