// Learning from shuffled minibatches as an expert writes it by hand for AVX-512: a network of
// 4-64-64-1 with tangents, the gradient of its squared error, and a step of gradient descent.
//
// A register holds 16 units of a layer, four of them a layer; a tile is 24 registers of sums, of
// six samples forward and backward and of six rows of the gradient. Samples are taken 48 at a time,
// whose activations and the weights stay in the second level's cache at most. All sizes are known
// to the compiler. tanh is the formula that rlc has, a polynomial for exp and one division.
//
// Prints JSON: samples per second, or what the machine lacks.
#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#if defined(__AVX512F__)
#include <immintrin.h>

namespace {

constexpr int kInputs = 4, kUnits = 64, kVectors = kUnits / 16, kRows = 6, kSamples = 48;

inline __m512 all(float x) { return _mm512_set1_ps(x); }

inline __m512 tangent(__m512 x) {
  const __m512 a = _mm512_min_ps(all(10.0F), _mm512_abs_ps(x));
  const __m512 magic = all(12582912.0F + 127.0F);
  const __m512 shifted = _mm512_fmadd_ps(a, all(-2.885390082F), magic);
  const __m512 r = _mm512_fmsub_ps(_mm512_sub_ps(shifted, magic), all(-0.3465735903F), a);
  const __m512 power = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(shifted), 23));
  __m512 q = _mm512_fmadd_ps(all(0.04453670F), r, all(0.13388296F));
  q = _mm512_fmadd_ps(q, r, all(0.33333290F));
  q = _mm512_fmadd_ps(q, r, all(0.66666138F));
  q = _mm512_fmadd_ps(q, r, all(1.0F));
  const __m512 p = _mm512_fmadd_ps(_mm512_mul_ps(r, r), q, r);
  const __m512 h = _mm512_fmadd_ps(power, p, _mm512_fmadd_ps(power, all(0.5F), all(-0.5F)));
  const __m512 t = _mm512_div_ps(h, _mm512_add_ps(h, all(1.0F)));
  return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(  // with the sign of x
      _mm512_castps_si512(t), _mm512_set1_epi32(INT32_MIN), _mm512_castps_si512(x), 0xB8));
}

struct Weights {  // and gradients; of the first layer transposed
  alignas(64) float w1[kInputs][kUnits], c1[kUnits], w2[kUnits][kUnits], c2[kUnits], w3[kUnits];
  float c3 = 0;
};

struct Sample {
  float x[kInputs], y, unused[3];
};

typedef float Units[kUnits];

// sums[i] += the sum over k of factor(i, k) * rows[k].
template <int kHeight, class Factor>
inline void addProducts(__m512 (&sums)[kHeight][kVectors], int steps, const Units* rows,
                        const Factor& factor) {
#pragma GCC unroll 1
  for (int k = 0; k < steps; ++k) {
    __m512 row[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) row[v] = _mm512_load_ps(rows[k] + 16 * v);
#pragma GCC unroll 8
    for (int i = 0; i < kHeight; ++i)
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        sums[i][v] = _mm512_fmadd_ps(all(factor(i, k)), row[v], sums[i][v]);
  }
}

// y[s] = the sum over k of x[s][k] * w[k], and what becomes of it.
template <int kHeight, class Start, class End>
inline void tile(const Units* x, const Units* w, Units* y, const Start& start, const End& end) {
  __m512 sums[kHeight][kVectors];
#pragma GCC unroll 8
  for (int s = 0; s < kHeight; ++s)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[s][v] = start(v);
  addProducts<kHeight>(sums, kUnits, w, [&](int s, int k) { return x[s][k]; });
#pragma GCC unroll 8
  for (int s = 0; s < kHeight; ++s)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) _mm512_store_ps(y[s] + 16 * v, end(s, v, sums[s][v]));
}

// g[j] += the sum over s of d[s][j] * x[s].
template <int kHeight>
inline void outer(const Units* d, const Units* x, int j, Units* g) {
  __m512 sums[kHeight][kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kHeight; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[i][v] = _mm512_load_ps(g[j + i] + 16 * v);
  addProducts<kHeight>(sums, kSamples, x, [&](int i, int s) { return d[s][j + i]; });
#pragma GCC unroll 8
  for (int i = 0; i < kHeight; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) _mm512_store_ps(g[j + i] + 16 * v, sums[i][v]);
}

// [i] the sum over the lanes of rows[i].
inline __m512 sumsOfLanes(const __m512* rows) {
  __m512 two[8], four[4];
  for (int i = 0; i < 8; ++i)
    two[i] = _mm512_add_ps(_mm512_unpacklo_ps(rows[2 * i], rows[2 * i + 1]),
                           _mm512_unpackhi_ps(rows[2 * i], rows[2 * i + 1]));
  for (int i = 0; i < 4; ++i)
    four[i] = _mm512_add_ps(_mm512_shuffle_ps(two[2 * i], two[2 * i + 1], 0x44),
                            _mm512_shuffle_ps(two[2 * i], two[2 * i + 1], 0xEE));
  const auto halves = [](__m512 a, __m512 b) {
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xDD));
  };
  return halves(halves(four[0], four[1]), halves(four[2], four[3]));
}

// Adds the gradient of 0.5 (net(x) - y)^2, summed over the samples, whose number is a multiple of
// kSamples.
class Learner {
 public:
  Weights gradient{};

  void add(const Weights& w, const Units* transposed, const Sample* data, const int32_t* order,
           int64_t count) {
    for (int64_t first = 0; first < count; first += kSamples) {
      const Sample* samples[kSamples];
      for (int s = 0; s < kSamples; ++s) samples[s] = data + order[first + s];
      forward(w, transposed, samples);
      backward(w, samples);
    }
  }

 private:
  void forward(const Weights& w, const Units* transposed, const Sample* const* samples) {
    for (int s = 0; s < kSamples; ++s)
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        __m512 sum = _mm512_load_ps(w.c1 + 16 * v);
#pragma GCC unroll 4
        for (int k = 0; k < kInputs; ++k)
          sum = _mm512_fmadd_ps(all(samples[s]->x[k]), _mm512_load_ps(w.w1[k] + 16 * v), sum);
        _mm512_store_ps(h1_[s] + 16 * v, tangent(sum));
      }
    for (int s = 0; s < kSamples; s += kRows)
      tile<kRows>(
          h1_ + s, transposed, h2_ + s, [&](int v) { return _mm512_load_ps(w.c2 + 16 * v); },
          [](int, int, __m512 sum) { return tangent(sum); });
    for (int s = 0; s < kSamples; s += 16) {
      __m512 rows[16];
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) {
        rows[i] = _mm512_mul_ps(_mm512_load_ps(w.w3), _mm512_load_ps(h2_[s + i]));
        for (int v = 1; v < kVectors; ++v)
          rows[i] = _mm512_fmadd_ps(_mm512_load_ps(w.w3 + 16 * v),
                                    _mm512_load_ps(h2_[s + i] + 16 * v), rows[i]);
      }
      _mm512_store_ps(error_ + s, _mm512_add_ps(sumsOfLanes(rows), all(w.c3)));
    }
    for (int s = 0; s < kSamples; ++s) error_[s] -= samples[s]->y;
  }

  void backward(const Weights& w, const Sample* const* samples) {
    const auto slope = [](__m512 h) { return _mm512_fnmadd_ps(h, h, all(1.0F)); };
    for (int v = 0; v < kVectors; ++v) {
      const __m512 w3 = _mm512_load_ps(w.w3 + 16 * v);
      __m512 g3 = _mm512_load_ps(gradient.w3 + 16 * v), c2 = _mm512_load_ps(gradient.c2 + 16 * v);
      for (int s = 0; s < kSamples; ++s) {
        const __m512 h = _mm512_load_ps(h2_[s] + 16 * v), e = all(error_[s]);
        const __m512 d = _mm512_mul_ps(_mm512_mul_ps(e, w3), slope(h));
        g3 = _mm512_fmadd_ps(e, h, g3);
        c2 = _mm512_add_ps(c2, d);
        _mm512_store_ps(d2_[s] + 16 * v, d);
      }
      _mm512_store_ps(gradient.w3 + 16 * v, g3);
      _mm512_store_ps(gradient.c2 + 16 * v, c2);
    }
    for (float e : error_) gradient.c3 += e;
    for (int s = 0; s < kSamples; s += kRows)
      tile<kRows>(
          d2_ + s, w.w2, d1_ + s, [](int) { return _mm512_setzero_ps(); },
          [&](int i, int v, __m512 sum) {
            return _mm512_mul_ps(sum, slope(_mm512_load_ps(h1_[s + i] + 16 * v)));
          });
    int j = 0;
    for (; j + kRows <= kUnits; j += kRows) outer<kRows>(d2_, h1_, j, gradient.w2);
    outer<kUnits % kRows>(d2_, h1_, j, gradient.w2);
    firstLayer(samples);
  }

  void firstLayer(const Sample* const* samples) {
    __m512 sums[kInputs + 1][kVectors];
    for (int v = 0; v < kVectors; ++v) {
      for (int k = 0; k < kInputs; ++k) sums[k][v] = _mm512_load_ps(gradient.w1[k] + 16 * v);
      sums[kInputs][v] = _mm512_load_ps(gradient.c1 + 16 * v);
    }
#pragma GCC unroll 1
    for (int s = 0; s < kSamples; ++s)
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const __m512 d = _mm512_load_ps(d1_[s] + 16 * v);
#pragma GCC unroll 4
        for (int k = 0; k < kInputs; ++k)
          sums[k][v] = _mm512_fmadd_ps(all(samples[s]->x[k]), d, sums[k][v]);
        sums[kInputs][v] = _mm512_add_ps(sums[kInputs][v], d);
      }
    for (int v = 0; v < kVectors; ++v) {
      for (int k = 0; k < kInputs; ++k) _mm512_store_ps(gradient.w1[k] + 16 * v, sums[k][v]);
      _mm512_store_ps(gradient.c1 + 16 * v, sums[kInputs][v]);
    }
  }

  alignas(64) Units h1_[kSamples], h2_[kSamples], d2_[kSamples], d1_[kSamples];
  alignas(64) float error_[kSamples];
};

int64_t argument(int argc, char** argv, const char* name, int64_t otherwise) {
  for (int k = 1; k + 1 < argc; ++k)
    if (std::strcmp(argv[k], name) == 0) return std::atoll(argv[k + 1]);
  return otherwise;
}

uint64_t next(uint64_t& state) {  // xorshift
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

float uniform(uint64_t& state, float bound) {
  return bound * (static_cast<float>(next(state) >> 40) * 0x1p-23F - 1.0F);
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t threads = argument(argc, argv, "--threads", 1), part = kSamples * threads,
                minibatch = argument(argc, argv, "--minibatch", 8192) / part * part,
                updates = argument(argc, argv, "--samples", 32768) / minibatch,
                epochs = argument(argc, argv, "--epochs", 32),
                repeats = argument(argc, argv, "--repeats", 5);
  const int64_t samples = updates * minibatch;
  uint64_t random = 88172645463325252U;
  std::vector<Sample> data(static_cast<size_t>(samples));
  for (Sample& each : data) {
    for (float& x : each.x) x = uniform(random, 1.0F);
    each.y = each.x[0] * each.x[1] - each.x[2];
  }
  auto w = std::make_unique<Weights>();
  for (Units& row : w->w1)
    for (float& x : row) x = uniform(random, 0.9F);
  for (Units& row : w->w2)
    for (float& x : row) x = uniform(random, 0.3F);
  for (float& x : w->w3) x = uniform(random, 0.2F);
  std::vector<int32_t> order(static_cast<size_t>(samples));
  alignas(64) static Units transposed[kUnits];
  std::vector<std::unique_ptr<Learner>> learners;
  for (int64_t k = 0; k < threads; ++k) learners.push_back(std::make_unique<Learner>());

  double loss = 0;
  std::vector<double> times;
  for (int64_t repeat = 0; repeat <= repeats; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    std::barrier<> meet(threads);
    const auto run = [&](int64_t self) {
      Learner& own = *learners[static_cast<size_t>(self)];
      for (int64_t e = 0; e < epochs; ++e)
        for (int64_t u = 0; u < updates; ++u) {
          if (self == 0) {
            if (u == 0) {
              std::iota(order.begin(), order.end(), 0);
              for (size_t i = order.size() - 1; i > 0; --i)
                std::swap(order[i], order[next(random) % (i + 1)]);
            }
            for (int j = 0; j < kUnits; ++j)
              for (int k = 0; k < kUnits; ++k) transposed[k][j] = w->w2[j][k];
          }
          own.gradient = Weights{};
          meet.arrive_and_wait();
          const int64_t count = minibatch / threads;
          own.add(*w, transposed, data.data(), order.data() + u * minibatch + self * count, count);
          meet.arrive_and_wait();
          if (self == 0) {
            float* const to = &w->w1[0][0];
            for (const auto& learner : learners) {
              const float* const from = &learner->gradient.w1[0][0];
              for (size_t k = 0; k < offsetof(Weights, c3) / sizeof(float); ++k)
                to[k] -= 1e-2F / static_cast<float>(minibatch) * from[k];
              w->c3 -= 1e-2F / static_cast<float>(minibatch) * learner->gradient.c3;
            }
          }
        }
    };
    std::vector<std::thread> others;
    for (int64_t k = 1; k < threads; ++k) others.emplace_back(run, k);
    run(0);
    for (std::thread& other : others) other.join();
    if (repeat > 0)  // the first one warms up
      times.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  for (const auto& learner : learners) loss += std::abs(learner->gradient.c3);
  std::sort(times.begin(), times.end());
  const double seconds = times[times.size() / 2];
  std::printf(
      "{\"rate\": %.6g, \"seconds\": %.6g, \"threads\": %d, \"version\": \"C++, AVX-512\", "
      "\"bias\": %.4g}\n",
      static_cast<double>(samples * epochs) / seconds, seconds, static_cast<int>(threads),
      loss / static_cast<double>(minibatch));
}

#else

int main() {
  std::puts("{\"needs\": \"AVX-512\"}");
  return 0;
}

#endif
