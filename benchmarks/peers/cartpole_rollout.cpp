// CartPole-v1 with random actions as an expert writes it by hand: 16 (AVX-512) or 8 (AVX2)
// environments a register, several registers in flight, everything in registers, xorshift draws. An
// environment that ends starts again in the same step.
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
  Word random;
};

inline Word next(Word& s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s;
}

// Uniform on [-0.05, 0.05).
inline Float start(Word& s) {
  const Int bits = reinterpret_cast<Int>((next(s) >> 9) | 0x3F800000U);
  return (reinterpret_cast<Float>(bits) - 1.5F) * 0.1F;
}

inline Float choose(Int mask, Float yes, Float no) {
  return reinterpret_cast<Float>((mask & reinterpret_cast<Int>(yes)) |
                                 (~mask & reinterpret_cast<Int>(no)));
}

inline Float absolute(Float x) {
  return reinterpret_cast<Float>(reinterpret_cast<Int>(x) & 0x7FFFFFFF);
}

inline void reset(Block& e, Int where) {
  e.x = choose(where, start(e.random), e.x);
  e.v = choose(where, start(e.random), e.v);
  e.angle = choose(where, start(e.random), e.angle);
  e.spin = choose(where, start(e.random), e.spin);
  e.steps &= ~where;
}

inline Int step(Block& e) {
  const Float push =
      choose(reinterpret_cast<Int>(next(e.random)) < 0, Float{} + 10.0F, Float{} - 10.0F);
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
  reset(e, ended);
  return ended;
}

// Environments first..last of all; returns how many episodes ended.
int64_t rollout(int64_t first, int64_t last, int64_t horizon) {
  int64_t episodes = 0;
  for (int64_t at = first; at < last; at += kLanes * kBlocks) {
    Block blocks[kBlocks];
    Int ended[kBlocks] = {};
    for (int k = 0; k < kBlocks; ++k) {
      std::memset(&blocks[k], 0, sizeof(Block));
      for (int lane = 0; lane < kLanes; ++lane)
        blocks[k].random[lane] = 2654435761U * static_cast<uint32_t>(at + k * kLanes + lane + 1);
      reset(blocks[k], Int{} - 1);
    }
    for (int64_t t = 0; t < horizon; ++t)
      for (int k = 0; k < kBlocks; ++k) ended[k] -= step(blocks[k]);
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

}  // namespace

int main(int argc, char** argv) {
  const int64_t block = kLanes * kBlocks, threads = argument(argc, argv, "--threads", 1);
  const int64_t envs = (argument(argc, argv, "--envs", 1024) + block - 1) / block * block;
  const int64_t horizon = argument(argc, argv, "--horizon", 20000),
                repeats = argument(argc, argv, "--repeats", 5);
  std::vector<double> times;
  int64_t episodes = 0;
  for (int64_t repeat = 0; repeat <= repeats; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    std::vector<int64_t> counts(static_cast<size_t>(threads));
    for (int64_t k = 0; k < threads; ++k) {
      const int64_t from = envs / block * k / threads * block,
                    to = envs / block * (k + 1) / threads * block;
      workers.emplace_back([&counts, k, from, to, horizon] {
        counts[static_cast<size_t>(k)] = rollout(from, to, horizon);
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
      "{\"rate\": %.6g, \"seconds\": %.6g, \"threads\": %d, \"version\": \"C++, %d lanes\", "
      "\"episode\": %.2f}\n",
      steps / seconds, seconds, static_cast<int>(threads), kLanes,
      steps * static_cast<double>(repeats + 1) /
          static_cast<double>(std::max<int64_t>(episodes, 1)));
}
