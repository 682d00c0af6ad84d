#include "tools/lsp/text.h"

#include <gtest/gtest.h>

namespace rlc::lsp {
namespace {

TEST(Text, CountsInUtf16Units) {
  const std::string text = "θ = 1\n𝛾x = 2\r\nlast";
  const TextLines lines(text);
  EXPECT_EQ(lines.count(), 3u);
  EXPECT_EQ(lines.offset(text, {0, 1}), 2u);       // θ: two bytes, one unit
  EXPECT_EQ(lines.offset(text, {1, 2}), 7u + 4u);  // 𝛾: four bytes, two units
  EXPECT_EQ(lines.offset(text, {1, 1}), 7u);       // inside of it: before it
  EXPECT_EQ(lines.position(text, 11).character, 2);
  EXPECT_EQ(lines.offset(text, {1, 99}), 7u + 4u + 5u);  // clamped before "\r\n"
  EXPECT_EQ(lines.offset(text, {9, 0}), text.size());
  EXPECT_EQ(lines.offset(text, {-1, 0}), 0u);
}

TEST(Text, GoesThereAndBackAtEveryCharacter) {
  const std::string text = "a\nθθ 𝛾\r\rb\r\n\nc";
  const TextLines lines(text);
  for (int64_t line = 0; line < static_cast<int64_t>(lines.count()); ++line) {
    for (int64_t character = 0; character < 6; ++character) {
      const uint32_t offset = lines.offset(text, {line, character});
      const Position back = lines.position(text, offset);
      EXPECT_EQ(back.line, line);
      EXPECT_LE(back.character, character);
    }
  }
}

TEST(Text, TakesInvalidBytesForCharacters) {
  const std::string text = "\xff\xfex";
  EXPECT_EQ(TextLines(text).offset(text, {0, 2}), 2u);
}

TEST(Text, TurnsPathsIntoUrisAndBack) {
  EXPECT_EQ(uriOfPath("/a b/θ.rl"), "file:///a%20b/%CE%B8.rl");
  EXPECT_EQ(pathOfUri("file:///a%20b/%CE%B8.rl"), "/a b/θ.rl");
  EXPECT_EQ(pathOfUri("file://localhost/a.rl"), "/a.rl");
  EXPECT_EQ(pathOfUri("untitled:Untitled-1"), "untitled:Untitled-1");
  EXPECT_EQ(uriOfPath("untitled:Untitled-1"), "untitled:Untitled-1");
  EXPECT_EQ(pathOfUri("file:///a%zz%4"), "/a%zz%4");
}

TEST(TextLines, APositionInALongLineIsFoundAtOnce) {
  std::string text;
  std::vector<uint32_t> offsets;
  for (int i = 0; i < 200000; ++i) {
    offsets.push_back(static_cast<uint32_t>(text.size()));
    text += i % 3 == 0 ? "θ" : "x";
  }
  const TextLines lines(text);
  for (size_t i = 0; i < offsets.size(); ++i)
    ASSERT_EQ(lines.position(text, offsets[i]).character, static_cast<int64_t>(i));
}

}  // namespace
}  // namespace rlc::lsp
