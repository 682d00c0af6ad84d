#include "compiler/diagnostics/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace rlc::diagnostics {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(editDistance("sqrt", "sqr", 3), 1);
  EXPECT_EQ(editDistance("sqrt", "sqtr", 3), 1);
  EXPECT_EQ(editDistance("horizon", "horizont", 3), 1);
  EXPECT_EQ(editDistance("abc", "xyz", 3), 3);
  EXPECT_EQ(editDistance("abc", "xyz", 1), 2) << "anything past the limit is limit + 1";
}

TEST(EditDistance, IsByCodePointAndIgnoresCase) {
  EXPECT_EQ(editDistance("θ1", "γ1", 3), 1);
  EXPECT_EQ(editDistance("Adam", "adam", 3), 0);
}

TEST(Nearest, FindsTheLikelyOne) {
  const std::vector<std::string> names{"sqrt", "softmax", "gamma", "horizon"};
  EXPECT_EQ(nearest("sqr", names), "sqrt");
  EXPECT_EQ(nearest("gama", names), "gamma");
  EXPECT_EQ(nearest("Horizon", names), "horizon");
  EXPECT_EQ(nearest("rewards", names), std::nullopt);
  EXPECT_EQ(orWhatItHas("gama", names), "did you mean `gamma`?");
  EXPECT_EQ(orWhatItHas("probs", std::vector<std::string>{"logits", "mask", "p"}),
            "it has `logits`, `mask` and `p`");
  EXPECT_EQ(orWhatItHas("n", std::vector<std::string>{"x"}), "it has `x`");
  EXPECT_EQ(didYouMean("sqr", names), "did you mean `sqrt`?");
  EXPECT_EQ(didYouMean("zzz", names), "");
}

TEST(Nearest, LongCodePointsCountAsOne) {
  EXPECT_EQ(nearest("δλθδλθ", std::vector<std::string>{"aλcδλθ"}), "aλcδλθ");
  EXPECT_EQ(nearest("abcdef", std::vector<std::string>{"𝛼bcde𝛼"}), "𝛼bcde𝛼");
  EXPECT_EQ(nearest("𝛼bcde𝛼", std::vector<std::string>{"abcdef", "abcd"}), "abcdef");
}

TEST(Nearest, ShortNamesMatchByCaseOnly) {
  const std::vector<std::string> names{"t", "b", "T1"};
  EXPECT_EQ(nearest("x", names), std::nullopt);
  EXPECT_EQ(nearest("B", names), "b");
}

}  // namespace
}  // namespace rlc::diagnostics
