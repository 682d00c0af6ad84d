// erf, lgamma, digamma. The f32 versions of the last two go through f64.
#pragma once

#include "jit/runtime/math_exp.h"
#include "jit/runtime/math_log.h"
#include "jit/runtime/math_trig.h"

namespace rlc::runtime::math {

// erfc(a) for a >= 0.84: the exponential of a polynomial in f32, exp(-a^2) times one in (a - 2) /
// (a + 2) in f64.
template <class P, class F>
F erfcOfLarge(F a) {
  if constexpr (isF32<P>) {
    constexpr std::array<double, 9> q{0.0001260182471, -1.129247546,    -0.633977294,
                                      -0.1074476764,   0.02444646321,   -0.003830146044,
                                      0.0003288217704, -2.793406566e-6, -1.356909138e-6};
    return exp<P>(polynomial(clampKeepingNan(a, 0.84, 4.0), q));
  } else {
    constexpr std::array<double, 18> q{
        0.255395676310505748,      -0.427185847413958375,    0.241658194242466345,
        -0.0789785810157331986,    0.00373289240434373538,   0.00699746173930535214,
        -0.000847143251800710996,  -0.000981977030386867048, 0.0000435556257905728229,
        0.000174361205652561895,   0.0000275250641676348303, -0.0000275792960339936898,
        -0.0000139615596110682942, 1.37995891288366728e-6,   3.71806856073503265e-6,
        1.21470348745637525e-6,    -2.17542801958544144e-7,  -2.01014204130293442e-7};
    F x = clampKeepingNan(a, 0.84, 6.0);
    F u = (x - constant(x, 2.0)) / (x + constant(x, 2.0));
    Pair<F> square = exactProduct(x, x);
    return expScaled<P>(-square.hi, -square.lo, 0) * polynomial(u, q);
  }
}

template <class P, class F>
F erf(F x) {
  F a = magnitude<P>(x);
  F z = a * a;
  F small = z;
  if constexpr (isF32<P>) {
    constexpr std::array<double, 6> q{0.1283791661,   -0.3761259317,  0.1128290519,
                                      -0.02680896781, 0.005060465075, -0.0006364156143};
    small = fma(a, polynomial(z, q), a);
  } else {
    constexpr std::array<double, 12> q{
        0.128379167095512586,    -0.376126389031837483,     0.112837916709546932,
        -0.0268661706450189497,  0.00522397762393545396,    -0.000854832690409071849,
        0.000120553269804963808, -0.0000149254513423903166, 1.64576972664313651e-6,
        -1.63007100532175359e-7, 1.4190830995791608e-8,     -8.84034297673707165e-10};
    small = fma(a, polynomial(z, q), a);
  }
  return withSign<P>(select(a < constant(a, 0.85), small, constant(a, 1.0) - erfcOfLarge<P>(a)), x);
}

// x minus the nearest integer, exact.
template <class F>
F signedFraction(F x) {
  return x - floor(x + constant(x, 0.5));
}

// Steps an argument y >= 1/2 up to 8 or more: the shifted argument, the product of those stepped
// over, and the derivative of the logarithm of that product.
template <class F>
struct Shifted {
  F y, product, logDerivative;
};
template <class F>
Shifted<F> shiftToEight(F y) {
  const auto c = [y](double value) { return constant(y, value); };
  auto low = y < c(8.0);
  F base = select(low, y, c(1.0));
  F numerator = c(1.0);
  F product = base;
  for (int k = 1; k < 8; ++k) {
    F factor = base + c(k);
    numerator = fma(numerator, factor, product);
    product = product * factor;
  }
  return {select(low, y + c(8.0), y), select(low, product, c(1.0)),
          select(low, numerator / product, c(0.0))};
}

// By Stirling's series; below 1/2 by reflection: gamma(x) gamma(1 - x) = pi / sin(pi x).
template <class F>
F lgammaF64(F x) {
  constexpr std::array<double, 9> series{
      0.08333333333333333333,    -0.002777777777777777778, 0.0007936507936507936508,
      -0.0005952380952380952381, 0.0008417508417508417508, -0.001917526917526917527,
      0.006410256410256410256,   -0.02955065359477124183,  0.1796443723688305732};
  const auto c = [x](double value) { return constant(x, value); };
  auto reflected = x < c(0.5);
  Shifted<F> s = shiftToEight(select(reflected, c(1.0) - x, x));
  F logY = log<F64>(s.y);
  F inverse = c(1.0) / s.y;
  F tail = fma(inverse, polynomial(inverse * inverse, series), c(0.91893853320467274178));
  F y = (s.y * (logY - c(1.0)) - c(0.5) * logY) + (tail - log<F64>(s.product));
  F sine = magnitude<F64>(sin<F64>(signedFraction(x) * c(3.141592653589793116)));
  F result = select(reflected, c(1.1447298858494001741) - log<F64>(sine) - y, y);
  return select(magnitude<F64>(x) == c(infinity), c(infinity), result);
}

// By its asymptotic series; below 1/2 by reflection: digamma(1 - x) - digamma(x) = pi cot(pi x).
template <class F>
F digammaF64(F x) {
  constexpr std::array<double, 9> series{
      0.08333333333333333333,   -0.008333333333333333333, 0.003968253968253968254,
      -0.004166666666666666667, 0.007575757575757575758,  -0.0210927960927960928,
      0.08333333333333333333,   -0.4432598039215686275,   3.053954330270119744};
  const auto c = [x](double value) { return constant(x, value); };
  auto reflected = x < c(0.5);
  Shifted<F> s = shiftToEight(select(reflected, c(1.0) - x, x));
  F inverse = c(1.0) / s.y;
  F square = inverse * inverse;
  F tail = fma(square, polynomial(square, series), c(0.5) * inverse);
  F y = log<F64>(s.y) - (tail + s.logDerivative);
  F cotangent = c(3.141592653589793116) / tan<F64>(signedFraction(x) * c(3.141592653589793116));
  return select(reflected, y - cotangent, y);
}

template <class P, class F>
F lgamma(F x) {
  if constexpr (isF32<P>) {
    return narrow(lgammaF64(widen(x)));
  } else {
    return lgammaF64(x);
  }
}

template <class P, class F>
F digamma(F x) {
  if constexpr (isF32<P>) {
    return narrow(digammaF64(widen(x)));
  } else {
    return digammaF64(x);
  }
}

}  // namespace rlc::runtime::math
