#include "compiler/diagnostics/source_map.h"

#include <gtest/gtest.h>

namespace rlc::diagnostics {
namespace {

std::pair<int, int> at(const SourceMap& map, uint32_t offset) {
  const Position position = map.position(0, offset);
  return {position.line, position.column};
}

TEST(SourceMap, ColumnsCountCodePointsFromOne) {
  SourceMap map;
  map.add("a.rl", "θ = γ\nx");
  EXPECT_EQ(at(map, 0), std::pair(1, 1));
  EXPECT_EQ(at(map, 2), std::pair(1, 2));
  EXPECT_EQ(at(map, 5), std::pair(1, 5));
  EXPECT_EQ(at(map, 8), std::pair(2, 1));
  EXPECT_EQ(at(map, 999), std::pair(2, 2)) << "past the end is the end";
}

TEST(SourceMap, ToleratesWindowsLineBreaksMarksAndBytesThatAreNoText) {
  SourceMap map;
  map.add("a.rl", std::string("\xEF\xBB\xBFx = 1\r\n\xFF\xFEy\0z", 15));
  EXPECT_EQ(map.lineText(0, 1), "x = 1");
  EXPECT_EQ(at(map, 3), std::pair(1, 1));
  EXPECT_EQ(at(map, 12), std::pair(2, 3));
  EXPECT_EQ(map.lineCount(0), 2);
  EXPECT_EQ(map.lineText(0, 99), "");
}

TEST(SourceMap, PositionsAndOffsetsAgree) {
  SourceMap map;
  map.add("a.rl", "αβγ\r\n\nxyz\n");
  for (uint32_t offset : {0u, 2u, 4u, 6u, 8u, 9u, 10u, 12u}) {
    EXPECT_EQ(map.offset(0, map.position(0, offset)), offset);
  }
  EXPECT_EQ(map.offset(0, {1, 99}), 6u) << "clamped to the line";
}

TEST(SourceMap, TextOfASpanIsClamped) {
  SourceMap map;
  map.add("a.rl", "hello");
  EXPECT_EQ(map.text(Span{0, 1, 3}), "el");
  EXPECT_EQ(map.text(Span{0, 3, 99}), "lo");
  EXPECT_EQ(map.text(Span{0, 9, 3}), "");
}

TEST(SourceMap, SaysWhyAFileCannotBeRead) {
  SourceMap map;
  std::string error;
  EXPECT_EQ(map.load("/nowhere/at all.rl", error), std::nullopt);
  EXPECT_NE(error, "");
  EXPECT_EQ(map.load("/", error), std::nullopt);
  EXPECT_EQ(error, "it is a folder");
}

}  // namespace
}  // namespace rlc::diagnostics
