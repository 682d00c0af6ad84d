#include "compiler/format/diff.h"

#include <gtest/gtest.h>

namespace rlc::format {
namespace {

TEST(Diff, IsEmptyForEqualTexts) { EXPECT_EQ(unifiedDiff("a", "x\n", "x\n"), ""); }

TEST(Diff, ShowsChangesWithTheirSurroundings) {
  EXPECT_EQ(unifiedDiff("a.rl", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\nX\n5\n6\n"),
            "--- a.rl\n+++ a.rl\n@@ -1,6 +1,6 @@\n 1\n 2\n 3\n-4\n+X\n 5\n 6\n");
}

TEST(Diff, SeparatesDistantChanges) {
  std::string before, after;
  for (int i = 0; i < 30; ++i) {
    before += std::to_string(i) + "\n";
    if (i != 25) after += (i == 3 ? "three" : std::to_string(i)) + std::string("\n");
  }
  EXPECT_EQ(unifiedDiff("a", before, after),
            "--- a\n+++ a\n@@ -1,7 +1,7 @@\n 0\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n"
            "@@ -23,7 +23,6 @@\n 22\n 23\n 24\n-25\n 26\n 27\n 28\n");
}

TEST(Diff, SaysWhereTheLastLineHasNoEnd) {
  EXPECT_EQ(unifiedDiff("a", "x", "x\n"),
            "--- a\n+++ a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  EXPECT_EQ(unifiedDiff("a", "", "x\n"), "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n");
}

}  // namespace
}  // namespace rlc::format
