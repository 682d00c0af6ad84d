// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011):
// 128 random bits of a 128-bit counter and a 64-bit key. W is a 32-bit word type of math_ops.h.
#pragma once

#include <array>
#include <cstdint>

#include "jit/runtime/math_ops.h"

namespace rlc::runtime {

inline constexpr int kPhiloxRounds = 10;
inline constexpr uint32_t kPhiloxMultiplier[2] = {0xD2511F53, 0xCD9E8D57};
inline constexpr uint32_t kPhiloxWeyl[2] = {0x9E3779B9, 0xBB67AE85};

template <class W>
std::array<W, 4> philox4x32(std::array<W, 4> counter, std::array<W, 2> key) {
  using math::multiplyHigh;
  using math::wordConstant;
  const W multiplier0 = wordConstant(key[0], kPhiloxMultiplier[0]),
          multiplier1 = wordConstant(key[0], kPhiloxMultiplier[1]);
  const W weyl0 = wordConstant(key[0], kPhiloxWeyl[0]),
          weyl1 = wordConstant(key[0], kPhiloxWeyl[1]);
  for (int round = 0; round < kPhiloxRounds; ++round) {
    if (round > 0) key = {key[0] + weyl0, key[1] + weyl1};
    W high0 = multiplyHigh(multiplier0, counter[0]), low0 = multiplier0 * counter[0];
    W high1 = multiplyHigh(multiplier1, counter[2]), low1 = multiplier1 * counter[2];
    counter = {high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0};
  }
  return counter;
}

}  // namespace rlc::runtime
