// 64-bit integer arithmetic that never wraps silently, and division that rounds toward minus
// infinity.
#pragma once

#include <cstdint>

#include "compiler/diagnostics/internal_error.h"

namespace rlc::polyhedral {

// Positions or domains beyond 64 bits: a program's fault, unless it was checked for before.
class IndexOverflow : public InternalError {
 public:
  IndexOverflow() : InternalError("index arithmetic overflows 64 bits") {}
};

inline int64_t checkedAdd(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) throw IndexOverflow();
  return result;
}

inline int64_t checkedMul(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) throw IndexOverflow();
  return result;
}

inline int64_t checkedNeg(int64_t a) { return checkedMul(a, -1); }

// divisor > 0
inline int64_t floorQuotient(int64_t a, int64_t divisor) {
  int64_t q = a / divisor;
  return a % divisor < 0 ? q - 1 : q;
}

// divisor > 0; in [0, divisor)
inline int64_t floorRemainder(int64_t a, int64_t divisor) {
  int64_t r = a % divisor;
  return r < 0 ? r + divisor : r;
}

}  // namespace rlc::polyhedral
