#include <gtest/gtest.h>

#include "tools/commands.h"
#include "tools/program.h"

namespace rlc::tools {
namespace {

TEST(RunSettings, SeedsAre64Bits) {
  EXPECT_EQ(parseSeed("18446744073709551615"), UINT64_MAX);
  for (const char* seed : {"-1", "x", "1.5", "", "18446744073709551616", "1 "})
    EXPECT_THROW(parseSeed(seed), UsageError) << seed;
}

TEST(RunSettings, ThreadsAreAtLeastOne) {
  EXPECT_EQ(parseThreads(""), 0);
  EXPECT_EQ(parseThreads("8"), 8);
  for (const char* threads : {"0", "-1", "x", "1000000000000"})
    EXPECT_THROW(parseThreads(threads), UsageError) << threads;
}

TEST(RunSettings, AnUnknownDeviceIsAUsageError) {
  RunSettings settings;
  EXPECT_EQ(settings.deviceName(), "auto");
  settings.device = "abacus";
  EXPECT_THROW(settings.deviceName(), UsageError);
}

}  // namespace
}  // namespace rlc::tools
