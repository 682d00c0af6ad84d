// sin, cos, tan. x = n pi/2 + r: by Cody and Waite's three parts of pi/2 with fma up to a threshold
// (2^15 in f32, 2^30 in f64), by the bits of 2/pi beyond it (Payne and Hanek), so the reduction
// holds for every finite x.
#pragma once

#include "jit/runtime/math_support.h"

namespace rlc::runtime::math {

// {r, n}: r in [-pi/4, pi/4], n an integer below 2^21 that is right modulo 4.
template <class F>
using Quadrant = std::array<F, 2>;

template <class F>
F fractionOfFour(F x) {  // x minus the nearest multiple of 4, exact
  return fma(constant(x, -4.0), floor(fma(x, constant(x, 0.25), constant(x, 0.5))), x);
}

// f64: adds to the compensated sum hi + lo + rest.
template <class F>
void accumulate(F term, std::array<F, 3>& sum) {
  Pair<F> first = exactSum(sum[0], term);
  Pair<F> second = exactSum(sum[1], first.lo);
  sum = {first.hi, second.hi, sum[2] + second.lo};
}

// A number of quarter turns hi + lo, as {radians, integer}; f64.
template <class F>
Quadrant<F> quarterTurns(F hi, F lo) {
  const auto c = [hi](double value) { return constant(hi, value); };
  F n = floor(hi + c(0.5));
  Pair<F> turn = exactSum(hi - n, lo);
  F radians = turn.hi * c(1.570796326794896558);
  F error =
      fma(turn.hi, c(1.570796326794896558), -radians) + turn.hi * c(6.1232339957367660359e-17);
  return {radians + (error + turn.lo * c(1.570796326794896558)), n};
}

// f32: each product with 28 bits of 2/pi is exact in f64, and so is what it leaves modulo 4.
template <class F>
Quadrant<F> reduceLargeF32(F x) {
  constexpr std::array<double, 8> twoOverPi{0x1.45f306cp-1,   0x1.c9c882ap-29,  0x1.4fe13a8p-59,
                                            0x1.f47d4d0p-86,  0x1.bb81b6cp-113, 0x1.4acc9e0p-143,
                                            0x1.0e4107cp-170, 0x1.ca2c756p-197};
  auto wide = widen(x);
  using D = decltype(wide);
  std::array<D, 3> sum{constant(wide, 0.0), constant(wide, 0.0), constant(wide, 0.0)};
  for (size_t i = twoOverPi.size(); i-- > 0;) {
    accumulate(fractionOfFour(wide * constant(wide, twoOverPi[i])), sum);
  }
  Quadrant<D> reduced = quarterTurns(sum[0], sum[1] + sum[2]);
  return {narrow(reduced[0]), narrow(reduced[1])};
}

// f64: x = m 2^e with an integer m of 53 bits; of the 53-bit pieces of 2/pi, five matter: those
// before give multiples of 4, those after are too small.
template <class F>
Quadrant<F> reduceLargeF64(F x) {
  // Bits 53k+1 to 53k+53 of 2/pi after the point.
  constexpr std::array<double, 24> twoOverPi{
      0x145f306dc9c882p0, 0x14a7f09d5f47d4p0, 0x1a6ee06db14accp0, 0x13c439041fe516p0,
      0x757bd778ac36ep0,  0x91b8e909374b8p0,  0x324977504e8cp0,   0x121cfe1deb1cb1p0,
      0x534e7dd1046bep0,  0x14baed1213a671p0, 0x18135a2fbf209cp0, 0x191d639835339fp0,
      0x93908bf177bf2p0,  0xa0ec7fe25fff7p0,  0x102cc07f79788cp0, 0xb5a0a6d1f6d36p0,
      0xfd9e4f96136e9p0,  0x1d18fd9a797fa8p0, 0x16ba93dd63f5f2p0, 0x1f17b3d0739f78p0,
      0x14a525d4d7f6bfp0, 0xc47e357421580p0,  0x198237e3db5d5fp0, 0x10cfbc209af436p0};
  auto word = bitcastToInt(x);
  const auto w = [word](int64_t value) { return wordConstant(word, value); };
  auto exponent = shiftRightLogical(word, 52) & w(0x7ff);
  auto e = exponent - w(1023 + 52);
  // max(0, floor((e - 2) / 53)), by a multiplication that is exact for these sizes.
  auto shifted = e + w(51);
  auto quotient = shiftRightLogical((shifted & w(0xfff)) * w(1237), 16);
  auto first = select(lessUnsigned(quotient, w(1)), w(0), quotient - w(1));
  first = select(shiftRightLogical(shifted, 63) == w(1), w(0), first);
  auto mantissa =
      bitcastToFloat((word & w(static_cast<int64_t>(0x800fffffffffffff))) | w(int64_t{1075} << 52));
  auto scaled = mantissa * powerOfTwo<F64>(e - (first + w(1)) * w(53));
  std::array<F, 3> sum{constant(x, 0.0), constant(x, 0.0), constant(x, 0.0)};
  for (int j = 4; j >= 0; --j) {
    F piece = lookup(first + w(j), twoOverPi) *
              constant(x, std::bit_cast<double>(uint64_t(1023 - 53 * j) << 52));
    Pair<F> product = exactProduct(scaled, piece);
    accumulate(fractionOfFour(product.lo), sum);
    accumulate(fractionOfFour(product.hi), sum);
  }
  Quadrant<F> reduced = quarterTurns(sum[0], sum[1] + sum[2]);
  F finite = constant(x, 0.0) * x;  // 0, or NaN where x is infinite
  return {reduced[0] + finite, reduced[1]};
}

template <class P, class F>
Quadrant<F> reduceByQuarterTurns(F x) {
  const auto c = [x](double value) { return constant(x, value); };
  F n = fma(x, c(0.63661977236758134), c(P::roundMagic)) - c(P::roundMagic);
  F r = fma(n, c(isF32<P> ? -1.570796371 : -1.570796326794896558), x);
  r = fma(n, c(isF32<P> ? 4.371138829e-8 : -6.1232339957367660359e-17), r);
  r = fma(n, c(isF32<P> ? 1.71512451e-15 : 1.4973849048591698329e-33), r);
  return selectRare(c(isF32<P> ? 0x1p15 : 0x1p30) < magnitude<P>(x), Quadrant<F>{r, n}, [x] {
    if constexpr (isF32<P>) {
      return reduceLargeF32(x);
    } else {
      return reduceLargeF64(x);
    }
  });
}

template <class P, class F>
F sinKernel(F r) {
  F z = r * r;
  if constexpr (isF32<P>) {
    constexpr std::array<double, 3> q{-0.1666665375, 0.008332100697, -0.0001950658916};
    return fma(r * z, polynomial(z, q), r);
  } else {
    constexpr std::array<double, 7> q{-0.166666666666666657,    0.00833333333333332107,
                                      -0.000198412698412535376, 2.75573192133838649e-6,
                                      -2.50521046986073457e-8,  1.60583391758397652e-10,
                                      -7.57732331693987251e-13};
    return fma(r * z, polynomial(z, q), r);
  }
}

template <class P, class F>
F cosKernel(F r) {
  F one = constant(r, 1.0);
  F z = r * r;
  F half = constant(r, 0.5) * z;
  F top = one - half;
  F rest = (one - top) - half;
  if constexpr (isF32<P>) {
    constexpr std::array<double, 3> q{0.04166664556, -0.001388730132, 2.443064841e-5};
    return top + fma(z * z, polynomial(z, q), rest);
  } else {
    constexpr std::array<double, 7> q{0.0416666666666666644,    -0.00138888888888888721,
                                      0.0000248015873015699611, -2.75573192147017348e-7,
                                      2.08767542117126897e-9,   -1.14702755081075487e-11,
                                      4.7372997081018534e-14};
    return top + fma(z * z, polynomial(z, q), rest);
  }
}

// sin(r + n pi/2)
template <class P, class F, class W>
F sineOfQuadrant(F r, W n) {
  F value =
      select((n & wordConstant(n, 1)) == wordConstant(n, 1), cosKernel<P>(r), sinKernel<P>(r));
  return bitcastToFloat(bitcastToInt(value) ^ shiftLeft(n & wordConstant(n, 2), P::bits - 2));
}

template <class P, class F>
auto quadrantWord(F n) {
  return bitcastToInt(n + constant(n, P::roundMagic));
}

template <class P, class F>
F sin(F x) {
  Quadrant<F> q = reduceByQuarterTurns<P>(x);
  F y = sineOfQuadrant<P>(q[0], quadrantWord<P>(q[1]));
  return select(magnitude<P>(x) < constant(x, isF32<P> ? 0x1p-13 : 0x1p-27), x, y);
}

template <class P, class F>
F cos(F x) {
  Quadrant<F> q = reduceByQuarterTurns<P>(x);
  auto n = quadrantWord<P>(q[1]);
  return sineOfQuadrant<P>(q[0], n + wordConstant(n, 1));
}

// Of |x| <= kSmallAngle: the reduction would leave x. The sine of -0 is -0.
template <class P, class F>
F sinSmall(F x) {
  return withSign<P>(magnitude<P>(sinKernel<P>(x)), x);
}

template <class P, class F>
F cosSmall(F x) {
  return cosKernel<P>(x);
}

template <class P, class F>
F tan(F x) {
  Quadrant<F> q = reduceByQuarterTurns<P>(x);
  auto n = quadrantWord<P>(q[1]);
  F s = sinKernel<P>(q[0]);
  F c = cosKernel<P>(q[0]);
  auto odd = (n & wordConstant(n, 1)) == wordConstant(n, 1);
  F y = select(odd, -c, s) / select(odd, s, c);
  return select(magnitude<P>(x) < constant(x, isF32<P> ? 0x1p-13 : 0x1p-27), x, y);
}

}  // namespace rlc::runtime::math
