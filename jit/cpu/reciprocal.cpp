#include "jit/cpu/reciprocal.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace rlc::cpu {

using llvm::APFloat;

namespace {

constexpr auto kNearest = APFloat::rmNearestTiesToEven;
using Wide = unsigned __int128;

uint64_t mantissaOf(const APFloat& value, unsigned precision) {
  const uint64_t fraction = value.bitcastToAPInt().trunc(precision - 1).getZExtValue();
  return fraction | uint64_t{1} << (precision - 1);
}

// The inverse of an odd number modulo 2^64, by Newton's iteration.
uint64_t inverseOf(uint64_t odd) {
  uint64_t inverse = odd;
  for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

// Whether the two operations divide `x` right.
bool dividesRight(uint64_t x, const APFloat& divisor, const APFloat& high, const APFloat& low) {
  APFloat dividend(divisor.getSemantics(), x);
  APFloat want = dividend, got = dividend, rest = dividend;
  want.divide(divisor, kNearest);
  rest.multiply(low, kNearest);
  got.fusedMultiplyAdd(high, rest, kNearest);
  return want.bitwiseIsEqual(got);
}

// With mantissas X and C of p bits the quotient's distance from a middle between two numbers, N /
// 2^s with an odd N of p + 1 bits, is |X 2^s - N C| / (C 2^s), where s is p if X >= C and p + 1
// else. The two operations are off by less than 2^(2 - 2p) (1 + 2^-4) of the quotient (a product's
// rounding, the rounding of `low`, and subnormal numbers), so that only |X 2^s - N C| <= 8 matters:
// few N, for each follows from such a difference modulo 2^s.
bool alwaysRight(const APFloat& divisor, const APFloat& high, const APFloat& low) {
  constexpr int kDifference = 8;
  const unsigned p = APFloat::semanticsPrecision(divisor.getSemantics());
  const uint64_t c = mantissaOf(divisor, p), first = uint64_t{1} << (p - 1);
  const auto twos = static_cast<unsigned>(std::countr_zero(c));
  if (1 << std::min(twos, 4U) > kDifference) return true;  // of which all differences are multiples
  for (unsigned s : {p, p + 1}) {
    for (int difference = -kDifference; difference <= kDifference; ++difference) {
      if (difference == 0 || difference % (1 << twos) != 0) continue;
      const uint64_t step = uint64_t{1} << (s - twos);
      const auto quotient = static_cast<uint64_t>(-(difference / (1 << twos)));
      uint64_t n = (quotient * inverseOf(c >> twos)) & (step - 1);
      if (n < 2 * first) n += (2 * first - n + step - 1) / step * step;
      for (; n < 4 * first; n += step) {
        if (n % 2 == 0) continue;
        const Wide product = static_cast<Wide>(n) * c + static_cast<Wide>(difference);
        const auto x = static_cast<uint64_t>(product >> s);
        if (x < first || x >= 2 * first || (x >= c) != (s == p)) continue;
        if (!dividesRight(x, divisor, high, low)) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::optional<APFloat> reciprocalOf(const APFloat& divisor) {
  const int magnitude = divisor.isFiniteNonZero() ? ilogb(divisor) : -1;
  if (magnitude < 0 || magnitude > 20) return std::nullopt;
  const unsigned bits = APFloat::semanticsPrecision(divisor.getSemantics()) - 1;
  const llvm::APInt mantissa = divisor.bitcastToAPInt().trunc(bits);
  if (mantissa.isAllOnes() || mantissa.isZero()) return std::nullopt;
  APFloat reciprocal(divisor.getSemantics(), 1);
  reciprocal.divide(divisor, kNearest);
  return reciprocal;
}

std::optional<std::array<APFloat, 2>> reciprocalParts(const APFloat& divisor) {
  const auto& semantics = divisor.getSemantics();
  if (&semantics != &APFloat::IEEEsingle() && &semantics != &APFloat::IEEEdouble())
    return std::nullopt;
  if (!reciprocalOf(divisor) || ilogb(divisor) > 4) return std::nullopt;
  APFloat high(semantics, 1);
  high.divide(divisor, APFloat::rmTowardZero);
  // What is left of 1 is exact; rounded towards zero, it has the divisor's sign.
  APFloat low = high;
  low.changeSign();
  low.fusedMultiplyAdd(divisor, APFloat(semantics, 1), kNearest);
  low.divide(divisor, kNearest);
  if (!alwaysRight(divisor, high, low)) return std::nullopt;
  return std::array<APFloat, 2>{high, low};
}

}  // namespace rlc::cpu
