// What the formulas share: the two precisions, polynomials, exact sums, signs and powers of two.
#pragma once

#include <limits>

#include "jit/runtime/math_ops.h"

namespace rlc::runtime::math {

// A formula for precision P (F32 or F64) takes numbers of that width; an expression type does not
// show its width, so P is always explicit.
struct F32 {
  static constexpr int bits = 32, mantissaBits = 23, bias = 127;
  static constexpr double roundMagic =
      12582912.0;  // 1.5 * 2^23: adding it rounds to an integer in the low bits
  static constexpr int64_t roundMagicBits = 0x4B400000;
  static constexpr double minNormal = 0x1p-126, epsilon = 0x1p-24;
};
struct F64 {
  static constexpr int bits = 64, mantissaBits = 52, bias = 1023;
  static constexpr double roundMagic = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr int64_t roundMagicBits = 0x4338000000000000;
  static constexpr double minNormal = 0x1p-1022, epsilon = 0x1p-53;
};

template <class P>
inline constexpr bool isF32 = P::bits == 32;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

// The sum of coefficients[i] * x^i, by Horner's rule.
template <class F, size_t N>
F polynomial(F x, const std::array<double, N>& coefficients) {
  F sum = constant(x, coefficients[N - 1]);
  for (size_t i = N - 1; i-- > 0;) sum = fma(sum, x, constant(x, coefficients[i]));
  return sum;
}

template <class P, class F>
auto signBit(F x) {
  auto word = bitcastToInt(x);
  return word & wordConstant(word, static_cast<int64_t>(uint64_t{1} << (P::bits - 1)));
}

template <class P, class F>
F magnitude(F x) {
  auto word = bitcastToInt(x);
  return bitcastToFloat(
      word & wordConstant(word, static_cast<int64_t>((uint64_t{1} << (P::bits - 1)) - 1)));
}

// `x`, whose sign bit is clear, with the sign of `sign`.
template <class P, class F>
F withSign(F x, F sign) {
  return bitcastToFloat(bitcastToInt(x) | signBit<P>(sign));
}

// 2^n of a word n with 2^n normal.
template <class P, class W>
auto powerOfTwo(W n) {
  return bitcastToFloat(shiftLeft(n + wordConstant(n, P::bias), P::mantissaBits));
}

// x * 2^n, n up to about twice the exponent's range; rounds once more where the result is denormal.
template <class P, class F, class W>
F scale(F x, W n) {
  W half = shiftRightArithmetic(n, 1);
  return x * powerOfTwo<P>(half) * powerOfTwo<P>(n - half);
}

// The number of a word that is small in magnitude (below 2^21).
template <class P, class W>
auto smallToFloat(W n) {
  auto magic = wordConstant(n, P::roundMagicBits);
  auto shifted = bitcastToFloat(n + magic);
  return shifted - constant(shifted, P::roundMagic);
}

// hi + lo is the exact sum (Knuth) or product of the operands.
template <class F>
struct Pair {
  F hi, lo;
};
template <class F>
Pair<F> exactSum(F a, F b) {
  F sum = a + b;
  F part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
template <class F>
Pair<F> exactSumOrdered(F a, F b) {  // |a| >= |b|
  F sum = a + b;
  return {sum, b - (sum - a)};
}
template <class F>
Pair<F> exactProduct(F a, F b) {
  F product = a * b;
  return {product, fma(a, b, -product)};
}

}  // namespace rlc::runtime::math
