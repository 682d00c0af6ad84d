#include "compiler/types/dtype.h"

#include <algorithm>

namespace rlc {

DType promote(DType a, DType b) { return std::max(a, b); }

std::string_view name(DType type) {
  switch (type) {
    case DType::Bool:
      return "bool";
    case DType::U8:
      return "u8";
    case DType::I32:
      return "i32";
    case DType::I64:
      return "i64";
    case DType::BF16:
      return "bf16";
    case DType::F32:
      return "f32";
    case DType::F64:
      return "f64";
  }
  return "";
}

std::optional<DType> typeNamed(std::string_view text) {
  if (text == "int") return DType::I32;
  if (text == "float") return DType::F32;
  for (DType type :
       {DType::Bool, DType::U8, DType::I32, DType::I64, DType::BF16, DType::F32, DType::F64})
    if (name(type) == text) return type;
  return std::nullopt;
}

size_t byteSize(DType type) {
  switch (type) {
    case DType::Bool:
    case DType::U8:
      return 1;
    case DType::BF16:
      return 2;
    case DType::I32:
    case DType::F32:
      return 4;
    case DType::I64:
    case DType::F64:
      return 8;
  }
  return 0;
}

bool isFloat(DType type) { return type >= DType::BF16; }

bool isInteger(DType type) { return type == DType::U8 || type == DType::I32 || type == DType::I64; }

}  // namespace rlc
