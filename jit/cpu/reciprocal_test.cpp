#include "jit/cpu/reciprocal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace rlc::cpu {
namespace reciprocal_test {

// Whether two operations divide all mantissas right.
bool dividesAll(float divisor, float high, float low) {
  const uint32_t one = std::bit_cast<uint32_t>(1.0F);
  for (uint32_t word = one; word < one + (1U << 23); ++word) {
    const auto x = std::bit_cast<float>(word);
    if (std::fma(x, high, x * low) != x / divisor) return false;
  }
  return true;
}

// What the few checked dividends say holds for all of them; a part of the divisors needs more.
TEST(Reciprocals, AreProvedRightForAllDividends) {
  int proved = 0;
  uint32_t bits = 123456789;
  const auto check = [&](float divisor) {
    const auto parts = reciprocalParts(llvm::APFloat(divisor));
    if (!parts) return;
    ++proved;
    const float high = (*parts)[0].convertToFloat(), low = (*parts)[1].convertToFloat();
    EXPECT_TRUE(dividesAll(divisor, high, low)) << divisor;
  };
  for (float divisor : {1.1F, -1.1F, 3.0F, 7.0F, 10.0F, 3.14159265F, std::nextafter(2.0F, 1.0F),
                        std::nextafter(1.0F, 2.0F), std::nextafter(1.5F, 2.0F)})
    check(divisor);
  for (int i = 0; i < 24; ++i) {
    bits ^= bits << 13, bits ^= bits >> 17, bits ^= bits << 5;
    check(std::bit_cast<float>(0x3F800000U | (bits >> 9)));
  }
  EXPECT_GT(proved, 20);
  // One in thirteen divisors has a dividend that two operations divide wrong.
  for (float divisor : {0x1.a1d31ep+0F, 0x1.db977ep+0F, 0x1.fcdd86p+0F})
    EXPECT_FALSE(reciprocalParts(llvm::APFloat(divisor))) << divisor;
}

TEST(Reciprocals, AreThoseOfDivisorsThatCanBe) {
  for (double divisor : {0.5, 2.0, 0.3, 33.0, 1e30, std::nan(""), 0.0, HUGE_VAL})
    EXPECT_FALSE(reciprocalParts(llvm::APFloat(divisor))) << divisor;
  EXPECT_TRUE(reciprocalOf(llvm::APFloat(33.0)));
  EXPECT_FALSE(reciprocalOf(llvm::APFloat(std::nextafter(2.0, 1.0))));
}

}  // namespace reciprocal_test
}  // namespace rlc::cpu
