// CartPole-v1 with random actions as an expert writes it by hand: 16 (AVX-512) or 8 (AVX2)
// environments a register, several registers in flight, everything in registers. An environment
// that ends starts again in the same step. Draws are xorshift's or, with --draws philox, those of
// rlc's generator: a block of Philox 4x32-10 gives the actions of four steps, or an episode's
// start.
//
// The sine and cosine are polynomials on [-0.42, 0.42], all that an angle can be here: |error| <
// 1e-7. Prints JSON: steps per second.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
constexpr int kBlocks = 4;  // registers of environments in flight

typedef float Float __attribute__((vector_size(kLanes * 4)));
typedef int32_t Int __attribute__((vector_size(kLanes * 4)));
typedef uint32_t Word __attribute__((vector_size(kLanes * 4)));

struct Block {
  Float x, v, angle, spin;
  Int steps;
  Word random;      // xorshift's state, or the environments' numbers
  Word actions[4];  // Philox: of these four steps
};

inline Word next(Word& s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s;
}

// The halves of x * by.
inline void multiply(Word x, uint32_t by, Word& high, Word& low) {
#if defined(__AVX512F__)
  const __m512i a = reinterpret_cast<__m512i>(x), b = _mm512_set1_epi64(by),
                even = _mm512_mul_epu32(a, b), odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), b);
  high = reinterpret_cast<Word>(_mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xAAAA, odd));
  low = reinterpret_cast<Word>(_mm512_mask_mov_epi32(even, 0xAAAA, _mm512_slli_epi64(odd, 32)));
#elif defined(__AVX2__)
  const __m256i a = reinterpret_cast<__m256i>(x), b = _mm256_set1_epi64x(by),
                even = _mm256_mul_epu32(a, b), odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), b);
  high = reinterpret_cast<Word>(_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA));
  low = reinterpret_cast<Word>(_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA));
#else
  for (int i = 0; i < kLanes; ++i) {
    const uint64_t product = uint64_t{x[i]} * by;
    high[i] = static_cast<uint32_t>(product >> 32), low[i] = static_cast<uint32_t>(product);
  }
#endif
}

// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.
inline void philox(Word environment, uint32_t step, uint32_t stream, Word (&words)[4]) {
  uint32_t key0 = 0x243F6A88U ^ stream, key1 = 0x85A308D3U;
  Word c0 = Word{} + step, c1{}, c2 = environment, c3{};
  for (int round = 0; round < 10; ++round) {
    Word high0, low0, high1, low1;
    multiply(c0, 0xD2511F53U, high0, low0);
    multiply(c2, 0xCD9E8D57U, high1, low1);
    c0 = high1 ^ c1 ^ key0, c1 = low1, c2 = high0 ^ c3 ^ key1, c3 = low0;
    key0 += 0x9E3779B9U, key1 += 0xBB67AE85U;
  }
  words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

inline bool any(Int mask) {
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask(reinterpret_cast<__m512i>(mask), reinterpret_cast<__m512i>(mask)) !=
         0;
#else
  int all = 0;
  for (int i = 0; i < kLanes; ++i) all |= mask[i];
  return all != 0;
#endif
}

// Uniform on [-0.05, 0.05).
inline Float start(Word word) {
  const Int bits = reinterpret_cast<Int>((word >> 9) | 0x3F800000U);
  return (reinterpret_cast<Float>(bits) - 1.5F) * 0.1F;
}

inline Float choose(Int mask, Float yes, Float no) {
  return reinterpret_cast<Float>((mask & reinterpret_cast<Int>(yes)) |
                                 (~mask & reinterpret_cast<Int>(no)));
}

inline Float absolute(Float x) {
  return reinterpret_cast<Float>(reinterpret_cast<Int>(x) & 0x7FFFFFFF);
}

template <bool kPhilox>
inline void reset(Block& e, Int where, uint32_t t) {
  Word words[4];
  if constexpr (kPhilox) {
    e.steps &= ~where;
    if (!any(where)) return;
    philox(e.random, t, 1, words);
  } else {
    for (Word& word : words) word = next(e.random);
    e.steps &= ~where;
  }
  e.x = choose(where, start(words[0]), e.x);
  e.v = choose(where, start(words[1]), e.v);
  e.angle = choose(where, start(words[2]), e.angle);
  e.spin = choose(where, start(words[3]), e.spin);
}

template <bool kPhilox>
inline Int step(Block& e, uint32_t t) {
  if (kPhilox && t % 4 == 0) philox(e.random, t / 4, 2, e.actions);
  const Word action = kPhilox ? e.actions[t % 4] : next(e.random);
  const Float push = choose(reinterpret_cast<Int>(action) < 0, Float{} + 10.0F, Float{} - 10.0F);
  const Float z = e.angle * e.angle;
  const Float sine = e.angle * (1.0F + z * (-1.0F / 6 + z * (1.0F / 120 + z * (-1.0F / 5040))));
  const Float cosine =
      1.0F + z * (-0.5F + z * (1.0F / 24 + z * (-1.0F / 720 + z * (1.0F / 40320))));
  const Float thrust = (push + 0.05F * e.spin * e.spin * sine) * (1.0F / 1.1F);
  const Float angular =
      (9.8F * sine - cosine * thrust) / (0.5F * (4.0F / 3.0F - (0.1F / 1.1F) * cosine * cosine));
  const Float acceleration = thrust - (0.05F / 1.1F) * angular * cosine;
  e.x += 0.02F * e.v;
  e.v += 0.02F * acceleration;
  e.angle += 0.02F * e.spin;
  e.spin += 0.02F * angular;
  e.steps += 1;
  const Int ended = (absolute(e.x) > 2.4F) | (absolute(e.angle) > 0.20943951F) | (e.steps >= 500);
  reset<kPhilox>(e, ended, t + 1);
  return ended;
}

// Environments first..last of all; returns how many episodes ended.
template <bool kPhilox>
int64_t rollout(int64_t first, int64_t last, int64_t horizon) {
  int64_t episodes = 0;
  for (int64_t at = first; at < last; at += kLanes * kBlocks) {
    Block blocks[kBlocks];
    Int ended[kBlocks] = {};
    for (int k = 0; k < kBlocks; ++k) {
      std::memset(&blocks[k], 0, sizeof(Block));
      for (int lane = 0; lane < kLanes; ++lane)
        blocks[k].random[lane] = 2654435761U * static_cast<uint32_t>(at + k * kLanes + lane + 1);
      reset<kPhilox>(blocks[k], Int{} - 1, 0);
    }
    for (int64_t t = 0; t < horizon; ++t)
      for (int k = 0; k < kBlocks; ++k)
        ended[k] -= step<kPhilox>(blocks[k], static_cast<uint32_t>(t));
    for (const Int& each : ended)
      for (int lane = 0; lane < kLanes; ++lane) episodes += each[lane];
  }
  return episodes;
}

int64_t argument(int argc, char** argv, const char* name, int64_t otherwise) {
  for (int k = 1; k + 1 < argc; ++k)
    if (std::strcmp(argv[k], name) == 0) return std::atoll(argv[k + 1]);
  return otherwise;
}

bool asksForPhilox(int argc, char** argv) {
  for (int k = 1; k + 1 < argc; ++k)
    if (std::strcmp(argv[k], "--draws") == 0) return std::strcmp(argv[k + 1], "philox") == 0;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t block = kLanes * kBlocks, threads = argument(argc, argv, "--threads", 1);
  const int64_t envs = (argument(argc, argv, "--envs", 1024) + block - 1) / block * block;
  const int64_t horizon = argument(argc, argv, "--horizon", 20000),
                repeats = argument(argc, argv, "--repeats", 5);
  const bool philox = asksForPhilox(argc, argv);
  std::vector<double> times;
  int64_t episodes = 0;
  for (int64_t repeat = 0; repeat <= repeats; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    std::vector<int64_t> counts(static_cast<size_t>(threads));
    for (int64_t k = 0; k < threads; ++k) {
      const int64_t from = envs / block * k / threads * block,
                    to = envs / block * (k + 1) / threads * block;
      workers.emplace_back([&counts, k, from, to, horizon, philox] {
        counts[static_cast<size_t>(k)] =
            philox ? rollout<true>(from, to, horizon) : rollout<false>(from, to, horizon);
      });
    }
    for (std::thread& worker : workers) worker.join();
    for (int64_t count : counts) episodes += count;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (repeat > 0) times.push_back(seconds);  // the first one warms up
  }
  std::sort(times.begin(), times.end());
  const double seconds = times[times.size() / 2], steps = static_cast<double>(envs * horizon);
  std::printf(
      "{\"rate\": %.6g, \"seconds\": %.6g, \"threads\": %d, \"version\": \"C++, %d lanes, %s\", "
      "\"episode\": %.2f}\n",
      steps / seconds, seconds, static_cast<int>(threads), kLanes, philox ? "Philox" : "xorshift",
      steps * static_cast<double>(repeats + 1) /
          static_cast<double>(std::max<int64_t>(episodes, 1)));
}
