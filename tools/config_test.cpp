#include "tools/config.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tools/program.h"

namespace rlc::tools {
namespace {

std::string fileOf(const std::string& text) {
  const std::string path =
      testing::TempDir() + "rlc_config_test." + std::to_string(getpid()) + ".toml";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

using Params = std::vector<std::pair<std::string, std::string>>;

TEST(Config, KeysAreParams) {
  EXPECT_EQ(readConfig(fileOf("n = 3\nlr = 3e-4  # small\non = true\n")),
            (Params{{"lr", "0.0003"}, {"n", "3"}, {"on", "true"}}));
}

TEST(Config, ATableIsAPrefix) {
  EXPECT_EQ(readConfig(fileOf("[actor]\nwidth = 64\n")), (Params{{"actor.width", "64"}}));
}

TEST(Config, AnArrayIsAList) {
  EXPECT_EQ(readConfig(fileOf("sizes = [64, 32]\n")), (Params{{"sizes", "[64, 32]"}}));
}

TEST(Config, NumbersOfAnyNotation) {
  EXPECT_EQ(readConfig(fileOf("\xEF\xBB\xBF"
                              "a = 1_000\nb = 0x10\nc = [1.5, -2]\nd = \"x\"\n")),
            (Params{{"a", "1000"}, {"b", "16"}, {"c", "[1.5, -2]"}, {"d", "x"}}));
}

TEST(Config, KeysOfAnyAlphabet) {
  EXPECT_EQ(readConfig(fileOf("γ = 0.5\n\"θ\" = 2\n")), (Params{{"γ", "0.5"}, {"θ", "2"}}));
}

TEST(Config, WhatIsNoTomlIsAUsageErrorWithItsPlace) {
  for (const auto& [text, place] :
       std::vector<std::pair<std::string, std::string>>{{"m = 1\nn = [1, 2\n", "line 2"},
                                                        {"n = 2\nn = 3\n", "line 2, column"},
                                                        {"n = 1979-05-27\n", "line 1, column 5"},
                                                        {"n =\n", "line 1"}}) {
    try {
      readConfig(fileOf(text));
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
    }
  }
}

TEST(Config, AMissingFileIsAUsageError) {
  EXPECT_THROW(readConfig("/nonexistent/x.toml"), UsageError);
}

TEST(Config, ABinaryFileIsAUsageError) {
  EXPECT_THROW(readConfig(fileOf(std::string("a\0b", 3))), UsageError);
}

TEST(ParamOverrides, TheCommandLineWins) {
  ProgramOptions options;
  options.config = fileOf("n = 3\nm = 4\n");
  options.sets = {"n=5"};
  options.assignments = {"n=6"};
  EXPECT_EQ(paramOverrides(options), (Params{{"m", "4"}, {"n", "6"}}));
}

TEST(ParamOverrides, WhatIsNoSettingIsAUsageError) {
  for (const char* text : {"n", "n=", "=3", ""}) {
    ProgramOptions options;
    options.sets = {text};
    EXPECT_THROW(paramOverrides(options), UsageError) << text;
  }
}

}  // namespace
}  // namespace rlc::tools
