// Numbers as text: the fewest digits that read back as the same value, always with a point or an
// exponent in floats
// (`0.25`, `1.0`, `1e-10`, `1e16`), booleans as `true` and `false`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/types/scalar.h"

namespace rlc::runtime {

// Json differs in NaN and infinities, which are the strings "nan", "inf" and "-inf" there.
enum class Notation : uint8_t { Text, Json };

void appendFloat(std::string& out, float value, Notation notation = Notation::Text);
void appendFloat(std::string& out, double value, Notation notation = Notation::Text);
void appendBf16(std::string& out, float value,
                Notation notation = Notation::Text);  // `value` is a bf16
void appendInt(std::string& out, int64_t value);
void appendScalar(std::string& out, const Scalar& value, Notation notation = Notation::Text);
// The element at `data`, in the layout of compiled code (bf16: its 16 bits; bool: a byte).
void appendElement(std::string& out, DType type, const void* data,
                   Notation notation = Notation::Text);

// A JSON string with its quotes; UTF-8 passes through.
void appendJsonString(std::string& out, std::string_view text);

std::string formatScalar(const Scalar& value, Notation notation = Notation::Text);

std::string sizeText(int64_t bytes);  // "64 bytes", "12.5 MB"

// "_" for a position that has no name: constants alone say where it is.
std::string positionName(const std::string& name);
// Where a tensor has a value: "`x` at t = 0, b = 1".
std::string placeText(const std::string& tensor,
                      const std::vector<std::pair<std::string, int64_t>>& point);

}  // namespace rlc::runtime
