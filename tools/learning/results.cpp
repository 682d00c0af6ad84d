#include "tools/learning/results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <istream>
#include <limits>
#include <numeric>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "tools/program.h"

namespace rlc::tools {

namespace {
const char* const kColumns = "seed,at,value,episodes";
const std::string kCommand = "# ", kSeconds = "# seconds: ", kEvaluation = "evaluation return";
bool isPopulation(const std::string& index) {
  return std::ranges::find(kPopulationNames, index) != std::end(kPopulationNames);
}

}  // namespace

std::vector<double> LearningResults::finals() const {
  std::vector<double> result;
  for (const auto& [seed, points] : seeds) {
    if (const auto evaluation = evaluations.find(seed); evaluation != evaluations.end()) {
      result.push_back(evaluation->second);
      continue;
    }
    const size_t last = std::max<size_t>(1, points.size() / 10);
    double sum = 0, weight = 0;
    for (size_t k = points.size() - std::min(last, points.size()); k < points.size(); ++k) {
      if (points[k].episodes == 0) continue;  // its value means nothing, NaN perhaps
      sum += points[k].value * points[k].episodes;
      weight += points[k].episodes;
    }
    result.push_back(weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

void LearningResults::add(LearningResults other) {
  command += "; " + other.command;
  seconds += other.seconds;
  seeds.merge(other.seeds);
  evaluations.merge(other.evaluations);
}

void writeResults(std::ostream& out, const LearningResults& results) {
  out << kCommand << results.command << "\n"
      << kSeconds << results.seconds << "\n"
      << kColumns << "\n";
  for (const auto& [seed, points] : results.seeds)
    for (const LearningPoint& point : points) {
      char line[96];
      std::snprintf(line, sizeof line, "%lld,%lld,%.6g,%.6g\n", static_cast<long long>(seed),
                    static_cast<long long>(point.at), point.value, point.episodes);
      out << line;
    }
  for (const auto& [seed, value] : results.evaluations) {
    char line[96];
    std::snprintf(line, sizeof line, "%lld,end,%.6g,\n", static_cast<long long>(seed), value);
    out << line;
  }
}

LearningResults readResults(std::istream& in) {
  LearningResults results;
  std::string line;
  const auto expect = [&](const std::string& start) {
    if (!std::getline(in, line) || !line.starts_with(start))
      throw std::runtime_error("expected `" + start + "...`, not `" + line + "`");
    return line.substr(start.size());
  };
  results.command = expect(kCommand);
  results.seconds = std::stod(expect(kSeconds));
  expect(kColumns);
  while (std::getline(in, line)) {
    long long seed = 0, at = 0;
    LearningPoint point;
    if (std::sscanf(line.c_str(), "%lld,end,%lf,", &seed, &point.value) == 2) {
      results.evaluations[seed] = point.value;
      continue;
    }
    if (std::sscanf(line.c_str(), "%lld,%lld,%lf,%lf", &seed, &at, &point.value, &point.episodes) !=
        4)
      throw std::runtime_error("`" + line + "` has not four numbers");
    point.at = at;
    results.seeds[seed].push_back(point);
  }
  return results;
}

void LearningReports::show(const runtime::SinkInfo& sink, int,
                           const std::vector<std::pair<std::string, int64_t>>& index,
                           const runtime::ShownValue& value) {
  if (sink.kind != runtime::SinkKind::Report ||
      (sink.label != metric_ && sink.label != "episodes" && sink.label != kEvaluation))
    return;
  const auto* tensor = std::get_if<DenseTensor>(&value.node);
  if (tensor == nullptr || tensor->elements.size() != 1) return;
  Place place{0, 0};
  bool ofOneSeed = false;
  for (const auto& [name, at] : index) {
    const bool population = isPopulation(name);
    ofOneSeed |= population;
    (population ? place.first : place.second) = at;
  }
  const double shown = tensor->elements.front().asDouble();
  if (sink.label == kEvaluation)
    evaluations_[place.first] = shown;
  else if (sink.label == metric_)
    values_[place] = shown;
  else if (ofOneSeed)
    episodes_[place] = shown;
  else
    commonEpisodes_[place.second] = shown;
}

std::map<int64_t, std::vector<LearningPoint>> LearningReports::seeds() const {
  std::map<int64_t, std::vector<LearningPoint>> result;
  for (const auto& [place, value] : values_) {
    double weight = 1.0;
    if (const auto own = episodes_.find(place); own != episodes_.end())
      weight = own->second;
    else if (const auto all = commonEpisodes_.find(place.second); all != commonEpisodes_.end())
      weight = all->second;
    result[place.first].push_back({place.second, value, weight});
  }
  return result;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double middle = mean(values);
  double sum = 0;
  for (double value : values) sum += (value - middle) * (value - middle);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

}  // namespace rlc::tools
