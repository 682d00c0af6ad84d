// What a learning run reported, seed by seed, and what it came to.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "compiler/interpreter/sink_driver.h"

namespace rlc::tools {

// One report of the metric: at iteration `at`, of so many finished episodes.
struct LearningPoint {
  int64_t at = 0;
  double value = 0, episodes = 1;
};

struct LearningResults {
  std::string command;  // that gives them again
  double seconds = 0;   // of the run with all seeds, compilation included
  std::map<int64_t, std::vector<LearningPoint>> seeds;  // in the order of `at`
  std::map<int64_t, double> evaluations;                // of weights, where the program reports one

  // For each seed its evaluation, or else the mean over the last tenth of its reports, weighed by
  // their episodes; NaN where no episode ended there.
  std::vector<double> finals() const;

  // Another run's seeds as well.
  void add(LearningResults other);
};

// As a CSV file with the command and the seconds in comments. Reading throws std::runtime_error on
// anything else.
void writeResults(std::ostream& out, const LearningResults& results);
LearningResults readResults(std::istream& in);

// Takes the reports `metric`, and `episodes` as their weights, of a program with at most one index
// besides that of --seeds; and `evaluation return`, which has none.
class LearningReports : public runtime::SinkOutput {
 public:
  explicit LearningReports(std::string metric) : metric_(std::move(metric)) {}
  void show(const runtime::SinkInfo& sink, int number,
            const std::vector<std::pair<std::string, int64_t>>& index,
            const runtime::ShownValue& value) override;
  std::map<int64_t, std::vector<LearningPoint>> seeds() const;
  const std::map<int64_t, double>& evaluations() const { return evaluations_; }

 private:
  using Place = std::pair<int64_t, int64_t>;  // seed, iteration
  std::string metric_;
  std::map<Place, double> values_, episodes_;
  std::map<int64_t, double> commonEpisodes_;  // where no draw decides how many end, of all seeds
  std::map<int64_t, double> evaluations_;
};

double mean(const std::vector<double>& values);
double deviation(const std::vector<double>& values);  // of a sample; 0 of one value

}  // namespace rlc::tools
