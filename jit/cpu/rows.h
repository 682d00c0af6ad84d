// Rows that loops in lanes go along, a place of each lane's own.
#pragma once

#include <cstdint>

namespace rlc::cpu {

// Elements of the longest row that is loaded whole and transposed in registers (emit_rows.cpp).
inline constexpr int64_t kLongestRow = 16;

}  // namespace rlc::cpu
