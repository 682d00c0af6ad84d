#include "jit/runtime/philox_blocks.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "jit/runtime/philox.h"

namespace rlc::runtime {

namespace {

using Block = std::array<uint32_t, 4>;

#if defined(__x86_64__)

// Four blocks side by side: philox4x32's rounds (philox.h), as jit/cpu/philox_halves.h emits them.
// A word is the lower half of 64 bits: one multiplication gives its product's both halves, and what
// lies in upper halves between does not matter.
__attribute__((target("avx2"))) size_t blocksByAvx2(std::array<uint32_t, 2> key, uint64_t first,
                                                    std::array<uint32_t, 2> outer, size_t count,
                                                    Block* blocks) {
  const __m256i multiplier0 = _mm256_set1_epi64x(kPhiloxMultiplier[0]),
                multiplier1 = _mm256_set1_epi64x(kPhiloxMultiplier[1]);
  size_t done = 0;
  for (; done + 4 <= count; done += 4) {
    const __m256i number = _mm256_add_epi64(_mm256_set1_epi64x(static_cast<int64_t>(first + done)),
                                            _mm256_set_epi64x(3, 2, 1, 0));
    __m256i c0 = number, c1 = _mm256_srli_epi64(number, 32), c2 = _mm256_set1_epi64x(outer[0]),
            c3 = _mm256_set1_epi64x(outer[1]);
    std::array<uint32_t, 2> roundKey = key;
    for (int round = 0; round < kPhiloxRounds; ++round) {
      const __m256i product0 = _mm256_mul_epu32(multiplier0, c0),
                    product1 = _mm256_mul_epu32(multiplier1, c2);
      c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product1, 32), c1),
                            _mm256_set1_epi64x(roundKey[0]));
      c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product0, 32), c3),
                            _mm256_set1_epi64x(roundKey[1]));
      c1 = product1;
      c3 = product0;
      roundKey = {roundKey[0] + kPhiloxWeyl[0], roundKey[1] + kPhiloxWeyl[1]};
    }
    const __m256i lower = _mm256_blend_epi32(c0, _mm256_slli_epi64(c1, 32), 0xAA),
                  upper = _mm256_blend_epi32(c2, _mm256_slli_epi64(c3, 32), 0xAA);
    const __m256i even = _mm256_unpacklo_epi64(lower, upper),
                  odd = _mm256_unpackhi_epi64(lower, upper);
    auto* out = reinterpret_cast<__m256i*>(blocks + done);
    _mm256_storeu_si256(out, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(even, odd, 0x31));
  }
  return done;
}

#endif

}  // namespace

void philoxBlocks(std::array<uint32_t, 2> key, uint64_t first, std::array<uint32_t, 2> outer,
                  size_t count, Block* blocks) {
  size_t done = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) done = blocksByAvx2(key, first, outer, count, blocks);
#endif
  for (; done < count; ++done) {
    const uint64_t number = first + done;
    blocks[done] = philox4x32<uint32_t>(
        {static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32), outer[0], outer[1]},
        key);
  }
}

}  // namespace rlc::runtime
