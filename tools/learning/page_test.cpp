#include "tools/learning/page.h"

#include <gtest/gtest.h>

namespace rlc::tools {
namespace {

LearningRow row(const std::string& note) {
  LearningRow row;
  row.name = "pole_x";
  row.environment = "Pole";
  row.algorithm = "X";
  row.steps = 200;
  row.aboutSteps = true;
  row.accept = AcceptedReturns{4, 6};
  row.note = note;
  return row;
}

LearningResults resultsOf(int seeds, double value) {
  LearningResults results{"rlc run x.rl", 1.0, {}, {}};
  for (int seed = 0; seed < seeds; ++seed) results.seeds[seed] = {{0, value, 1}, {1, value, 1}};
  return results;
}

bool has(const std::string& page, const std::string& words) {
  return page.find(words) != std::string::npos;
}

TEST(LearningPage, FewSeedsAreAcceptedOnlySoFar) {
  EXPECT_TRUE(has(learningPage({{row(""), resultsOf(9, 5)}}), "| 4 to 6 | so far | about 200 |"));
  EXPECT_TRUE(has(learningPage({{row(""), resultsOf(10, 5)}}), "| 4 to 6 | yes | about 200 |"));
  EXPECT_TRUE(has(learningPage({{row(""), resultsOf(9, 7)}}), "| 4 to 6 | no |  |"));
}

TEST(LearningPage, StepsThatEpisodesDecideAreAboutSoMany) {
  EXPECT_TRUE(
      has(learningPage({{row(""), std::nullopt}}), "| Pole | X | about 200 | not measured |"));
}

TEST(LearningPage, NotesStandUnderTheNameOfTheirRow) {
  EXPECT_TRUE(has(learningPage({{row("One run failed."), std::nullopt}}),
                  "\n## Notes\n\n**Pole, X.** One run failed.\n"));
  EXPECT_FALSE(has(learningPage({{row(""), std::nullopt}}), "## Notes"));
}

}  // namespace
}  // namespace rlc::tools
