// What generated kernels are written in: the run's context, scalar operations, draws, sums over a
// block; at its end, what a whole block does together.
//
// Results must not depend on how many threads run: every sum over threads or blocks is a tree whose
// shape follows from the launch alone.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "jit/runtime/math_exp.h"
#include "jit/runtime/math_log.h"
#include "jit/runtime/math_pow.h"
#include "jit/runtime/math_special.h"
#include "jit/runtime/math_trig.h"
#include "jit/runtime/math_trig_inverse.h"
#include "jit/runtime/random_core.h"

namespace rlc::device {

using i64 = long long;
using u64 = unsigned long long;
using u8 = unsigned char;

// The first fault; its coordinates come before its number is seen by the host.
struct Fault {
  int state;  // 0: none, 1: being written, 2: complete
  int number;
  int count;
  int unused;
  i64 root;  // of the schedule: the one that runs, and its loop's variable (kNoIteration: not in a
             // loop)
  i64 iteration;
  i64 coordinates[32];
};
constexpr i64 kNoIteration = -9223372036854775807ll - 1;

// The same for all kernels of a run; laid out as jit/gpu/abi.h has it.
struct Run {
  char* arena;
  char* swapped;  // the arena's end, in the host's memory
  const char* parameters;
  char* scratch;  // partial sums, large private buffers
  i64* frame;     // variables that outlive their kernel, eight bytes each
  Fault* fault;
  const volatile int* stop;  // the host asks for an end
  u64 seed;
  i64 firstBlock;   // of the launch, where one launch would need too much memory
  char* copies[8];  // of tensors in the host's memory, addressed as if each were all of its tensor
  i64 loops[8];     // values of the kernel's host loops, where `given` has their bits
  u64 given;
};

// Of the kernel's host loop `number`: what the launch says, or, where a graph's launch is the same
// each time, what the frame has.
inline i64 loopValue(const Run& run, int number, int slot) {
  return (run.given >> number & 1) != 0 ? run.loops[number] : run.frame[slot];
}

inline bool over(const Run& run) { return *(volatile int*)&run.fault->state != 0; }
inline bool stopping(const Run& run) { return *run.stop != 0; }

// What had been completed when a run ends early is told by how far the schedule's roots came. One
// thread of a kernel calls it.
inline void reached(const Run& run, i64 root, i64 iteration) {
  run.fault->root = root;
  run.fault->iteration = iteration;
}

template <class... C>
void fault(const Run& run, int number, C... coordinates) {
  if (atomicCAS(&run.fault->state, 0, 1) != 0) return;
  const i64 values[] = {coordinates..., 0};
  run.fault->number = number;
  run.fault->count = sizeof...(C);
  for (int i = 0; i < (int)sizeof...(C) && i < 32; ++i) run.fault->coordinates[i] = values[i];
  __threadfence_system();
  atomicExch(&run.fault->state, 2);
}

// ---- scalars ------------------------------------------------------------------------------------

template <class T>
struct Unsigned {
  using type = T;
};
template <>
struct Unsigned<int> {
  using type = unsigned;
};
template <>
struct Unsigned<i64> {
  using type = u64;
};
template <class T>
inline constexpr bool isSigned = T(-1) < T(0);
template <class T>
inline constexpr bool isFloating = T(0.5f) != T(0);

#define RLC_INFINITY_F32 __builtin_bit_cast(float, 0x7f800000u)
#define RLC_INFINITY_F64 __builtin_bit_cast(double, 0x7ff0000000000000ull)
#define RLC_NAN_F32 __builtin_bit_cast(float, 0x7fc00000u)
#define RLC_NAN_F64 __builtin_bit_cast(double, 0x7ff8000000000000ull)
inline float numberFrom(uint32_t bits) { return std::bit_cast<float>(bits); }
inline double numberFrom(uint64_t bits) { return std::bit_cast<double>(bits); }
inline float infinityOf(float) { return numberFrom(uint32_t{0x7f800000u}); }
inline double infinityOf(double) { return numberFrom(uint64_t{0x7ff0000000000000ull}); }
inline float nanOf(float) { return numberFrom(uint32_t{0x7fc00000u}); }
inline double nanOf(double) { return numberFrom(uint64_t{0x7ff8000000000000ull}); }
inline float magnitude(float x) {
  return numberFrom(uint32_t(std::bit_cast<uint32_t>(x) & 0x7fffffffu));
}
inline double magnitude(double x) {
  return numberFrom(uint64_t(std::bit_cast<uint64_t>(x) & 0x7fffffffffffffffull));
}
inline float signed_like(float x, float sign) {
  return numberFrom(uint32_t((std::bit_cast<uint32_t>(x) & 0x7fffffffu) |
                             (std::bit_cast<uint32_t>(sign) & 0x80000000u)));
}
inline double signed_like(double x, double sign) {
  return numberFrom(uint64_t((std::bit_cast<uint64_t>(x) & 0x7fffffffffffffffull) |
                             (std::bit_cast<uint64_t>(sign) & 0x8000000000000000ull)));
}

// To nearest, ties to even, in f32; NaN stays NaN.
inline float bf16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  if (x != x) return numberFrom(uint32_t((bits | 0x00400000u) & 0xffff0000u));
  return numberFrom(uint32_t((bits + (((bits >> 16) & 1u) + 0x7fffu)) & 0xffff0000u));
}
struct Bf16 {  // in memory
  uint16_t bits;
  operator float() const { return numberFrom(uint32_t(uint32_t(bits) << 16)); }
  Bf16& operator=(float x) {
    bits = uint16_t(std::bit_cast<uint32_t>(x) >> 16);
    return *this;
  }
};

// Integers wrap.
template <class T>
T add(T a, T b) {
  if constexpr (isFloating<T>)
    return a + b;
  else
    return T(typename Unsigned<T>::type(a) + typename Unsigned<T>::type(b));
}
inline bool add(bool a, bool b) { return a || b; }
template <class T>
T sub(T a, T b) {
  if constexpr (isFloating<T>)
    return a - b;
  else
    return T(typename Unsigned<T>::type(a) - typename Unsigned<T>::type(b));
}
template <class T>
T mul(T a, T b) {
  if constexpr (isFloating<T>)
    return a * b;
  else
    return T(typename Unsigned<T>::type(a) * typename Unsigned<T>::type(b));
}
inline bool mul(bool a, bool b) { return a && b; }
template <class T>
T neg(T a) {
  if constexpr (isFloating<T>)
    return -a;
  else
    return T(typename Unsigned<T>::type(0) - typename Unsigned<T>::type(a));
}
template <class T>
T fused(T a, T b, T c) {
  if constexpr (isFloating<T>)
    return std::fma(a, b, c);
  else
    return add(mul(a, b), c);
}
inline float fused_bf16(float a, float b, float c) {
  return bf16(float(double(a) * double(b) + double(c)));
}
template <class T>
T abs(T a) {
  if constexpr (isFloating<T>)
    return magnitude(a);
  else
    return isSigned<T> && a < T(0) ? neg(a) : a;
}
template <class T>
T sign(T a) {
  if constexpr (isFloating<T>)
    return T(0) < a ? T(1) : a < T(0) ? T(-1) : a;
  else
    return T(0) < a ? T(1) : a < T(0) ? T(-1) : T(0);
}
template <class T>
T minimum(T a, T b) {
  if constexpr (isFloating<T>)
    return a != a || b != b ? nanOf(a) : b < a ? b : a;
  else
    return b < a ? b : a;
}
template <class T>
T maximum(T a, T b) {
  if constexpr (isFloating<T>)
    return a != a || b != b ? nanOf(a) : a < b ? b : a;
  else
    return a < b ? b : a;
}
inline float remainder(float a, float b) { return ::fmodf(a, b); }
inline double remainder(double a, double b) { return ::fmod(a, b); }
inline float roundEven(float x) { return ::rintf(x); }
inline double roundEven(double x) { return ::rint(x); }
inline float ceiling(float x) { return ::ceilf(x); }
inline double ceiling(double x) { return ::ceil(x); }
inline float truncate(float x) { return ::truncf(x); }
inline double truncate(double x) { return ::trunc(x); }
inline float floorOf(float x) { return std::floor(x); }
inline double floorOf(double x) { return std::floor(x); }
inline float root(float x) { return std::sqrt(x); }
inline double root(double x) { return std::sqrt(x); }

// Toward minus infinity; a zero divisor, which a check reports, counts as 1.
template <class T>
T floor_div(T a, T b) {
  if constexpr (isFloating<T>) {
    T mod = remainder(a, b);
    T div = (a - mod) / b;
    if ((b < T(0)) != (mod < T(0)) && mod != T(0)) div = div - T(1);
    const T plain = a / b;
    const T floored = floorOf(div);
    T result = T(0.5) < div - floored ? floored + T(1) : floored;
    if (div == T(0)) result = signed_like(T(0), plain);
    return b == T(0) ? plain : result;
  } else if constexpr (!isSigned<T>) {
    return T(a / (b == T(0) ? T(1) : b));
  } else {
    if (b == T(-1)) return neg(a);
    const T d = b == T(0) ? T(1) : b;
    const T q = a / d, r = a - q * d;
    return r != T(0) && (r ^ d) < T(0) ? q - T(1) : q;
  }
}
template <class T>
T mod(T a, T b) {
  if constexpr (isFloating<T>) {
    const T m = remainder(a, b);
    T result = (b < T(0)) != (m < T(0)) ? m + b : m;
    if (m == T(0)) result = signed_like(T(0), b);
    return b == T(0) ? m : result;
  } else if constexpr (!isSigned<T>) {
    return T(a % (b == T(0) ? T(1) : b));
  } else {
    if (b == T(-1)) return T(0);
    const T d = b == T(0) ? T(1) : b;
    const T r = a % d;
    return r != T(0) && (r ^ d) < T(0) ? r + d : r;
  }
}
template <class T>
T power_int(T base, T exponent) {
  using U = typename Unsigned<T>::type;
  U square = U(base), rest = U(exponent), result = 1;
  for (; rest != 0; rest = U(rest >> 1)) {
    if (rest & 1) result = U(result * square);
    square = U(square * square);
  }
  if (isSigned<T> && exponent < T(0))
    return base == T(1) ? T(1) : base == T(-1) ? ((exponent & T(1)) ? T(-1) : T(1)) : T(0);
  return T(result);
}

// Conversions to integers truncate and saturate; NaN gives 0.
template <class F>
int to_i32(F x) {
  if (x != x) return 0;
  if (x >= F(2147483648.0)) return 2147483647;
  if (x < F(-2147483648.0)) return -2147483647 - 1;
  return int(x);
}
template <class F>
i64 to_i64(F x) {
  if (x != x) return 0;
  if (x >= F(9223372036854775808.0)) return 9223372036854775807ll;
  if (x < F(-9223372036854775808.0)) return -9223372036854775807ll - 1;
  return i64(x);
}
template <class F>
u8 to_u8(F x) {
  return !(F(0) < x) ? u8(0) : x >= F(255) ? u8(255) : u8(x);
}

template <class T>
bool is_nan(T x) {
  return x != x;
}
template <class T>
bool is_inf(T x) {
  return magnitude(x) == infinityOf(x);
}
template <class T>
bool is_finite(T x) {
  return magnitude(x) < infinityOf(x);
}

#define RLC_FORMULA(NAME)                                                               \
  inline float f_##NAME(float x) { return runtime::math::NAME<runtime::math::F32>(x); } \
  inline double f_##NAME(double x) { return runtime::math::NAME<runtime::math::F64>(x); }
// clang-format off
RLC_FORMULA(exp) RLC_FORMULA(expm1) RLC_FORMULA(log) RLC_FORMULA(log1p) RLC_FORMULA(sin)
RLC_FORMULA(cos) RLC_FORMULA(tan) RLC_FORMULA(asin) RLC_FORMULA(acos) RLC_FORMULA(atan)
RLC_FORMULA(sinh) RLC_FORMULA(cosh) RLC_FORMULA(tanh) RLC_FORMULA(sigmoid) RLC_FORMULA(softplus)
RLC_FORMULA(erf) RLC_FORMULA(lgamma) RLC_FORMULA(digamma)
// clang-format on
#undef RLC_FORMULA
                inline float f_pow(float x, float y) {
  return runtime::math::pow<runtime::math::F32>(x, y);
}
inline double f_pow(double x, double y) { return runtime::math::pow<runtime::math::F64>(x, y); }
inline float f_sin_small(float x) { return runtime::math::sinSmall<runtime::math::F32>(x); }
inline double f_sin_small(double x) { return runtime::math::sinSmall<runtime::math::F64>(x); }
inline float f_cos_small(float x) { return runtime::math::cosSmall<runtime::math::F32>(x); }
inline double f_cos_small(double x) { return runtime::math::cosSmall<runtime::math::F64>(x); }
inline float f_atan2(float y, float x) { return runtime::math::atan2<runtime::math::F32>(y, x); }
inline double f_atan2(double y, double x) { return runtime::math::atan2<runtime::math::F64>(y, x); }

// ---- draws: the layout of jit/runtime/random_core.h ---------------------------------------------

inline u64 mixed(u64 z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
template <class... C>
runtime::Place<uint64_t, uint32_t> place(const Run& run, u64 stream, i64 elements, i64 element,
                                         C... coordinates) {
  const u64 key = mixed(mixed(run.seed + 0x9E3779B97F4A7C15ull) ^ stream);
  const uint64_t at[] = {uint64_t(coordinates)..., 0};
  return runtime::placeOf<uint64_t, uint32_t>({uint32_t(key), uint32_t(key >> 32)}, at,
                                              int(sizeof...(C)), uint64_t(elements),
                                              uint64_t(element));
}
template <class... C>
float uniform_f32(const Run& run, u64 stream, i64 elements, i64 e, C... at) {
  return runtime::uniformF32(place(run, stream, elements, e, at...));
}
template <class... C>
double uniform_f64(const Run& run, u64 stream, i64 elements, i64 e, C... at) {
  return runtime::uniformF64(place(run, stream, elements, e, at...));
}
template <class... C>
float normal_f32(const Run& run, u64 stream, i64 elements, i64 e, C... at) {
  return runtime::normalF32(place(run, stream, elements, e, at...));
}
template <class... C>
double normal_f64(const Run& run, u64 stream, i64 elements, i64 e, C... at) {
  return runtime::normalF64(place(run, stream, elements, e, at...));
}
template <class... C>
int uniform_int(const Run& run, int lo, int hi, u64 stream, i64 elements, i64 e, C... at) {
  return int(
      runtime::uniformInt(place(run, stream, elements, e, at...), uint32_t(lo), uint32_t(hi)));
}
template <class... C>
float gamma_f32(const Run& run, float shape, u64 stream, i64 elements, i64 e, C... at) {
  return runtime::gammaF32(place(run, stream, elements, e, at...), shape);
}

// ---- combinations -------------------------------------------------------------------------------

struct Sum {
  template <class T>
  static T of(T a, T b) {
    return add(a, b);
  }
};
struct SumBf16 {
  static float of(float a, float b) { return bf16(a + b); }
};
struct Prod {
  template <class T>
  static T of(T a, T b) {
    return mul(a, b);
  }
};
struct ProdBf16 {
  static float of(float a, float b) { return bf16(a * b); }
};
struct Max {
  template <class T>
  static T of(T a, T b) {
    return maximum(a, b);
  }
};
struct Min {
  template <class T>
  static T of(T a, T b) {
    return minimum(a, b);
  }
};
struct All {
  static bool of(bool a, bool b) { return a && b; }
};
struct Any {
  static bool of(bool a, bool b) { return a || b; }
};

// Hides from the compiler that a value from outside a loop stays the same while the loop runs:
// addresses made from it would all be computed before the loop and kept, in more registers than
// there are. To compute them again costs an addition or two.
#ifdef __CUDA_ARCH__
inline void again(int& value) { asm volatile("" : "+r"(value)); }
inline void again(i64& value) { asm volatile("" : "+l"(value)); }
#else
template <class T>
void again(T&) {}
#endif

// The nearest of a buffer's elements.
template <i64 kElements>
i64 within(i64 at) {
  return at < 0 ? 0 : at >= kElements ? kElements - 1 : at;
}

// A buffer of the arena in code with loops around loops of many threads, where `again(arena)` makes
// its address anew.
template <class T, i64 kOffset>
struct Placed {
  const i64& arena;
  T* begin() const { return (T*)(arena + kOffset); }
  T& operator[](i64 at) const { return begin()[at]; }
  T* operator+(i64 at) const { return begin() + at; }
};

// The block's values combined as a binary tree over the threads' numbers; every thread gets the
// result. `shared` has room for one value of each thread. Everyone in the block calls it, with the
// same number of threads, a power of two.
template <class Combine, class T>
T acrossBlock(T value, char* shared) {
  T* values = (T*)shared;
  __syncthreads();
  values[threadIdx.x] = value;
  __syncthreads();
#pragma unroll 1
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      values[threadIdx.x] = Combine::of(values[threadIdx.x], values[threadIdx.x + half]);
    __syncthreads();
  }
  return values[0];
}

// One element of the blocks' copies, `stride` elements apart: pairs, then pairs of pairs, four
// copies at a time.
template <class Combine, class T, class Stored>
T acrossCopies(const Stored* first, i64 stride, i64 copies, T start) {
  T total = start;
  for (i64 c = 0; c < copies; c += 4) {
    T sum = first[c * stride];
    if (c + 1 < copies) sum = Combine::of(sum, T(first[(c + 1) * stride]));
    if (c + 2 < copies) {
      T rest = first[(c + 2) * stride];
      if (c + 3 < copies) rest = Combine::of(rest, T(first[(c + 3) * stride]));
      sum = Combine::of(sum, rest);
    }
    total = Combine::of(total, sum);
  }
  return total;
}

// A few values of one thread that stay in registers although their number is not known at compile
// time.
template <class T, int N>
struct Ring {
  T values[N];
  T get(i64 at) const {
    T result = values[0];
#pragma unroll
    for (int i = 1; i < N; ++i) result = at == i ? values[i] : result;
    return result;
  }
  void set(i64 at, T value) {
#pragma unroll
    for (int i = 0; i < N; ++i) values[i] = at == i ? value : values[i];
  }
};

}  // namespace rlc::device

#include "jit/gpu/device/contraction.h"
#include "jit/gpu/device/sorting.h"
#include "jit/gpu/device/sum_tree.h"
