#include "jit/runtime/format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>

namespace rlc::runtime {
namespace {

std::string f32(float x) {
  std::string out;
  appendFloat(out, x);
  return out;
}
std::string f64(double x, Notation notation = Notation::Text) {
  std::string out;
  appendFloat(out, x, notation);
  return out;
}

TEST(Format, floatsHaveAPointOrAnExponent) {
  EXPECT_EQ(f64(0.25), "0.25");
  EXPECT_EQ(f64(1), "1.0");
  EXPECT_EQ(f64(-0.0), "-0.0");
  EXPECT_EQ(f64(1e-10), "1e-10");
  EXPECT_EQ(f64(1.5e-7), "1.5e-7");
  EXPECT_EQ(f64(0.0001), "0.0001");
  EXPECT_EQ(f64(100000), "100000.0");
  EXPECT_EQ(f64(1234567.875), "1234567.875");
  EXPECT_EQ(f64(1e15), "1000000000000000.0");
  EXPECT_EQ(f64(1e16), "1e16");
  EXPECT_EQ(f64(-1.7976931348623157e308), "-1.7976931348623157e308");
}

TEST(Format, singlesHaveTheDigitsOfASingle) {
  EXPECT_EQ(f32(0.1f), "0.1");
  EXPECT_EQ(f64(0.1f), "0.10000000149011612");
  EXPECT_EQ(f32(16777216.0f), "16777216.0");
  EXPECT_EQ(f32(1e-45f), "1e-45");
}

TEST(Format, everyFloatReadsBack) {
  for (uint32_t bits = 0; bits < 0xff000000u; bits += 65521) {
    const float x = std::bit_cast<float>(bits);
    if (std::isfinite(x)) {
      ASSERT_EQ(std::strtof(f32(x).c_str(), nullptr), x);
    }
    const double y = std::bit_cast<double>(uint64_t{bits} << 32 | bits);
    if (std::isfinite(y)) {
      ASSERT_EQ(std::strtod(f64(y).c_str(), nullptr), y);
    }
  }
}

TEST(Format, bf16HasTheFewestDigitsThatReadBack) {
  EXPECT_EQ(formatScalar(Scalar::ofFloat(DType::BF16, 0.1)), "0.1");
  EXPECT_EQ(formatScalar(Scalar::ofFloat(DType::BF16, 3.14159)), "3.14");
  EXPECT_EQ(formatScalar(Scalar::ofFloat(DType::BF16, 256)), "256.0");
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    const uint16_t element = static_cast<uint16_t>(bits);
    std::string out;
    appendElement(out, DType::BF16, &element);
    ASSERT_EQ(roundToBf16(std::strtod(out.c_str(), nullptr)), std::bit_cast<float>(bits << 16))
        << out;
  }
}

TEST(Format, nonFiniteNumbersAreWordsAndStringsInJson) {
  EXPECT_EQ(f64(std::nan("")), "nan");
  EXPECT_EQ(f64(HUGE_VAL), "inf");
  EXPECT_EQ(f64(-HUGE_VAL), "-inf");
  EXPECT_EQ(f64(std::nan(""), Notation::Json), "\"nan\"");
  EXPECT_EQ(f64(-HUGE_VAL, Notation::Json), "\"-inf\"");
}

TEST(Format, integersAndBooleans) {
  EXPECT_EQ(formatScalar(Scalar::ofInt(DType::I64, INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(formatScalar(Scalar::ofInt(DType::U8, 255)), "255");
  EXPECT_EQ(formatScalar(Scalar::ofInt(DType::Bool, 1)), "true");
}

TEST(Format, jsonStringsAreEscaped) {
  std::string out;
  appendJsonString(out, "θ \"a\\b\"\n\x01");
  EXPECT_EQ(out, "\"θ \\\"a\\\\b\\\"\\n\\u0001\"");
}

}  // namespace
}  // namespace rlc::runtime
