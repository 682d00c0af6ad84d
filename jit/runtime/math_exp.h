// exp, expm1, sinh, cosh, tanh, sigmoid. x = n ln 2 + r with |r| <= ln(2)/2, then a polynomial for
// expm1(r) (minimax fits of (expm1(r) - r) / r^2, relative error 2^-26 and 2^-59 of expm1(r)).
#pragma once

#include "jit/runtime/math_support.h"

namespace rlc::runtime::math {

template <class F, class W>
struct ExpParts {
  F p;  // expm1(r)
  W n;
};

// `tail` is added to x (for pow, which knows its argument to more than a number's precision).
template <class P, class F>
auto expParts(F x, F tail) {
  const auto c = [x](double value) { return constant(x, value); };
  F shifted = fma(x, c(1.4426950408889634), c(P::roundMagic));
  F n = shifted - c(P::roundMagic);
  auto word = bitcastToInt(shifted);
  F r = x;
  F p = x;
  if constexpr (isF32<P>) {
    constexpr std::array<double, 5> q{0.5, 0.1666653454, 0.04166661203, 0.008367697708,
                                      0.001391771948};
    r = fma(n, c(-0.693147182464599609375), r);
    r = fma(n, c(1.904654212e-09), r) + tail;
    p = fma(r * r, polynomial(r, q), r);
  } else {
    constexpr std::array<double, 11> q{0.5,
                                       0.166666666666666768,
                                       0.041666666666666706,
                                       0.00833333333332070096,
                                       0.00138888888888649351,
                                       0.000198412698887836869,
                                       0.0000248015873642959594,
                                       2.75572412691378994e-6,
                                       2.75572395845503872e-7,
                                       2.511014355650111e-8,
                                       2.0925417264941496e-9};
    r = fma(n, c(-0.69314718055994528623), r);
    r = fma(n, c(-2.3190468138462995584e-17), r) + tail;
    p = fma(r * r, polynomial(r, q), r);
  }
  return ExpParts<F, decltype(word)>{p, word - wordConstant(word, P::roundMagicBits)};
}

template <class F>
F clampKeepingNan(F x, double low, double high) {
  F bounded = select(constant(x, high) < x, constant(x, high), x);
  return select(bounded < constant(x, low), constant(x, low), bounded);
}

// exp(x + tail) * 2^shift; past the bounds the scaling overflows or underflows as it should.
template <class P, class F>
F expScaled(F x, F tail, int shift) {
  auto parts =
      expParts<P>(clampKeepingNan(x, isF32<P> ? -105.0 : -747.0, isF32<P> ? 91.0 : 712.0), tail);
  return scale<P>(constant(x, 1.0) + parts.p, parts.n + wordConstant(parts.n, shift));
}

template <class P, class F>
F exp(F x) {
  return expScaled<P>(x, constant(x, 0.0), 0);
}

template <class P, class F>
F expm1(F x) {
  const auto c = [x](double value) { return constant(x, value); };
  auto parts =
      expParts<P>(clampKeepingNan(x, isF32<P> ? -20.0 : -40.0, isF32<P> ? 89.0 : 710.0), c(0.0));
  F half = powerOfTwo<P>(parts.n -
                         wordConstant(parts.n, 1));  // 2^n may overflow where the result does not
  F y = c(2.0) * fma(half, parts.p, half - c(0.5));
  return select(magnitude<P>(x) < c(P::epsilon), x, y);
}

template <class P, class F>
F sinh(F x) {
  const auto c = [x](double value) { return constant(x, value); };
  F a = magnitude<P>(x);
  F e = expm1<P>(a);
  F small = c(0.5) * (e + e / (e + c(1.0)));
  F half = expScaled<P>(a, c(0.0), -1);
  return withSign<P>(select(a < c(1.0), small, half - c(0.25) / half), x);
}

template <class P, class F>
F cosh(F x) {
  F half = expScaled<P>(magnitude<P>(x), constant(x, 0.0), -1);
  return half + constant(x, 0.25) / half;
}

// In f32 x (1 + u p(u)) / (1 + u q(u)), u = x^2: networks ask for many, and this is two thirds of
// what expm1 takes. The fit is minimax (relative error 2^-25) with coefficients moved by some ulp
// to where rounding does least. `one` is where it first is 1 for good: nothing before it is more.
// In f64 -t / (t + 2) with t = expm1(-2|x|), which loses nothing near 0 nor near 1.
template <class P, class F>
F tanh(F x) {
  const auto c = [x](double value) { return constant(x, value); };
  if constexpr (isF32<P>) {
    constexpr std::array<double, 4> p{0.133839846, 0.00349899451, 2.06613877e-05, 1.34195499e-08};
    constexpr std::array<double, 5> q{1.0, 0.46717301, 0.0258902181, 0.000329103757,
                                      7.80483276e-07};
    constexpr double one = 8.25910854;
    F a = clampKeepingNan(x, -one, one);
    F u = a * a;
    return fma(polynomial(u, p), u * a, a) / polynomial(u, q);
  } else {
    F a = clampKeepingNan(magnitude<P>(x), 0.0, 22.0);
    auto parts = expParts<P>(a * c(-2.0), c(0.0));
    F power = powerOfTwo<P>(parts.n);
    F t = fma(power, parts.p, power - c(1.0));
    return withSign<P>(magnitude<P>(t / (t + c(2.0))), x);
  }
}

template <class P, class F>
F sigmoid(F x) {
  F one = constant(x, 1.0);
  F e = exp<P>(-magnitude<P>(x));
  return select(x < constant(x, 0.0), e, one) / (one + e);
}

}  // namespace rlc::runtime::math
