#include "tools/progress.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rlc::tools {
namespace {

TEST(ClockText, HasHoursOnlyWhereThereAreSome) {
  EXPECT_EQ(clockText(46), "0:46");
  EXPECT_EQ(clockText(125.4), "2:05");
  EXPECT_EQ(clockText(3723), "1:02:03");
}

TEST(ClockText, SurvivesWhatIsUnknown) {
  EXPECT_EQ(clockText(INFINITY), "more than 100 h");
  EXPECT_EQ(clockText(NAN), "more than 100 h");
}

TEST(ProgressLine, WritesNothingWhenSwitchedOff) {
  testing::internal::CaptureStderr();
  {
    ProgressLine line(false);
    line.update({"i", 1, 2});
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ProgressLine, ShowsIterationRateAndMetrics) {
  testing::internal::CaptureStderr();
  {
    ProgressLine line(true);
    line.metric("loss", "0.5");
    line.update({"i", 1, 2});
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("i 1/2"), std::string::npos);
  EXPECT_NE(text.find("loss 0.5"), std::string::npos);
}

}  // namespace
}  // namespace rlc::tools
