#include "tools/learning/page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tools/repl/gnuplot.h"

namespace rlc::tools {

namespace {

const char* const kHead = R"(# What the algorithms learn

Written by `rlc bench learning`, which trains the examples, as many seeds of one in one run as memory allows, and keeps what they reported beside this page, in
`learning/`, with the command. The rows are in `benchmarks/learning.json`; `rlc bench learning --filter NAME --seeds 10` measures a row again.

A return is the mean over the last tenth of a seed's reports (the stochastic policy's, while it still learns), weighed by the episodes
that ended in each, or, where the program evaluates weights, the mean over the episodes of its evaluation by the most probable actions;
then the mean and the standard deviation over the seeds. Published figures are of the protocol that their column names. The time is that of the run with all seeds, or the sum of several runs', compilation included, on the threads that the command names; the machine had other work
beside it.

A time limit is an end of the episode to PPO, as in CleanRL, but for Pendulum's, to recurrent PPO and to PQN; all others bootstrap from the final state's value.

What is evaluated are the last weights, also where the source evaluates the best ones.

The networks of DQN on CartPole and MountainCar, of DDPG and of TD3 begin as PyTorch's layers do, weights and biases uniform, as in their sources. All
others begin orthogonal with biases of 0, as do those of the sources of PPO, A2C and PQN; those of C51, of SAC on Pendulum and of DQN on Acrobot begin as
PyTorch's in their sources, and differ in that here.

| environment | algorithm | steps | return | seeds | published | source | accept | accepted | time |
|---|---|---|---|---|---|---|---|---|---|
)";

std::string fixed(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string tableRow(const LearningRow& row, const std::optional<LearningResults>& results) {
  std::string returns = "not measured", seeds, accepted, seconds;
  if (results) {
    const std::vector<double> finals = results->finals();
    const double middle = mean(finals);
    const int digits = std::fabs(middle) < 10 ? 2 : 1;
    returns = fixed(middle, digits) + " ± " + fixed(deviation(finals), digits);
    seeds = std::to_string(finals.size());
    if (row.accept) accepted = middle >= *row.accept ? "yes" : "no";
    seconds = fixed(results->seconds, 0) + " s";
  }
  char least[32] = "";
  if (row.accept) std::snprintf(least, sizeof least, ">= %g", *row.accept);
  std::string line = "|";
  for (const std::string& cell :
       {row.environment, row.algorithm, row.steps ? std::to_string(*row.steps) : "", returns, seeds,
        row.published, row.source, std::string(least), accepted, seconds})
    line += " " + cell + " |";
  return line + "\n";
}

constexpr size_t kMostDots = 150;  // of a curve: more are not seen

// Returns over steps; each dot is the mean over the episodes of its share of the reports.
repl::Curve curveOf(const std::string& name, const std::vector<LearningPoint>& points,
                    double step) {
  repl::Curve curve{name, {}, {}};
  const size_t share = (points.size() + kMostDots - 1) / kMostDots;
  for (size_t first = 0; first < points.size(); first += share) {
    double sum = 0, episodes = 0;
    const size_t end = std::min(first + share, points.size());
    for (size_t k = first; k < end; ++k) {
      if (points[k].episodes == 0) continue;
      sum += points[k].value * points[k].episodes;
      episodes += points[k].episodes;
    }
    if (episodes == 0) continue;
    curve.x.push_back(step * static_cast<double>(points[end - 1].at + 1));
    curve.y.push_back(sum / episodes);
  }
  return curve;
}

}  // namespace

std::string learningPage(
    const std::vector<std::pair<LearningRow, std::optional<LearningResults>>>& rows) {
  std::string table = kHead,
              curves = "\n## Curves\n\nA line is a seed, smoothed over the reports of a dot.\n";
  for (const auto& [row, results] : rows) {
    table += tableRow(row, results);
    if (results)
      curves +=
          "\n![" + row.environment + ", " + row.algorithm + "](learning/" + row.name + ".svg)\n";
  }
  return table + curves;
}

std::string plotLearning(const LearningRow& row, const LearningResults& results,
                         const std::string& path) {
  std::vector<repl::Curve> curves;
  for (const auto& [seed, points] : results.seeds) {
    const double step = row.steps && !points.empty() ? static_cast<double>(*row.steps) /
                                                           static_cast<double>(points.back().at + 1)
                                                     : 1.0;
    curves.push_back(curveOf("seed " + std::to_string(seed), points, step));
  }
  return repl::plotToFile(curves, row.steps ? "steps" : "iteration",
                          row.environment + ", " + row.algorithm, path);
}

}  // namespace rlc::tools
