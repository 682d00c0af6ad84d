#include "tools/learning/results.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace rlc::tools {
namespace {

void report(LearningReports& reports, const std::string& label, int64_t seed, int64_t at,
            double value) {
  reports.show({runtime::SinkKind::Report, label, 0}, 0, {{"seed", seed}, {"i", at}},
               {DenseTensor{DType::F32, {}, {Scalar::ofFloat(DType::F32, value)}}});
}

// Twenty reports of two seeds: the last tenth is iterations 18 and 19.
LearningResults example() {
  LearningReports reports("return");
  for (int64_t at = 0; at < 20; ++at) {
    report(reports, "return", 0, at, static_cast<double>(at));
    report(reports, "episodes", 0, at, at == 18 ? 3 : 1);
    report(reports, "return", 1, at, at == 19 ? NAN : 5);
    report(reports, "episodes", 1, at, at == 19 ? 0 : 2);
    report(reports, "loss", 1, at, 100);
  }
  LearningResults results{"rlc run x.rl --seeds 0..2", 1.5, reports.seeds(), {}};
  return results;
}

TEST(LearningResults, TheLastTenthIsWeighedByItsEpisodes) {
  EXPECT_EQ(example().finals(), (std::vector<double>{(18 * 3 + 19) / 4.0, 5}));
}

TEST(LearningResults, EpisodesThatNoDrawDecidesAreThoseOfAllSeeds) {
  LearningReports reports("return");
  report(reports, "return", 3, 0, 1.0);
  reports.show({runtime::SinkKind::Report, "episodes", 0}, 0, {{"i", 0}},
               {DenseTensor{DType::I32, {}, {Scalar::ofInt(DType::I32, 5)}}});
  EXPECT_EQ(reports.seeds().at(3).front().episodes, 5);
}

TEST(LearningResults, WithoutAnEpisodeAtTheEndThereIsNoReturn) {
  LearningResults results;
  results.seeds[0] = {{0, 1.0, 1}, {1, 2.0, 0}};
  EXPECT_TRUE(std::isnan(results.finals().front()));
}

TEST(LearningResults, AnEvaluationOfTheLastWeightsIsTheReturn) {
  LearningReports reports("return");
  report(reports, "return", 0, 0, 1.0);
  report(reports, "evaluation return", 0, 0, 7.0);
  std::stringstream file;
  writeResults(file, {"rlc run x.rl", 1.0, reports.seeds(), reports.evaluations()});
  const LearningResults read = readResults(file);
  EXPECT_EQ(read.seeds.at(0).size(), 1u);
  EXPECT_EQ(read.finals(), std::vector<double>{7});
}

TEST(LearningResults, RunsOfOtherSeedsAreAdded) {
  LearningResults results{"rlc a", 1.0, {{0, {{0, 1.0, 1}}}}, {}};
  results.add({"rlc b", 2.0, {{1, {{0, 3.0, 1}}}}, {}});
  EXPECT_EQ(results.command, "rlc a; rlc b");
  EXPECT_EQ(results.seconds, 3.0);
  EXPECT_EQ(results.finals(), (std::vector<double>{1, 3}));
}

TEST(LearningResults, AreReadAsTheyWereWritten) {
  std::stringstream file;
  writeResults(file, example());
  const LearningResults read = readResults(file);
  EXPECT_EQ(read.command, example().command);
  EXPECT_EQ(read.seconds, 1.5);
  EXPECT_EQ(read.finals(), example().finals());
  EXPECT_EQ(read.seeds.at(1).size(), 20u);
}

TEST(LearningResults, OtherFilesAreRefused) {
  std::stringstream other("seed,value\n"),
      cut("# rlc\n# seconds: 1\nseed,at,value,episodes\n0,1,2\n");
  EXPECT_THROW(readResults(other), std::runtime_error);
  EXPECT_THROW(readResults(cut), std::runtime_error);
}

TEST(Statistics, OfASample) {
  EXPECT_EQ(mean({1, 2, 6}), 3);
  EXPECT_NEAR(deviation({1, 2, 6}), std::sqrt(7), 1e-12);
  EXPECT_EQ(deviation({4}), 0);
}

}  // namespace
}  // namespace rlc::tools
