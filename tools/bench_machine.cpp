// rlc bench machine: what the processor and the memory can do at most, measured.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <numeric>
#include <thread>

#include "tools/bench.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace rlc::tools {

namespace {

// Independent chains of FMAs, as many as hide the latency (of four or five cycles, two or four
// units) and leave registers for the factor and the summand. Each function returns the FLOP that it
// did.
#if defined(__ARM_NEON)
constexpr int kChains = 24;  // of 32 registers
#else
constexpr int kChains512 = 24;  // of 32
constexpr int kChains = 12;     // of 16
#endif
constexpr int kRounds = 2'000'000;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) double chains512(float& out, int rounds) {
  __m512 sum[kChains512];
  for (int k = 0; k < kChains512; ++k) sum[k] = _mm512_set1_ps(static_cast<float>(k));
  const __m512 a = _mm512_set1_ps(0.999F), b = _mm512_set1_ps(out);
  for (int round = 0; round < rounds; ++round)
#pragma GCC unroll 24
    for (int k = 0; k < kChains512; ++k) sum[k] = _mm512_fmadd_ps(sum[k], a, b);
  for (int k = 1; k < kChains512; ++k) sum[0] = _mm512_add_ps(sum[0], sum[k]);
  out = _mm512_cvtss_f32(sum[0]);
  return 2.0 * 16 * kChains512 * rounds;
}

__attribute__((target("avx2,fma"))) double chains256(float& out, int rounds) {
  __m256 sum[kChains];
  for (int k = 0; k < kChains; ++k) sum[k] = _mm256_set1_ps(static_cast<float>(k));
  const __m256 a = _mm256_set1_ps(0.999F), b = _mm256_set1_ps(out);
  for (int round = 0; round < rounds; ++round)
#pragma GCC unroll 12
    for (int k = 0; k < kChains; ++k) sum[k] = _mm256_fmadd_ps(sum[k], a, b);
  for (int k = 1; k < kChains; ++k) sum[0] = _mm256_add_ps(sum[0], sum[k]);
  out = _mm256_cvtss_f32(sum[0]);
  return 2.0 * 8 * kChains * rounds;
}

// Without FMA: a multiplication and an addition.
double chainsBase(float& out, int rounds) {
  __m128 sum[kChains];
  for (int k = 0; k < kChains; ++k) sum[k] = _mm_set1_ps(static_cast<float>(k));
  const __m128 a = _mm_set1_ps(0.999F), b = _mm_set1_ps(out);
  for (int round = 0; round < rounds; ++round)
#pragma GCC unroll 12
    for (int k = 0; k < kChains; ++k) sum[k] = _mm_add_ps(_mm_mul_ps(sum[k], a), b);
  for (int k = 1; k < kChains; ++k) sum[0] = _mm_add_ps(sum[0], sum[k]);
  out = _mm_cvtss_f32(sum[0]);
  return 2.0 * 4 * kChains * rounds;
}

// Of pairs of bf16.
__attribute__((target("avx512f,avx512bf16"))) double pairChains(float& out, int rounds) {
  __m512 sum[kChains512];
  for (int k = 0; k < kChains512; ++k) sum[k] = _mm512_set1_ps(static_cast<float>(k));
  const __m512bh a = _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.999F), _mm512_set1_ps(0.001F)),
                 b = _mm512_cvtne2ps_pbh(_mm512_set1_ps(out), _mm512_set1_ps(out));
  for (int round = 0; round < rounds; ++round)
#pragma GCC unroll 24
    for (int k = 0; k < kChains512; ++k) sum[k] = _mm512_dpbf16_ps(sum[k], a, b);
  for (int k = 1; k < kChains512; ++k) sum[0] = _mm512_add_ps(sum[0], sum[k]);
  out = _mm512_cvtss_f32(sum[0]);
  return 4.0 * 16 * kChains512 * rounds;
}

bool hasPairs() { return __builtin_cpu_supports("avx512bf16"); }

double chains(float& out, int rounds) {
  if (__builtin_cpu_supports("avx512f")) return chains512(out, rounds);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return chains256(out, rounds);
  return chainsBase(out, rounds);
}
#elif defined(__ARM_NEON)
double chains(float& out, int rounds) {
  float32x4_t sum[kChains];
  for (int k = 0; k < kChains; ++k) sum[k] = vdupq_n_f32(static_cast<float>(k));
  const float32x4_t a = vdupq_n_f32(0.999F), b = vdupq_n_f32(out);
  for (int round = 0; round < rounds; ++round)
#pragma GCC unroll 24
    for (int k = 0; k < kChains; ++k) sum[k] = vfmaq_f32(b, sum[k], a);
  for (int k = 1; k < kChains; ++k) sum[0] = vaddq_f32(sum[0], sum[k]);
  out = vgetq_lane_f32(sum[0], 0);
  return 2.0 * 4 * kChains * rounds;
}
#else
double chains(float& out, int rounds) {
  float sum[kChains];
  std::iota(sum, sum + kChains, 0.0F);
  for (int round = 0; round < rounds; ++round)
    for (float& each : sum) each = each * 0.999F + out;
  out = std::accumulate(sum, sum + kChains, 0.0F);
  return 2.0 * kChains * rounds;
}
#endif

#if !defined(__x86_64__)
bool hasPairs() { return false; }

double pairChains(float&, int) { return 0; }
#endif

// Each thread runs body(thread); the time is from the first start to the last end.
void onThreads(int threads, const std::function<void(int)>& body) {
  std::vector<std::thread> others;
  for (int k = 1; k < threads; ++k) others.emplace_back(body, k);
  body(0);
  for (std::thread& other : others) other.join();
}

using Chains = double (*)(float& out, int rounds);

// FLOP of all threads together.
double chainsOn(int threads, int rounds, Chains run) {
  std::vector<double> done(static_cast<size_t>(threads));
  std::vector<float> kept(static_cast<size_t>(threads), 1e-3F);
  onThreads(threads, [&](int k) {
    done[static_cast<size_t>(k)] = run(kept[static_cast<size_t>(k)], rounds);
  });
  volatile float sum = std::accumulate(kept.begin(), kept.end(), 0.0F);
  static_cast<void>(sum);
  return std::accumulate(done.begin(), done.end(), 0.0);
}

double rateOf(Chains run, int threads) {
  double flops = 0;
  const auto times = timesOf(7, [&] { flops = chainsOn(threads, kRounds, run); });
  return flops / times.front();  // the limit: the fastest run, not the usual one
}

// Sums of 64-bit words, in as many chains as keep loads in flight.
constexpr size_t kWords = size_t{1} << 25;  // 256 MiB

uint64_t sumOf(const uint64_t* words, size_t count) {
  uint64_t sum[16] = {};
  for (size_t at = 0; at + 16 <= count; at += 16)
    for (size_t k = 0; k < 16; ++k) sum[k] += words[at + k];
  return std::accumulate(sum, sum + 16, uint64_t{0});
}

double readRate(int threads) {
  const size_t share = kWords / static_cast<size_t>(threads) / 16 * 16;
  std::vector<uint64_t> words(share * static_cast<size_t>(threads), 1);
  const auto times = timesOf(5, [&] {
    std::vector<uint64_t> sums(static_cast<size_t>(threads));
    onThreads(threads, [&](int k) {
      sums[static_cast<size_t>(k)] = sumOf(words.data() + share * static_cast<size_t>(k), share);
    });
    volatile uint64_t sum = std::accumulate(sums.begin(), sums.end(), uint64_t{0});
    static_cast<void>(sum);
  });
  return static_cast<double>(words.size() * sizeof(uint64_t)) / times.front();
}

bool canSignal(int threads) {  // both threads wait awake
  return threads > 1 && std::thread::hardware_concurrency() > 1;
}

// Seconds for a signal from one thread to another and one back: on processors of several parts,
// many times as long from part to part, and the system may move threads at any time. Where threads
// have to share a core, a signal takes as long as the system lets one of them run.
Spread signalTimes() {
  using Clock = std::chrono::steady_clock;
  constexpr int kSignals = 16;  // from look to look at the clock
  constexpr auto kEnough = std::chrono::milliseconds(2);
  std::atomic<int> signal{0};
  std::thread other([&] {
    for (int seen = 0; seen >= 0;) {
      seen = signal.load(std::memory_order_acquire);
      if (seen % 2 == 1) signal.store(seen + 1, std::memory_order_release);
    }
  });
  std::vector<double> times;
  for (int run = 0; run < 6; ++run) {
    int sent = 0;
    const auto start = Clock::now();
    do {
      for (int k = 0; k < kSignals; ++k, ++sent) {
        signal.store(1, std::memory_order_release);
        while (signal.load(std::memory_order_acquire) == 1) continue;
      }
    } while (Clock::now() - start < kEnough);
    if (run > 0)  // the first one waits for the thread's start
      times.push_back(std::chrono::duration<double>(Clock::now() - start).count() / sent);
  }
  signal.store(-1, std::memory_order_release);
  other.join();
  return spreadOf(times);
}

// Whether two threads compute hardly more than one: the system may put them on one core, whose
// units they share then, and where a signal is quickest.
bool onOneCore() {
  constexpr int kShort = kRounds / 5;
  const auto seconds = [](int threads) {
    return timesOf(3, [&] { chainsOn(threads, kShort, chains); }).front();
  };
  return seconds(2) > 1.5 * seconds(1);
}

}  // namespace

const MachinePeaks& machinePeaks(int threads) {
  static const MachinePeaks peaks = [&] {
    MachinePeaks measured;
    measured.flopsOneThread = rateOf(chains, 1);
    measured.bytesOneThread = readRate(1);
    measured.flops = threads == 1 ? measured.flopsOneThread : rateOf(chains, threads);
    if (hasPairs()) {
      measured.pairFlopsOneThread = rateOf(pairChains, 1);
      measured.pairFlops = threads == 1 ? measured.pairFlopsOneThread : rateOf(pairChains, threads);
    }
    measured.bytes = threads == 1 ? measured.bytesOneThread : readRate(threads);
    return measured;
  }();
  return peaks;
}

void awaitNearThreads(int threads) {
  constexpr auto kPause = std::chrono::milliseconds(100);
  constexpr int kMostAtOnce = 80;
  static double least = std::numeric_limits<double>::infinity();
  static int pauses = 300;  // that are left to this process
  if (!canSignal(threads)) return;
  for (int paused = 0;; ++paused) {
    const bool apart = !onOneCore();
    const double now = signalTimes().median;
    if (apart) least = std::min(least, now);
    if ((apart && now <= 2 * least) || paused == kMostAtOnce || pauses == 0) return;
    std::this_thread::sleep_for(kPause);
    --pauses;
  }
}

void benchMachine(const BenchSettings& settings, std::ostream& out) {
  BenchTable table(out, settings, "The machine's limits",
                   {"limit", "one thread", std::to_string(settings.threads) + " threads"});
  if (wanted(settings, "signal") && canSignal(settings.threads)) {
    const Spread signal = signalTimes();
    table.row({"signal from thread to thread and back", "",
               digits(signal.median * 1e9, 3) + " ns " + spreadText(signal, 1e9, "run")},
              {{"all", signal.median}});
  }
  if (!wanted(settings, "fma") && !wanted(settings, "memory")) return;
  const MachinePeaks& peaks = machinePeaks(settings.threads);
  if (wanted(settings, "fma"))
    table.row({"fma f32", withPrefix(peaks.flopsOneThread) + "FLOP/s",
               withPrefix(peaks.flops) + "FLOP/s"},
              {{"one", peaks.flopsOneThread}, {"all", peaks.flops}});
  if (wanted(settings, "fma") && peaks.pairFlops > 0)
    table.row({"fma of pairs of bf16", withPrefix(peaks.pairFlopsOneThread) + "FLOP/s",
               withPrefix(peaks.pairFlops) + "FLOP/s"},
              {{"one", peaks.pairFlopsOneThread}, {"all", peaks.pairFlops}});
  if (wanted(settings, "memory"))
    table.row(
        {"memory read", withPrefix(peaks.bytesOneThread) + "B/s", withPrefix(peaks.bytes) + "B/s"},
        {{"one", peaks.bytesOneThread}, {"all", peaks.bytes}});
}

}  // namespace rlc::tools
