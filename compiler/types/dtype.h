// Element types of tensors and how they promote (docs/language.md, section 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rlc {

// In order of promotion where one is defined: bool < i32 < i64 < f32 < f64; u8 sits below i32, bf16
// below f32.
enum class DType : uint8_t { Bool, U8, I32, I64, BF16, F32, F64 };

// The type that an element-wise operation of `a` and `b` computes in: the larger in the order
// Bool < U8 < I32 < I64 < BF16 < F32 < F64.
DType promote(DType a, DType b);

std::string_view name(DType type);  // "bool", "u8", ... as written in programs
// The type that programs write so; `int` is i32 and `float` f32.
std::optional<DType> typeNamed(std::string_view text);
size_t byteSize(DType type);  // 1, 1, 4, 8, 2, 4, 8
bool isFloat(DType type);     // BF16, F32, F64
bool isInteger(DType type);   // U8, I32, I64 (not Bool)

}  // namespace rlc
