// Every formula against long double libm: the worst error in ulp over dense samples of the whole
// range. RLC_EXHAUSTIVE=N tries every N-th f32, and 1 all.
#include "jit/runtime/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace rlc::runtime::math {
namespace {

using Reference = std::function<long double(long double)>;

template <class T>
using WordOf = decltype(bitcastToInt(T{}));

// |got - want| in units of the last place of `want` rounded to T; 0 where both overflow or are NaN.
template <class T>
double ulpError(T got, long double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0.0 : HUGE_VAL;
  const T rounded = static_cast<T>(want);
  if (std::isinf(rounded) || std::isinf(got)) {
    if (got == rounded) return 0.0;
    // One step from overflow is one ulp.
    const T largest = std::numeric_limits<T>::max();
    return std::fabs(static_cast<long double>(std::isinf(got) ? rounded : got)) >= largest
               ? 1.0
               : HUGE_VAL;
  }
  if (std::isnan(got)) return HUGE_VAL;
  int exponent;
  std::frexp(static_cast<long double>(rounded), &exponent);
  const int digits = std::numeric_limits<T>::digits;
  const long double ulp =
      std::ldexp(1.0L, std::max(exponent - digits, std::numeric_limits<T>::min_exponent - digits));
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / ulp);
}

template <class T>
struct Worst {
  double error = 0.0;
  T at = 0;
  void take(double e, T x) {
    if (e > error) error = e, at = x;
  }
};

// Between the f32 that are tried.
uint32_t strideOr(uint32_t usual) {
  const char* given = std::getenv("RLC_EXHAUSTIVE");
  return given ? static_cast<uint32_t>(std::max(1, std::atoi(given))) : usual;
}

// Dense samples: strided bit patterns of every exponent and both signs, and evenly spaced points
// where functions are interesting.
template <class T>
Worst<T> worstError(T (*f)(T), const Reference& reference, T low, T high) {
  Worst<T> worst;
  const auto tryPoint = [&](T x) {
    if (x >= low && x <= high) worst.take(ulpError<T>(f(x), reference(x)), x);
  };
  using W = WordOf<T>;
  const W stride = static_cast<W>(sizeof(T) == 4 ? strideOr(21013) : 92233720368547757ull);
  for (W bits = 0;; bits += stride) {
    tryPoint(bitcastToFloat(bits));
    if (bits > static_cast<W>(-1) - stride) break;
  }
  for (int i = -100000; i <= 100000; ++i) {
    tryPoint(static_cast<T>(i * 0.0001237));
    tryPoint(static_cast<T>(i * 0.0097731));
    tryPoint(static_cast<T>(1.0 + i * 1.3e-6));
  }
  if (sizeof(T) == 8) {
    for (W i = 0; i < 100000; ++i) tryPoint(bitcastToFloat(static_cast<W>(i * 184467440737095ull)));
  }
  return worst;
}

constexpr double kInf = HUGE_VAL;

#define EXPECT_ULP(name, reference, low32, high32, bound32, low64, high64, bound64)               \
  TEST(Math, name##IsWithinItsBound) {                                                            \
    auto w32 = worstError<float>([](float x) { return name<F32>(x); }, reference, low32, high32); \
    EXPECT_LE(w32.error, bound32) << "f32 at " << w32.at << " -> " << name<F32>(w32.at);          \
    RecordProperty("f32", std::to_string(w32.error));                                             \
    auto w64 =                                                                                    \
        worstError<double>([](double x) { return name<F64>(x); }, reference, low64, high64);      \
    EXPECT_LE(w64.error, bound64) << "f64 at " << w64.at << " -> " << name<F64>(w64.at);          \
    RecordProperty("f64", std::to_string(w64.error));                                             \
    if (std::getenv("RLC_SHOW_ULP"))                                                              \
      printf("%-10s f32 %.3f at %.9g  f64 %.3f at %.17g\n", #name, w32.error, w32.at, w64.error,  \
             w64.at);                                                                             \
  }

// Zeros of either sign are alike to these; the signs have their own test.
EXPECT_ULP(exp, [](long double x) { return std::exp(x); }, -kInf, kInf, 1.1, -kInf, kInf, 1.1)
EXPECT_ULP(expm1, [](long double x) { return std::expm1(x); }, -kInf, kInf, 2.0, -kInf, kInf, 2.0)
EXPECT_ULP(log, [](long double x) { return std::log(x); }, -kInf, kInf, 1.0, -kInf, kInf, 1.0)
EXPECT_ULP(log1p, [](long double x) { return std::log1p(x); }, -kInf, kInf, 1.5, -kInf, kInf, 1.5)
EXPECT_ULP(sin, [](long double x) { return std::sin(x); }, -kInf, kInf, 1.6, -kInf, kInf, 1.6)
EXPECT_ULP(cos, [](long double x) { return std::cos(x); }, -kInf, kInf, 1.6, -kInf, kInf, 1.6)
EXPECT_ULP(tan, [](long double x) { return std::tan(x); }, -kInf, kInf, 3.5, -kInf, kInf, 3.0)
EXPECT_ULP(asin, [](long double x) { return std::asin(x); }, -kInf, kInf, 1.6, -kInf, kInf, 1.5)
EXPECT_ULP(acos, [](long double x) { return std::acos(x); }, -kInf, kInf, 1.5, -kInf, kInf, 1.5)
EXPECT_ULP(atan, [](long double x) { return std::atan(x); }, -kInf, kInf, 2.0, -kInf, kInf, 2.0)
EXPECT_ULP(sinh, [](long double x) { return std::sinh(x); }, -kInf, kInf, 3.0, -kInf, kInf, 3.0)
EXPECT_ULP(cosh, [](long double x) { return std::cosh(x); }, -kInf, kInf, 2.0, -kInf, kInf, 2.0)
EXPECT_ULP(tanh, [](long double x) { return std::tanh(x); }, -kInf, kInf, 5.0, -kInf, kInf, 3.0)
EXPECT_ULP(
    sigmoid,
    [](long double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); },
    -kInf, kInf, 2.5, -kInf, kInf, 2.5)
EXPECT_ULP(
    softplus,
    [](long double x) { return std::fmax(x, 0.0L) + std::log1p(std::exp(-std::fabs(x))); }, -kInf,
    kInf, 2.5, -kInf, kInf, 2.5)
EXPECT_ULP(erf, [](long double x) { return std::erf(x); }, -kInf, kInf, 2.0, -kInf, kInf, 2.0)

TEST(Math, smallAnglesGiveTheBitsOfAllAngles) {
  const uint32_t step = strideOr(997);
  const auto same = [](auto a, auto b) { return bitcastToInt(a) == bitcastToInt(b); };
  uint64_t bits = 88172645463325252U;
  for (uint32_t word = 0; word <= std::bit_cast<uint32_t>(float(kSmallAngle)); word += step) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    const double wide = std::bit_cast<double>(bits % std::bit_cast<uint64_t>(kSmallAngle));
    for (float x : {std::bit_cast<float>(word), -std::bit_cast<float>(word)}) {
      ASSERT_TRUE(same(sinSmall<F32>(x), sin<F32>(x)) && same(cosSmall<F32>(x), cos<F32>(x))) << x;
      const double y = std::copysign(wide, double(x));
      ASSERT_TRUE(same(sinSmall<F64>(y), sin<F64>(y)) && same(cosSmall<F64>(y), cos<F64>(y))) << y;
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(sinSmall<F64>(nan)) && std::isnan(cosSmall<F64>(nan)));
}

TEST(Math, powIsWithinItsBound) {
  Worst<float> w32;
  Worst<double> w64;
  for (int i = 0; i < 600; ++i) {
    for (int j = -600; j <= 600; ++j) {
      const double x = std::exp((i - 300) * 0.2931), y = j * 0.7523 / (1 + i % 7),
                   near = 1 + (i - 300) * 1.1e-5;
      w32.take(
          ulpError<float>(pow<F32>(float(x), float(y)), std::pow((long double)float(x), float(y))),
          float(x));
      w64.take(ulpError<double>(pow<F64>(x, y), std::pow((long double)x, (long double)y)), x);
      w64.take(ulpError<double>(pow<F64>(near, y * 50),
                                std::pow((long double)near, (long double)(y * 50))),
               near);
    }
  }
  EXPECT_LE(w32.error, 0.52) << w32.at;
  EXPECT_LE(w64.error, 1.2) << w64.at;
  if (std::getenv("RLC_SHOW_ULP")) printf("pow f32 %.3f f64 %.3f\n", w32.error, w64.error);
}

TEST(Math, powHasTheSpecialCasesOfC) {
  const double values[] = {0.0,  -0.0,  0.5,          -0.5,   1.0,    -1.0,      2.0,
                           -2.0, 3.0,   -3.0,         2.5,    -2.5,   1e300,     -1e300,
                           kInf, -kInf, std::nan(""), 1e-320, 0x1p53, 0x1p53 + 2};
  for (double x : values) {
    for (double y : values) {
      const double want = std::pow(x, y), got = pow<F64>(x, y);
      EXPECT_LE(ulpError<double>(got, want), 1.1) << x << " ^ " << y << " = " << got;
      EXPECT_TRUE(want != 0 || std::signbit(got) == std::signbit(want)) << x << " ^ " << y;
      const float want32 = std::pow(float(x), float(y)), got32 = pow<F32>(float(x), float(y));
      EXPECT_LE(ulpError<float>(got32, want32), 1.1) << x << " ^ " << y << " = " << got32;
    }
  }
}

TEST(Math, atan2IsWithinItsBound) {
  Worst<float> w32;
  Worst<double> w64;
  for (int i = 0; i < 1000; ++i) {
    for (int j = 0; j < 1000; ++j) {
      const double y = std::exp((i - 500) * 0.0371) * (i % 2 ? 1 : -1),
                   x = std::exp((j - 500) * 0.173) * (j % 2 ? 1 : -1);
      w32.take(ulpError<float>(atan2<F32>(float(y), float(x)),
                               std::atan2((long double)float(y), (long double)float(x))),
               y);
      w64.take(ulpError<double>(atan2<F64>(y, x), std::atan2((long double)y, (long double)x)), y);
    }
  }
  EXPECT_LE(w32.error, 2.0);
  EXPECT_LE(w64.error, 2.0);
  const double values[] = {0.0,   -0.0,         1.0,     -1.0,     kInf,
                           -kInf, std::nan(""), 1.7e308, -1.7e308, 5e-324};
  for (double y : values) {
    for (double x : values) {
      EXPECT_LE(ulpError<double>(atan2<F64>(y, x), std::atan2(y, x)), 1.0) << y << ", " << x;
      const bool ordered = x == x && y == y;
      EXPECT_TRUE(!ordered || std::signbit(atan2<F64>(y, x)) == std::signbit(y)) << y << ", " << x;
    }
  }
}

// Absolute error against max(1, |value|): near the zeros of lgamma and digamma the relative error
// is not bounded.
template <class T, class F>
double worstScaledError(F f, const Reference& reference, double low, double high) {
  double worst = 0;
  for (int i = 0; i <= 200000; ++i) {
    const T x = static_cast<T>(low + (high - low) * i / 200000.0);
    const long double want = reference(x);
    if (!std::isfinite(want) || std::fabs(want) > 1e6) continue;
    worst = std::max(worst, double(std::fabs(f(x) - want) / std::fmax(1.0L, std::fabs(want))));
  }
  return worst / std::numeric_limits<T>::epsilon();
}

long double digammaReference(long double x) {
  if (x <= 0) return digammaReference(1 - x) - M_PIl / std::tan(M_PIl * (x - std::round(x)));
  long double sum = 0;
  for (; x < 40; x += 1) sum -= 1 / x;
  const long double z = 1 / (x * x);
  return sum + std::log(x) - 0.5L / x -
         z * (1 / 12.0L - z * (1 / 120.0L - z * (1 / 252.0L - z * (1 / 240.0L - z / 132))));
}

TEST(Math, gammaFunctionsAreWithinTheirBounds) {
  const Reference lg = [](long double x) { return std::lgamma(x); };
  const auto lg64 = [](double x) { return lgamma<F64>(x); };
  const auto di64 = [](double x) { return digamma<F64>(x); };
  EXPECT_LE(worstScaledError<double>(lg64, lg, 1e-9, 30.0), 32);
  EXPECT_LE(worstScaledError<double>(lg64, lg, -20.0, 2000.0), 32);
  EXPECT_LE(worstScaledError<double>(di64, digammaReference, 1e-3, 100.0), 8);
  EXPECT_LE(worstScaledError<double>(di64, digammaReference, -10.0, 10.0),
            64);  // the reference's own poles
  auto w = worstError<float>([](float x) { return lgamma<F32>(x); }, lg, 0.0f, kInf);
  EXPECT_LE(w.error, 1.0) << w.at;
  auto d =
      worstError<float>([](float x) { return digamma<F32>(x); }, digammaReference, 0x1p-60f, 1e30f);
  EXPECT_LE(d.error, 1.0) << d.at;
  EXPECT_EQ(lgamma<F64>(-3.0), kInf);
  EXPECT_EQ(lgamma<F64>(kInf), kInf);
  EXPECT_TRUE(std::isnan(lgamma<F64>(std::nan(""))));
  if (std::getenv("RLC_SHOW_ULP")) {
    printf("lgamma f64 %.2f, f32 %.2f at %g; digamma f64 %.2f f32 %.2f at %g\n",
           worstScaledError<double>(lg64, lg, -20.0, 2000.0), w.error, w.at,
           worstScaledError<double>(di64, digammaReference, -10.0, 10.0), d.error, d.at);
  }
}

TEST(Math, oddFunctionsKeepTheSignOfZero) {
  for (ScalarOp op :
       {ScalarOp::Expm1, ScalarOp::Log1p, ScalarOp::Sin, ScalarOp::Tan, ScalarOp::Asin,
        ScalarOp::Atan, ScalarOp::Sinh, ScalarOp::Tanh, ScalarOp::Erf}) {
    EXPECT_TRUE(std::signbit(transcendental(op, -0.0))) << name(op);
    EXPECT_FALSE(std::signbit(transcendental(op, 0.0))) << name(op);
    EXPECT_TRUE(std::signbit(transcendental(op, -0.0f))) << name(op);
    EXPECT_EQ(transcendental(op, 0.0f), 0.0f) << name(op);
  }
}

TEST(Math, tanhStaysWithinOne) {
  float last = 0;
  for (uint32_t bits = 0x40800000; bits <= 0x41200000; bits += 3) {  // 4 to 10
    const float t = tanh<F32>(bitcastToFloat(bits));
    ASSERT_LE(t, 1.0f) << bitcastToFloat(bits);
    last = t;
  }
  EXPECT_EQ(last, 1.0f);
}

TEST(Math, largeArgumentsAreReducedExactly) {
  // Multiples of pi/2 that floats come closest to.
  EXPECT_LE(ulpError<float>(cos<F32>(0x1.d77c94p+29f), std::cos((long double)0x1.d77c94p+29f)),
            1.5);
  const double hard = 0x1.6ac5b262ca1ffp+849;  // the f64 nearest to a multiple of pi/2
  EXPECT_NEAR(cos<F64>(hard) / -4.68716592425462761112e-19, 1.0, 1e-15);
  EXPECT_LE(ulpError<double>(sin<F64>(1e22), std::sin(1e22L)), 1.5);
}

}  // namespace
}  // namespace rlc::runtime::math
