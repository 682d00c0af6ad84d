#pragma once

#include <cstdint>

namespace rlc::cpu {

constexpr int64_t kLineBytes = 64;  // of a cache, on x86 and most of aarch64

}  // namespace rlc::cpu
