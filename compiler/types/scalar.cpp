#include "compiler/types/scalar.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace rlc {

double roundToBf16(double value) {
  const float narrow = static_cast<float>(value);
  uint32_t bits = std::bit_cast<uint32_t>(narrow);
  if (std::isnan(narrow)) return narrow;
  bits += 0x7fffu + ((bits >> 16) & 1u);
  return std::bit_cast<float>(bits & 0xffff0000u);
}

Scalar Scalar::ofInt(DType type, int64_t value) {
  Scalar result;
  result.type = type;
  switch (type) {
    case DType::Bool:
      result.i = value != 0;
      break;
    case DType::U8:
      result.i = static_cast<uint8_t>(value);
      break;
    case DType::I32:
      result.i = static_cast<int32_t>(value);
      break;
    case DType::I64:
      result.i = value;
      break;
    case DType::BF16:
    case DType::F32:
    case DType::F64:
      return ofFloat(type, static_cast<double>(value));
  }
  return result;
}

Scalar Scalar::ofFloat(DType type, double value) {
  Scalar result;
  result.type = type;
  switch (type) {
    case DType::BF16:
      result.f = roundToBf16(value);
      break;
    case DType::F32:
      result.f = static_cast<float>(value);
      break;
    case DType::F64:
      result.f = value;
      break;
    case DType::Bool:
    case DType::U8:
    case DType::I32:
    case DType::I64:
      return ofInt(type, static_cast<int64_t>(value));
  }
  return result;
}

bool identical(const Scalar& a, const Scalar& b) {
  return a.type == b.type && std::memcmp(&a.i, &b.i, sizeof a.i) == 0;
}

std::optional<int64_t> truncatedTo(DType type, double value) {
  const double whole = std::trunc(value);
  const double limit = type == DType::U8 ? 256.0 : type == DType::I32 ? 0x1p31 : 0x1p63;
  const double least = type == DType::U8 ? 0.0 : -limit;
  if (!(whole >= least && whole < limit)) return std::nullopt;
  return static_cast<int64_t>(whole);
}

bool fits(DType type, int64_t value) { return Scalar::ofInt(type, value).i == value; }

}  // namespace rlc
