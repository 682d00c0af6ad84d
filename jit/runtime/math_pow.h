// pow(x, y), with the special cases of C99. f32 goes through f64; f64 takes log(x) as an
// unevaluated sum of two numbers (relative error about 2^-65), so that y log(x) up to 745 is good
// to less than an ulp of the result.
#pragma once

#include "jit/runtime/math_exp.h"
#include "jit/runtime/math_log.h"

namespace rlc::runtime::math {

// log(x) of a positive finite f64.
template <class F>
Pair<F> logExtended(F x) {
  constexpr std::array<double, 8> q{
      0.3999999999999998,   0.285714285714450122, 0.222222222175457423, 0.18181818870437394,
      0.153845567986829801, 0.133363221002451654, 0.116746928266541344, 0.119902677691919798};
  const auto c = [x](double value) { return constant(x, value); };
  auto tiny = x < c(F64::minNormal);
  LogParts<F> parts = logParts<F64>(select(tiny, x * c(0x1p54), x));
  F k = parts.k - select(tiny, c(54.0), c(0.0));
  F f = parts.f;
  // s = f / (2 + f)
  Pair<F> bottom = exactSumOrdered(c(2.0), f);
  F s = f / bottom.hi;
  F sLow = (fma(-s, bottom.hi, f) - s * bottom.lo) / bottom.hi;
  // log(1 + f) = 2 s + s^3 (2/3 + z q(z)), z = s^2
  Pair<F> z = exactProduct(s, s);
  z.lo = fma(c(2.0) * s, sLow, z.lo);
  Pair<F> series = exactSumOrdered(c(0.66666666666666663), z.hi * polynomial(z.hi, q));
  series.lo = series.lo + c(3.700743415417188e-17);
  Pair<F> cube = exactProduct(s, z.hi);
  cube.lo = cube.lo + fma(s, z.lo, sLow * z.hi);
  Pair<F> tail = exactProduct(cube.hi, series.hi);
  tail.lo = tail.lo + fma(cube.hi, series.lo, cube.lo * series.hi);
  Pair<F> sum = exactSumOrdered(c(2.0) * s, tail.hi);
  F low = sum.lo + (tail.lo + c(2.0) * sLow);
  // + k ln 2, whose first part has trailing zeros; the second is the rest to 53 bits.
  Pair<F> total = exactSum(k * c(6.93147180369123816490e-01), sum.hi);
  Pair<F> rest = exactProduct(k, c(1.90821492927058770002e-10));
  low = low + total.lo + rest.lo;
  Pair<F> joined = exactSum(total.hi, rest.hi);
  return exactSumOrdered(joined.hi, joined.lo + low);
}

template <class F>
F powOfMagnitudeF64(F a, F y) {
  const auto c = [a](double value) { return constant(a, value); };
  Pair<F> logarithm = logExtended(a);
  F high = y * logarithm.hi;
  F low = fma(y, logarithm.hi, -high) + y * logarithm.lo;
  // Past these bounds the result is 0 or infinite whatever the tail says, and the tail may be NaN.
  auto ordinary = magnitude<F64>(high) < c(800.0);
  return expScaled<F64>(high, select(ordinary, low, c(0.0)), 0);
}

template <class P, class F>
F pow(F x, F y) {
  const auto c = [x](double value) { return constant(x, value); };
  F a = magnitude<P>(x);
  F b = magnitude<P>(y);
  F result = a;
  if constexpr (isF32<P>) {
    auto wide = widen(y) * log<F64>(widen(a));
    result = narrow(exp<F64>(wide));
  } else {
    result = powOfMagnitudeF64(a, y);
  }
  F zero = c(0.0), one = c(1.0), inf = c(infinity);
  auto falling = y < zero;
  result = select(a == zero, select(falling, inf, zero), result);
  result = select(a == inf, select(falling, zero, inf), result);
  auto growing = logicalOr(logicalAnd(one < a, zero < y), logicalAnd(a < one, falling));
  result = select(b == inf, select(a == one, one, select(growing, inf, zero)), result);
  // A negative base: the sign of an odd exponent, NaN for one that is no integer.
  F half = c(0.5) * y;
  auto integral = floor(y) == y;
  auto odd = logicalAnd(integral, logicalAnd(b < inf, logicalNot(floor(half) == half)));
  result = select(odd, withSign<P>(magnitude<P>(result), x), result);
  auto undefined =
      logicalAnd(logicalAnd(x < zero, a < inf), logicalAnd(b < inf, logicalNot(integral)));
  result = select(undefined, c(notANumber), result);
  auto anyNan = logicalNot(logicalAnd(x == x, y == y));
  result = select(anyNan, x + y, result);
  return select(logicalOr(x == one, y == zero), one, result);
}

}  // namespace rlc::runtime::math
