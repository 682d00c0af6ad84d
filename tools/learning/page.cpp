#include "tools/learning/page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "tools/repl/gnuplot.h"

namespace rlc::tools {

namespace {

const char* const kHead = R"(# What the algorithms learn

Written by `rlc bench learning`, which trains the examples, as many seeds of one in one run as memory allows, and keeps what they reported beside this page, in
`learning/`, with the command. The rows are in `benchmarks/learning.json`; `rlc bench learning --filter NAME --seeds 10` measures a row again,
with `--add` only the seeds that are missing.

A return is the mean over the last tenth of a seed's reports (the stochastic policy's, while it still learns), weighed by the episodes
that ended in each, or, where the program evaluates weights, the mean over the episodes of its evaluation by the most probable actions;
then the mean and the standard deviation over the seeds. Published figures are of the protocol that their column names. The time is that of the run with all seeds, or the sum of several runs', compilation included, on the threads that the command names; the machine had other work
beside it.

A time limit is an end of the episode to PPO, as in CleanRL, but for Pendulum's and the swimmer's, to recurrent PPO, recurrent DQN, REINFORCE, evolution
strategies and PQN; all others bootstrap from the final state's value.

What is evaluated are the last weights, also where the source evaluates the best ones, unless a note says otherwise.

The networks of DQN but Rainbow's, of C51, of DDPG, of TD3 and of SAC on Pendulum begin as PyTorch's layers do, weights and biases uniform, as in their
sources. All others begin orthogonal with biases of 0, as do those of the sources of PPO, A2C and PQN.

Accepted: whether the mean is one that reproduces what is published, `so far` of fewer than ten seeds. Accepted after: the steps after which the mean over
the seeds first was what is accepted, over a report or, where reports are more frequent, 1000 steps. Steps are `about` so many where the lengths of episodes
decide. What else is to be said of a row stands in the notes below.

| environment | algorithm | steps | return | seeds | published | source | accept | accepted | accepted after | time |
|---|---|---|---|---|---|---|---|---|---|---|
)";

std::string fixed(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

// The steps from one report of a seed to the next, where the row says how many there are in all.
double stepsOfReport(const LearningRow& row, const std::vector<LearningPoint>& points) {
  return row.steps && !points.empty()
             ? static_cast<double>(*row.steps) / static_cast<double>(points.back().at + 1)
             : 1.0;
}

constexpr double kStepsTogether = 1000;
constexpr int64_t kEnoughSeeds = 10;  // for a plain yes

// The steps after which the mean over the seeds first was what is accepted; nothing if it never
// was.
std::optional<int64_t> acceptedAfter(const LearningRow& row, const LearningResults& results) {
  if (!row.accept || !row.steps || results.seeds.empty()) return std::nullopt;
  const double step = stepsOfReport(row, results.seeds.begin()->second);
  const auto together = std::max<int64_t>(1, std::llround(kStepsTogether / step));
  struct Sum {
    double value = 0, weight = 0;
    void add(double more, double by) {
      value += more * by;
      weight += by;
    }
  };
  std::map<int64_t, Sum> means;  // over the seeds, by the last of the reports taken together
  for (const auto& [seed, points] : results.seeds) {
    std::map<int64_t, Sum> own;
    for (const LearningPoint& point : points)
      own[std::min(point.at / together * together + together, points.back().at + 1)].add(
          point.value, point.episodes);
    for (const auto& [end, sum] : own)
      if (sum.weight > 0) means[end].add(sum.value / sum.weight, 1);
  }
  for (const auto& [end, sum] : means)
    if (sum.weight == static_cast<double>(results.seeds.size()) &&
        row.accept->holds(sum.value / sum.weight))
      return std::llround(static_cast<double>(end) * step);
  return std::nullopt;
}

// "" where nothing is accepted.
std::string verdict(const LearningRow& row, const std::vector<double>& finals) {
  if (!row.accept) return "";
  if (!row.accept->holds(mean(finals))) return "no";
  return std::ssize(finals) < kEnoughSeeds ? "so far" : "yes";
}

std::string stepsOf(const LearningRow& row, int64_t steps) {
  return (row.aboutSteps ? "about " : "") + std::to_string(steps);
}

std::string titleOf(const LearningRow& row) { return row.environment + ", " + row.algorithm; }

std::string tableRow(const LearningRow& row, const std::optional<LearningResults>& results) {
  std::string returns = "not measured", seeds, accepted, after, seconds;
  if (results) {
    const std::vector<double> finals = results->finals();
    const double middle = mean(finals);
    const int digits = std::fabs(middle) < 10 ? 2 : 1;
    returns = fixed(middle, digits);
    if (finals.size() > 1) returns += " ± " + fixed(deviation(finals), digits);
    seeds = std::to_string(finals.size());
    accepted = verdict(row, finals);
    if (const auto steps = acceptedAfter(row, *results)) after = stepsOf(row, *steps);
    seconds = fixed(results->seconds, 0) + " s";
  }
  std::string line = "|";
  for (const std::string& cell :
       {row.environment, row.algorithm, row.steps ? stepsOf(row, *row.steps) : "", returns, seeds,
        row.published, row.source, row.accept ? row.accept->text() : "", accepted, after, seconds})
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
  std::string table = kHead, notes,
              curves = "\n## Curves\n\nA line is a seed, smoothed over the reports of a dot.\n";
  for (const auto& [row, results] : rows) {
    table += tableRow(row, results);
    if (!row.note.empty()) notes += "\n**" + titleOf(row) + ".** " + row.note + "\n";
    if (results) curves += "\n![" + titleOf(row) + "](learning/" + row.name + ".svg)\n";
  }
  if (!notes.empty()) notes = "\n## Notes\n" + notes;
  return table + notes + curves;
}

std::string plotLearning(const LearningRow& row, const LearningResults& results,
                         const std::string& path) {
  std::vector<repl::Curve> curves;
  for (const auto& [seed, points] : results.seeds) {
    curves.push_back(curveOf("seed " + std::to_string(seed), points, stepsOfReport(row, points)));
  }
  return repl::plotToFile(curves, row.steps ? "steps" : "iteration", titleOf(row), path);
}

}  // namespace rlc::tools
