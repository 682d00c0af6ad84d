#include <gtest/gtest.h>

#include "tools/commands.h"
#include "tools/program.h"

namespace rlc::tools {
namespace {

RunSettings withSeed(const std::string& seed) {
  RunSettings settings;
  settings.seed = seed;
  return settings;
}

TEST(RunSettings, SeedsAre64Bits) {
  EXPECT_EQ(withSeed("18446744073709551615").seedValue(), UINT64_MAX);
  for (const char* seed : {"-1", "x", "1.5", "", "18446744073709551616", "1 "})
    EXPECT_THROW(withSeed(seed).seedValue(), UsageError) << seed;
}

TEST(RunSettings, ThreadsAreAtLeastOne) {
  RunSettings settings;
  EXPECT_EQ(settings.threadCount(), 0);
  settings.threads = "8";
  EXPECT_EQ(settings.threadCount(), 8);
  for (const char* threads : {"0", "-1", "x", "1000000000000"}) {
    settings.threads = threads;
    EXPECT_THROW(settings.threadCount(), UsageError) << threads;
  }
}

TEST(RunSettings, AnUnknownDeviceIsAUsageError) {
  RunSettings settings;
  EXPECT_EQ(settings.deviceName(), "auto");
  settings.device = "abacus";
  EXPECT_THROW(settings.deviceName(), UsageError);
}

}  // namespace
}  // namespace rlc::tools
