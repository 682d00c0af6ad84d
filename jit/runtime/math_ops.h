// The operations that jit/runtime's shared formulas are written in.
//
// A formula is a template over a number type F (and its word type, the integers of F's width). This
// file gives the operations for float and double; a loop-IR expression or a device type gives the
// same free functions and operators in its own namespace, where argument-dependent lookup finds
// them. All are IEEE-exact (round to nearest, denormals kept) or integer operations, so a formula
// gives the same bits everywhere. Besides + - * / unary - < <= == on numbers,
// + - * & | ^ == on words (wrapping, without sign):
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace rlc::runtime::math {

// A constant of the type (and, for expressions, in the context) of `like`.
inline float constant(float, double value) { return static_cast<float>(value); }
inline double constant(double, double value) { return value; }
inline uint32_t wordConstant(uint32_t, int64_t value) { return static_cast<uint32_t>(value); }
inline uint64_t wordConstant(uint64_t, int64_t value) { return static_cast<uint64_t>(value); }

inline uint32_t bitcastToInt(float x) { return std::bit_cast<uint32_t>(x); }
inline uint64_t bitcastToInt(double x) { return std::bit_cast<uint64_t>(x); }
inline float bitcastToFloat(uint32_t x) { return std::bit_cast<float>(x); }
inline double bitcastToFloat(uint64_t x) { return std::bit_cast<double>(x); }

inline double widen(float x) { return x; }                       // f32 to f64
inline float narrow(double x) { return static_cast<float>(x); }  // f64 to f32, to nearest
inline uint64_t widenWord(uint32_t x) { return x; }              // zero-extends
inline uint32_t narrowWord(uint64_t x) { return static_cast<uint32_t>(x); }  // keeps the low half
inline float signedToFloat(uint32_t x) { return static_cast<float>(static_cast<int32_t>(x)); }
inline double signedToFloat(uint64_t x) { return static_cast<double>(static_cast<int64_t>(x)); }

inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline double fma(double a, double b, double c) { return std::fma(a, b, c); }
inline float sqrt(float x) { return std::sqrt(x); }
inline double sqrt(double x) { return std::sqrt(x); }
inline float floor(float x) { return std::floor(x); }
inline double floor(double x) { return std::floor(x); }

inline bool logicalAnd(bool a, bool b) { return a && b; }
inline bool logicalOr(bool a, bool b) { return a || b; }
inline bool logicalNot(bool a) { return !a; }
inline float select(bool c, float a, float b) { return c ? a : b; }
inline double select(bool c, double a, double b) { return c ? a : b; }
inline uint32_t select(bool c, uint32_t a, uint32_t b) { return c ? a : b; }
inline uint64_t select(bool c, uint64_t a, uint64_t b) { return c ? a : b; }

// The amount is a compile-time constant below the width.
inline uint32_t shiftLeft(uint32_t x, int n) { return x << n; }
inline uint64_t shiftLeft(uint64_t x, int n) { return x << n; }
inline uint32_t shiftRightLogical(uint32_t x, int n) { return x >> n; }
inline uint64_t shiftRightLogical(uint64_t x, int n) { return x >> n; }
inline uint32_t shiftRightArithmetic(uint32_t x, int n) {
  return static_cast<uint32_t>(static_cast<int32_t>(x) >> n);
}
inline uint64_t shiftRightArithmetic(uint64_t x, int n) {
  return static_cast<uint64_t>(static_cast<int64_t>(x) >> n);
}
inline bool lessUnsigned(uint32_t a, uint32_t b) { return a < b; }
inline bool lessUnsigned(uint64_t a, uint64_t b) { return a < b; }

// The high half of the unsigned product.
inline uint32_t multiplyHigh(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>((static_cast<uint64_t>(a) * b) >> 32);
}

// table[index], index < N; expressions may load from a constant table or chain selects.
template <size_t N>
double lookup(uint64_t index, const std::array<double, N>& table) {
  return table[index];
}

// A call, also where the compiler would copy the code: what seldom runs then costs code size, and
// the compiler time, once instead of at every use.
#ifdef __CUDACC_RTC__
#define RLC_OUT_OF_LINE __noinline__  // NVRTC ignores GNU's attribute
#else
#define RLC_OUT_OF_LINE [[gnu::noinline]]
#endif
template <class Function>
RLC_OUT_OF_LINE auto outOfLine(Function function) {
  return function();
}
#undef RLC_OUT_OF_LINE

// condition ? slow() : usual, element by element. The condition seldom holds, so targets with
// vectors should branch around slow() where it holds in no lane; the value does not depend on it.
template <class F, size_t N, class Slow>
std::array<F, N> selectRare(bool condition, const std::array<F, N>& usual, Slow slow) {
  return condition ? outOfLine(slow) : usual;
}

}  // namespace rlc::runtime::math
