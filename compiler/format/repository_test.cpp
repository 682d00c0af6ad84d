// Every program of the repository, as it stands and with its white space shaken.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "compiler/format/format.h"
#include "compiler/format/tokens.h"
#include "compiler/syntax/test_support.h"

namespace rlc::format {
namespace {

namespace fs = std::filesystem;

std::vector<std::pair<std::string, std::string>> programs() {
  std::vector<std::pair<std::string, std::string>> result;
  for (const char* folder : {"stdlib", "examples", "tests", "docs", "benchmarks", "editors"}) {
    const fs::path root = fs::path(RLC_SOURCE_DIR) / folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".rl") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      std::ostringstream text;
      text << in.rdbuf();
      result.emplace_back(entry.path().string(), text.str());
    }
  }
  return result;
}

// Empty: broken.
std::string checked(const std::string& path, const std::string& text) {
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  const Result result = format(sources, sources.add(path, text), sink);
  EXPECT_FALSE(result.differs) << path << "\n" << text << "\nbecame\n" << layOut(text);
  if (!result.text) return "";
  const std::string twice = layOut(*result.text);
  EXPECT_EQ(twice, *result.text) << path << ": not idempotent";
  return *result.text;
}

TEST(Repository, EveryProgramKeepsItsMeaningAndIsStable) {
  for (const auto& [path, text] : programs()) checked(path, text);
}

// Other white space between the same words: more or fewer spaces, comments, and line breaks where
// they end nothing.
std::string shaken(const std::string& text, std::mt19937& random) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<Token> tokens = tokenize(text);
  assignRoles(tokens);
  std::string out;
  std::vector<bool> listed;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool inside = !listed.empty() && listed.back();
    if (i > 0 && tokens[i - 1].kind == Token::Kind::LineComment)
      out += "\n";
    else if (token.line_break)
      out += pick(4) == 0 ? "\r\n" : "\n";
    else if (token.gap)
      out += pick(8) == 0 ? "\t" : std::string(1 + static_cast<size_t>(pick(3)), ' ');
    else if (inside && !token.verbatim && pick(3) == 0)
      out += pick(5) == 0 ? "\n" : " ";
    if (inside && !token.verbatim && pick(40) == 0) out += pick(2) == 0 ? " /* c */ " : " # c\n";
    out += std::string(token.line_break ? static_cast<size_t>(pick(5)) : 0, ' ');
    out += token.text;
    if (token.opens()) listed.push_back(!token.block && !token.glued);
    if (token.closes() && !listed.empty()) listed.pop_back();
  }
  return out;
}

TEST(Repository, ShakenProgramsKeepTheirMeaningAndAreStable) {
  const uint32_t seed = 20;
  std::mt19937 random(seed);
  std::vector<std::pair<std::string, std::string>> all = programs();
  for (int i = 0; i < 20; ++i) all.emplace_back("sample", syntax::kSample);
  for (const auto& [path, text] : all) {
    const std::string changed = shaken(text, random);
    SCOPED_TRACE("seed " + std::to_string(seed));
    checked(path, changed);
    if (HasFailure()) return;
  }
}

TEST(Repository, ALongTextTakesAboutLinearTime) {
  std::string list = "y = [";
  for (int i = 0; i < 100000; ++i) list += std::to_string(i) + ",";
  EXPECT_GT(layOut(list + "0]").size(), list.size());
  std::string items;
  for (int i = 0; i < 50000; ++i) items += "x" + std::to_string(i) + " = f(a, b);";
  EXPECT_GT(layOut(items).size(), items.size());
}

}  // namespace
}  // namespace rlc::format
