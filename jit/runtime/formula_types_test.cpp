// The formulas with number types that are not the machine's: found by argument-dependent lookup,
// comparisons that are no bool, both sides of every choice evaluated, as a code generator's
// expressions do. The bits must be the native ones.
#include <gtest/gtest.h>

#include <cmath>

#include "jit/runtime/math.h"
#include "jit/runtime/random_core.h"

namespace traced {

namespace native = rlc::runtime::math;

int operations = 0;  // how many were built

struct Truth {
  bool v;
};
template <class T>
struct Num {
  T v;
};
template <class T>
struct Bits {
  T v;
};
template <class T>
Num<T> num(T v) {
  ++operations;
  return {v};
}
template <class T>
Bits<T> bits(T v) {
  ++operations;
  return {v};
}

#define TRACED_BINARY(op)                  \
  template <class T>                       \
  Num<T> operator op(Num<T> a, Num<T> b) { \
    return num<T>(a.v op b.v);             \
  }
TRACED_BINARY(+)
TRACED_BINARY(-)
TRACED_BINARY(*)
TRACED_BINARY(/)
#undef TRACED_BINARY
#define TRACED_BITS(op)                       \
  template <class T>                          \
  Bits<T> operator op(Bits<T> a, Bits<T> b) { \
    return bits<T>(a.v op b.v);               \
  }
TRACED_BITS(+)
TRACED_BITS(-)
TRACED_BITS(*)
TRACED_BITS(&)
TRACED_BITS(|)
TRACED_BITS(^)
#undef TRACED_BITS
template <class T>
Num<T> operator-(Num<T> a) {
  return num<T>(-a.v);
}
template <class T>
Truth operator<(Num<T> a, Num<T> b) {
  return {a.v < b.v};
}
template <class T>
Truth operator<=(Num<T> a, Num<T> b) {
  return {a.v <= b.v};
}
template <class T>
Truth operator==(Num<T> a, Num<T> b) {
  return {a.v == b.v};
}
template <class T>
Truth operator==(Bits<T> a, Bits<T> b) {
  return {a.v == b.v};
}

template <class T>
Num<T> constant(Num<T>, double value) {
  return num(static_cast<T>(value));
}
template <class T>
Bits<T> wordConstant(Bits<T>, int64_t value) {
  return bits(static_cast<T>(value));
}
template <class T>
auto bitcastToInt(Num<T> x) {
  return bits(native::bitcastToInt(x.v));
}
template <class T>
auto bitcastToFloat(Bits<T> x) {
  return num(native::bitcastToFloat(x.v));
}
inline Num<double> widen(Num<float> x) { return num<double>(x.v); }
inline Num<float> narrow(Num<double> x) { return num(native::narrow(x.v)); }
inline Bits<uint64_t> widenWord(Bits<uint32_t> x) { return bits<uint64_t>(x.v); }
inline Bits<uint32_t> narrowWord(Bits<uint64_t> x) { return bits(native::narrowWord(x.v)); }
template <class T>
auto signedToFloat(Bits<T> x) {
  return num(native::signedToFloat(x.v));
}
template <class T>
Num<T> fma(Num<T> a, Num<T> b, Num<T> c) {
  return num(native::fma(a.v, b.v, c.v));
}
template <class T>
Num<T> sqrt(Num<T> x) {
  return num(native::sqrt(x.v));
}
template <class T>
Num<T> floor(Num<T> x) {
  return num(native::floor(x.v));
}
inline Truth logicalAnd(Truth a, Truth b) { return {a.v && b.v}; }
inline Truth logicalOr(Truth a, Truth b) { return {a.v || b.v}; }
inline Truth logicalNot(Truth a) { return {!a.v}; }
template <class X>
X select(Truth c, X a, X b) {
  return c.v ? a : b;
}
template <class T>
Bits<T> shiftLeft(Bits<T> x, int n) {
  return bits(native::shiftLeft(x.v, n));
}
template <class T>
Bits<T> shiftRightLogical(Bits<T> x, int n) {
  return bits(native::shiftRightLogical(x.v, n));
}
template <class T>
Bits<T> shiftRightArithmetic(Bits<T> x, int n) {
  return bits(native::shiftRightArithmetic(x.v, n));
}
template <class T>
Truth lessUnsigned(Bits<T> a, Bits<T> b) {
  return {a.v < b.v};
}
inline Bits<uint32_t> multiplyHigh(Bits<uint32_t> a, Bits<uint32_t> b) {
  return bits(native::multiplyHigh(a.v, b.v));
}
template <size_t N>
Num<double> lookup(Bits<uint64_t> index, const std::array<double, N>& table) {
  return num(table.at(index.v));
}
template <class T, size_t N, class Slow>
std::array<Num<T>, N> selectRare(Truth condition, std::array<Num<T>, N> usual, Slow slow) {
  const std::array<Num<T>, N> rare = slow();
  return condition.v ? rare : usual;
}

}  // namespace traced

namespace rlc::runtime {
namespace {

using traced::Bits;
using traced::Num;

const ScalarOp kOps[] = {
    ScalarOp::Pow,    ScalarOp::Exp,    ScalarOp::Expm1,    ScalarOp::Log,      ScalarOp::Log1p,
    ScalarOp::Sin,    ScalarOp::Cos,    ScalarOp::SinSmall, ScalarOp::CosSmall, ScalarOp::Tan,
    ScalarOp::Asin,   ScalarOp::Acos,   ScalarOp::Atan,     ScalarOp::Atan2,    ScalarOp::Sinh,
    ScalarOp::Cosh,   ScalarOp::Tanh,   ScalarOp::Erf,      ScalarOp::Sigmoid,  ScalarOp::Softplus,
    ScalarOp::Lgamma, ScalarOp::Digamma};

template <class P, class T>
void expectNativeBits(ScalarOp op, T x, T y) {
  const T want = math::transcendental(op, x, y),
          got = math::transcendental<P>(op, Num<T>{x}, Num<T>{y}).v;
  const bool same =
      math::bitcastToInt(want) == math::bitcastToInt(got) || (want != want && got != got);
  EXPECT_TRUE(same) << name(op) << " of " << x << ", " << y << ": " << got << ", natively " << want;
}

TEST(FormulaTypes, functionsGiveTheSameBits) {
  for (ScalarOp op : kOps) {
    ASSERT_TRUE(math::isTranscendental(op));
    for (double x : {0.0, -0.0, 0.3, -0.7, 1.0, 2.75, -11.3, 1e3, 1e9, -3e20, 1e30, 1e300, -1e308,
                     1e-40, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
      for (double y : {0.5, -3.0, 7.25}) {
        expectNativeBits<math::F32, float>(op, static_cast<float>(x), static_cast<float>(y));
        expectNativeBits<math::F64, double>(op, x, y);
      }
    }
  }
}

template <class W64, class W>
Place<W64, W> placeFor(int64_t t) {
  const W64 coordinates[] = {W64{1}, W64{2}, W64{3}, W64{static_cast<uint64_t>(t)}};
  return placeOf<W64, W>({W{11}, W{13}}, coordinates, 4, W64{5}, W64{3});
}

TEST(FormulaTypes, drawsGiveTheSameBits) {
  for (int64_t t : {-3, 0, 1, 2, 3, 1000}) {
    const auto expected = placeFor<uint64_t, uint32_t>(t);
    const auto place = placeFor<Bits<uint64_t>, Bits<uint32_t>>(t);
    EXPECT_EQ(uniformF32(place).v, uniformF32(expected));
    EXPECT_EQ(uniformF64(place).v, uniformF64(expected));
    EXPECT_EQ(normalF32(place).v, normalF32(expected));
    EXPECT_EQ(normalF64(place).v, normalF64(expected));
    EXPECT_EQ(uniformInt(place, Bits<uint32_t>{3}, Bits<uint32_t>{90}).v,
              uniformInt(expected, 3u, 90u));
    const auto attempt = gammaAttempt(place, Num<float>{0.7f}, Num<float>{0.4f}, 2);
    const auto native = gammaAttempt(expected, 0.7f, 0.4f, 2);
    EXPECT_EQ(attempt.value.v, native.value);
    EXPECT_EQ(attempt.boost.v, native.boost);
    EXPECT_EQ(attempt.accepted.v, native.accepted);
  }
}

// What a code generator emits; a change that grows a formula shows here.
TEST(FormulaTypes, formulasStayShort) {
  const auto operationsOf = [](ScalarOp op) {
    traced::operations = 0;
    (void)math::transcendental<math::F32>(op, Num<float>{0.5f}, Num<float>{0.5f});
    return traced::operations;
  };
  EXPECT_LE(operationsOf(ScalarOp::Exp), 60);
  EXPECT_LE(operationsOf(ScalarOp::Tanh), 60);
  EXPECT_LE(operationsOf(ScalarOp::Log), 70);
  EXPECT_LE(operationsOf(ScalarOp::Sigmoid), 70);
}

}  // namespace
}  // namespace rlc::runtime
