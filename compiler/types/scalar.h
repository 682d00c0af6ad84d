// A scalar constant of any element type, and dense tensors of them (literals, constant folding, the
// interpreter).
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "compiler/types/dtype.h"

namespace rlc {

// Bool, U8, I32 and I64 live in `i` (already wrapped to their width), BF16, F32 and F64 in `f`
// (already rounded to their precision).
struct Scalar {
  DType type = DType::F32;
  union {
    int64_t i;
    double f;
  };

  Scalar() : i(0) {}
  static Scalar ofInt(DType type, int64_t value);   // wraps to the type's width; Bool: value != 0
  static Scalar ofFloat(DType type, double value);  // rounds to the type's precision
  bool isFloating() const { return isFloat(type); }
  double asDouble() const { return isFloating() ? f : static_cast<double>(i); }
  int64_t asInt() const { return isFloating() ? static_cast<int64_t>(f) : i; }
  bool asBool() const { return isFloating() ? f != 0.0 : i != 0; }
};

bool identical(const Scalar& a, const Scalar& b);  // same type and same bits

// A number in an integer type: without its fraction; none where it does not fit or is NaN.
std::optional<int64_t> truncatedTo(DType type, double value);
bool fits(DType type, int64_t value);  // in an integer type

// Of two numbers: NaN where one of them is, as in NumPy.
template <std::floating_point T>
T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
  return b < a ? b : a;
}

template <std::floating_point T>
T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
  return a < b ? b : a;
}

double roundToBf16(double value);  // round to nearest even, as the hardware does

// Row-major; `shape` empty: one element.
struct DenseTensor {
  DType type = DType::F32;
  std::vector<int64_t> shape;
  std::vector<Scalar> elements;
};

}  // namespace rlc
