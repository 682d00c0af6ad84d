// Many blocks of Philox at a time, in vector registers where the processor has AVX2: what a
// permutation draws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rlc::runtime {

// The blocks `first` .. first + count with the counters {low, high, outer[0], outer[1]}, as
// philox4x32 has them.
void philoxBlocks(std::array<uint32_t, 2> key, uint64_t first, std::array<uint32_t, 2> outer,
                  size_t count, std::array<uint32_t, 4>* blocks);

}  // namespace rlc::runtime
