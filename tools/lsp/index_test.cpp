#include "tools/lsp/index.h"

#include <gtest/gtest.h>

#include <thread>

#include "compiler/syntax/test_support.h"

namespace rlc::lsp {
namespace {

// What the n-th use of a name in a text means: "KIND at LINE", or "" .
std::string meaning(const std::string& text, const std::string& name, size_t n) {
  const ParsedFile file("a.rl", text);
  size_t seen = 0;
  for (const Use& use : file.index.uses) {
    if (use.name != name || seen++ != n) continue;
    if (use.definition < 0) return "";
    const Definition& definition = file.index.definitions[static_cast<size_t>(use.definition)];
    return std::to_string(static_cast<int>(definition.kind)) + " at " +
           std::to_string(file.lines.position(text, definition.begin).line);
  }
  return "no such use";
}

std::string at(DefKind kind, int line) {
  return std::to_string(static_cast<int>(kind)) + " at " + std::to_string(line);
}

TEST(Index, FindsNamesWhateverTheirOrder) {
  EXPECT_EQ(meaning("y = x\nx = 1", "x", 0), at(DefKind::Tensor, 1));
  EXPECT_EQ(meaning("index t in 0..n\nparam n = 1", "n", 0), at(DefKind::Param, 1));
  EXPECT_EQ(meaning("x[0] = 1\nx[t+1] = x\nindex t in 0..9", "x", 2), at(DefKind::Tensor, 0));
}

TEST(Index, KnowsScopes) {
  const std::string text = "x = 1\nfn f(x: f32[n]) = sum(x[k] * n for k in 0..n)\ny = x";
  EXPECT_EQ(meaning(text, "x", 2), at(DefKind::Parameter, 1));
  EXPECT_EQ(meaning(text, "k", 0), at(DefKind::Range, 1));
  EXPECT_EQ(meaning(text, "n", 1), at(DefKind::Shape, 1));
  EXPECT_EQ(meaning(text, "x", 3), at(DefKind::Tensor, 0));
}

TEST(Index, KnowsEnvironments) {
  const std::string text =
      "env E {\n  state { x: f32 }\n  reset { x = 0.0 }\n  step(a) {\n    f = a\n    x' = x + f\n  "
      "}\n  reward = x'\n}";
  EXPECT_EQ(meaning(text, "x", 1), at(DefKind::Field, 1));  // reset
  EXPECT_EQ(meaning(text, "x", 2), at(DefKind::Field, 1));  // x'
  EXPECT_EQ(meaning(text, "f", 1), at(DefKind::Tensor, 4));
  EXPECT_EQ(meaning(text, "a", 1), at(DefKind::Parameter, 3));
}

TEST(Index, KeepsWhatStandsAroundABrokenLine) {
  const std::string text = "x = 1\ny = (x +\nz = x\n";
  EXPECT_EQ(meaning(text, "z", 0).empty(), false);
  const ParsedFile file("a.rl", "a = 1\nb = = 2\nc = a");
  EXPECT_GE(file.index.definitionNamed("c"), 0);
}

TEST(Index, SeesEveryNameOnce) {
  const ParsedFile file("a.rl", syntax::kSample);
  for (size_t i = 1; i < file.index.uses.size(); ++i)
    EXPECT_LE(file.index.uses[i - 1].end, file.index.uses[i].begin)
        << file.index.uses[i - 1].name << " " << file.index.uses[i].name;
  for (const Use& use : file.index.uses)
    EXPECT_EQ(file.text().substr(use.begin, use.end - use.begin), use.name);
}

TEST(SharedFile, IsParsedOnceWhoeverAsks) {
  const SharedFile file("a.rl", "a = 1\n");
  FilePtr elsewhere;
  std::thread other([&] { elsewhere = file.parsed(); });
  const FilePtr here = file.parsed();
  other.join();
  EXPECT_EQ(here, elsewhere);
  EXPECT_EQ(here->text(), file.text());
}

}  // namespace
}  // namespace rlc::lsp
