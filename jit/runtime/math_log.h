// log, log1p, softplus, by fdlibm's scheme: x = 2^k (1 + f), s = f / (2 + f), log(1 + f) = f -
// f^2/2 + s (f^2/2 + R(s^2)).
#pragma once

#include "jit/runtime/math_exp.h"

namespace rlc::runtime::math {

template <class F>
struct LogParts {
  F f;  // in [sqrt(1/2) - 1, sqrt(2) - 1]
  F k;
};

// Of a positive normal number.
template <class P, class F>
LogParts<F> logParts(F x) {
  constexpr int64_t sqrtHalf = isF32<P> ? 0x3f3504f3 : 0x3fe6a09e667f3bcd;
  auto word = bitcastToInt(x);
  auto base = wordConstant(word, sqrtHalf);
  auto offset = word - base;
  auto mantissa = offset & wordConstant(word, (int64_t{1} << P::mantissaBits) - 1);
  return {bitcastToFloat(mantissa + base) - constant(x, 1.0),
          smallToFloat<P>(shiftRightArithmetic(offset, P::mantissaBits))};
}

// k ln 2 + log(1 + f) + low
template <class P, class F>
F logOfParts(F f, F k, F low) {
  const auto c = [f](double value) { return constant(f, value); };
  F s = f / (c(2.0) + f);
  F z = s * s;
  F r = z;
  if constexpr (isF32<P>) {
    constexpr std::array<double, 4> q{0.6666666269, 0.4000097215, 0.2849883139, 0.2427708656};
    r = z * polynomial(z, q);
  } else {
    constexpr std::array<double, 8> q{
        0.66666666666666663,  0.400000000000062639, 0.285714285690758685, 0.222222226488106439,
        0.181817754748210381, 0.153871000939155234, 0.132498895231426578, 0.132535437081136465};
    r = z * polynomial(z, q);
  }
  F halfSquare = c(0.5) * f * f;
  // ln 2 in two parts; the first has trailing zeros, so that k times it is exact.
  F high = k * c(isF32<P> ? 6.9313812256e-01 : 6.93147180369123816490e-01);
  F rest = fma(s, halfSquare + r,
               fma(k, c(isF32<P> ? 9.0580006145e-06 : 1.90821492927058770002e-10), low));
  return high - ((halfSquare - rest) - f);
}

template <class P, class F>
F log(F x) {
  const auto c = [x](double value) { return constant(x, value); };
  auto tiny = x < c(P::minNormal);
  F normal = select(tiny, x * c(isF32<P> ? 0x1p25 : 0x1p54), x);
  LogParts<F> parts = logParts<P>(normal);
  F y = logOfParts<P>(parts.f, parts.k - select(tiny, c(isF32<P> ? 25.0 : 54.0), c(0.0)), c(0.0));
  y = select(x < c(infinity), y, x);  // infinity and NaN are their own logarithms
  y = select(x < c(0.0), c(notANumber), y);
  return select(x == c(0.0), c(-infinity), y);
}

template <class P, class F>
F log1p(F x) {
  const auto c = [x](double value) { return constant(x, value); };
  F one = c(1.0);
  F u = one + x;
  F lost = select(x < one, x - (u - one), one - (u - x));  // 1 + x = u + lost
  auto near = logicalAnd(c(-0.29) < x, x < c(0.41));
  LogParts<F> parts = logParts<P>(u);
  F y = logOfParts<P>(select(near, x, parts.f), select(near, c(0.0), parts.k),
                      select(near, c(0.0), lost / u));
  y = select(magnitude<P>(x) < c(P::epsilon), x, y);
  y = select(x < c(infinity), y, x);
  y = select(x < c(-1.0), c(notANumber), y);
  return select(x == c(-1.0), c(-infinity), y);
}

// log(1 + exp(x))
template <class P, class F>
F softplus(F x) {
  F zero = constant(x, 0.0);
  return select(x < zero, zero, x) + log1p<P>(exp<P>(-magnitude<P>(x)));
}

}  // namespace rlc::runtime::math
