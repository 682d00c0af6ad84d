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
            (Params{{"n", "3"}, {"lr", "3e-4"}, {"on", "true"}}));
}

TEST(Config, ATableIsAPrefix) {
  EXPECT_EQ(readConfig(fileOf("[actor]\nwidth = 64\n")), (Params{{"actor.width", "64"}}));
}

TEST(Config, AnArrayIsAList) {
  EXPECT_EQ(readConfig(fileOf("sizes = [64, 32]\n")), (Params{{"sizes", "[64, 32]"}}));
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
