// asin, acos, atan, atan2.
#pragma once

#include "jit/runtime/math_support.h"

namespace rlc::runtime::math {

// A constant in two parts.
struct SplitConstant {
  double hi, lo;
};
template <class P>
constexpr SplitConstant halfPi =
    isF32<P> ? SplitConstant{1.570796371, -4.371138829e-8}
             : SplitConstant{1.570796326794896558, 6.1232339957367660359e-17};
template <class P>
constexpr SplitConstant quarterPi = {halfPi<P>.hi / 2, halfPi<P>.lo / 2};

// (asin(t) - t) / t of z = t^2 <= 1/4
template <class P, class F>
F asinTail(F z) {
  if constexpr (isF32<P>) {
    constexpr std::array<double, 5> q{0.1666675359, 0.07495252788, 0.04547590762, 0.02415285446,
                                      0.04221042991};
    return z * polynomial(z, q);
  } else {
    constexpr std::array<double, 14> q{
        0.166666666666666602,   0.075000000000024894,    0.0446428571397260651,
        0.0303819446428926845,  0.022372151654003733,    0.017352944263973661,
        0.0139618881521638878,  0.0115858311387958771,   0.0094829817501740632,
        0.0100145877187738028,  0.000665458608962494862, 0.0248640923940970857,
        -0.0261993816063805091, 0.0336731630144861474};
    return z * polynomial(z, q);
  }
}

// asin(t) = t + tail: t = |x| up to 1/2, sqrt((1 - |x|) / 2) above, where asin(|x|) is pi/2 - 2
// asin(t).
template <class F, class B>
struct AsinParts {
  F t, tail;
  B small;
};
template <class P, class F>
auto asinParts(F x) {
  const auto c = [x](double value) { return constant(x, value); };
  F a = magnitude<P>(x);
  auto small = a < c(0.5);
  F z = select(small, a * a, c(0.5) * (c(1.0) - a));
  F root = sqrt(z);
  F t = select(small, a, root);
  F lost = fma(-root, root, z) / (root + root);  // what the root's rounding left out
  F correction = select(logicalOr(small, root == c(0.0)), c(0.0), lost);
  return AsinParts<F, decltype(small)>{t, fma(t, asinTail<P>(z), correction), small};
}

template <class P, class F>
F asin(F x) {
  const auto c = [x](double value) { return constant(x, value); };
  auto parts = asinParts<P>(x);
  F large = (c(halfPi<P>.hi) - c(2.0) * parts.t) + (c(halfPi<P>.lo) - c(2.0) * parts.tail);
  return withSign<P>(magnitude<P>(select(parts.small, parts.t + parts.tail, large)), x);
}

template <class P, class F>
F acos(F x) {
  const auto c = [x](double value) { return constant(x, value); };
  auto parts = asinParts<P>(x);
  auto negative = x < c(0.0);
  F t = select(negative, -parts.t, parts.t);
  F tail = select(negative, -parts.tail, parts.tail);
  F small = c(halfPi<P>.hi) - (t - (c(halfPi<P>.lo) - tail));
  F twice = c(2.0) * (parts.t + parts.tail);
  F left = c(2.0) * (c(halfPi<P>.hi) - (parts.t - (c(halfPi<P>.lo) - parts.tail)));
  return select(parts.small, small, select(negative, left, twice));
}

// atan(y / x) of non-negative operands, reduced to |quotient| <= sqrt(2) - 1 with one division.
template <class P, class F>
F atanOfQuotient(F y, F x) {
  const auto c = [x](double value) { return constant(x, value); };
  auto steep = c(2.4142135623730950) * x < y;
  auto middle = c(0.41421356237309503) * x < y;
  F q = select(steep, -x, select(middle, y - x, y)) / select(steep, y, select(middle, y + x, x));
  F z = q * q;
  F tail = z;
  if constexpr (isF32<P>) {
    constexpr std::array<double, 5> p{-0.3333331645, 0.1999853253, -0.1424451321, 0.1060020328,
                                      -0.06092825159};
    tail = z * polynomial(z, p);
  } else {
    constexpr std::array<double, 12> p{
        -0.333333333333333259,  0.19999999999997739,    -0.142857142853953456,
        0.111111110885821318,   -0.0909090815779292905, 0.0769228303665055319,
        -0.0666623061527813615, 0.0587705767146016189,  -0.0521862543184431205,
        0.0450441522019119078,  -0.0334939718596632893, 0.0152144218299001648};
    tail = z * polynomial(z, p);
  }
  F low = select(steep, c(halfPi<P>.lo), select(middle, c(quarterPi<P>.lo), c(0.0)));
  F high = select(steep, c(halfPi<P>.hi), select(middle, c(quarterPi<P>.hi), c(0.0)));
  return high + (q + fma(q, tail, low));
}

template <class P, class F>
F atan(F x) {
  return withSign<P>(magnitude<P>(atanOfQuotient<P>(magnitude<P>(x), constant(x, 1.0))), x);
}

template <class P, class F>
F atan2(F y, F x) {
  const auto c = [x](double value) { return constant(x, value); };
  F ax = magnitude<P>(x);
  F ay = magnitude<P>(y);
  F limit = c(isF32<P> ? 0x1p126 : 0x1p1022);
  F unit = select(logicalOr(limit < ax, limit < ay), c(0.25), c(1.0));  // y + x must not overflow
  // inf / inf is 1, 0 / 0 is 0.
  auto bothInfinite = logicalAnd(ax == c(infinity), ay == c(infinity));
  auto bothZero = logicalAnd(ax == c(0.0), ay == c(0.0));
  F top = select(bothInfinite, c(1.0), ay * unit);
  F bottom = select(logicalOr(bothInfinite, bothZero), c(1.0), ax * unit);
  F angle = atanOfQuotient<P>(top, bottom);
  auto sign = signBit<P>(x);
  F left = c(2.0 * halfPi<P>.hi) - (angle - c(2.0 * halfPi<P>.lo));
  F y0 = select(sign == wordConstant(sign, 0), angle, left);
  return withSign<P>(magnitude<P>(y0), y);
}

}  // namespace rlc::runtime::math
