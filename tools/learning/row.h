// The rows of benchmarks/learning.json: which program learns what, and what is expected of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rlc::tools {

struct LearningRow {
  std::string name, environment, algorithm;
  std::string program;                    // in examples/
  std::vector<std::string> set;           // name=value
  std::string metric = "episode return";  // the report that is kept
  bool population = false;                // the program has seeds of its own: it runs once
  std::optional<int64_t> steps;           // of the environment, in a run
  std::string published, source;          // with its protocol
  std::optional<double> accept;           // the least mean that reproduces what is published
  std::vector<std::string> shortSet;      // a run of seconds
  bool shortWhileLearning =
      false;              // the return while it learns counts, not the last weights' evaluation
  double shortLeast = 0;  // its least return: below it learning is broken
};

// Throws UsageError.
std::vector<LearningRow> readLearningRows(const std::string& path);

}  // namespace rlc::tools
