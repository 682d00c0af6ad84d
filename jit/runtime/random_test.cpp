#include "jit/runtime/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include "jit/runtime/philox_blocks.h"

namespace rlc::runtime {
namespace {

using Block = std::array<uint32_t, 4>;

TEST(Philox, givesTheKnownAnswersOfItsAuthors) {
  EXPECT_EQ(philox4x32<uint32_t>({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32<uint32_t>({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32<uint32_t>({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                 {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, givesManyBlocksAsOneByOne) {
  const std::array<uint32_t, 2> key{0xa4093822, 0x299f31d0}, outer{0x13198a2e, ~0u};
  for (uint64_t first : {uint64_t{0}, (uint64_t{1} << 32) - 5, ~uint64_t{0} - 2}) {
    for (size_t count : {0, 1, 3, 4, 5, 31, 64}) {
      std::vector<Block> blocks(count + 1, Block{1, 2, 3, 4});
      philoxBlocks(key, first, outer, count, blocks.data());
      for (size_t k = 0; k < count; ++k) {
        const uint64_t number = first + k;
        EXPECT_EQ(blocks[k],
                  philox4x32<uint32_t>({static_cast<uint32_t>(number),
                                        static_cast<uint32_t>(number >> 32), outer[0], outer[1]},
                                       key))
            << first << " " << k << " of " << count;
      }
      EXPECT_EQ(blocks[count], (Block{1, 2, 3, 4}));  // nothing behind them is written
    }
  }
}

const uint64_t kId = streamId("x");

DrawPoint pointAt(std::vector<int64_t> coordinates, int64_t elements = 1, uint64_t seed = 7) {
  return Stream(seed, kId).at(coordinates, elements);
}

TEST(RandomLayout, fourNeighboursOfTheInnermostIndexShareABlock) {
  const uint64_t key = streamKey(7, kId);
  const std::array<uint32_t, 2> words{static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};
  for (int64_t t : {-9, -4, -1, 0, 1, 2, 3, 4, 1000003}) {
    const int64_t block = t >> 2;
    const Block bits =
        philox4x32<uint32_t>({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                              static_cast<uint32_t>(-5), 11},
                             words);
    EXPECT_EQ(pointAt({11, -5, t}).uniformF32(0), static_cast<float>(bits[t & 3] >> 8) * 0x1p-24f)
        << t;
  }
}

TEST(RandomLayout, elementsFollowTheInnermostCoordinate) {
  EXPECT_EQ(pointAt({3, 5}, 6).uniformF32(4), pointAt({3, 34}, 1).uniformF32(0));
  EXPECT_EQ(pointAt({}, 6).uniformF32(4), pointAt({4}, 1).uniformF32(0));
  EXPECT_EQ(pointAt({0, 0, 2}).uniformF32(0),
            pointAt({2}).uniformF32(0));  // absent coordinates count as 0
}

TEST(RandomLayout, everyCoordinateMatters) {
  std::vector<float> seen;
  for (int position = 0; position < 6; ++position) {
    for (int64_t value : {-1, 1, 2}) {
      std::vector<int64_t> at(6, 0);
      at[position] = value;
      seen.push_back(pointAt(at).uniformF32(0));
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

TEST(RandomLayout, seedsAndNamesGiveStreamsOfTheirOwn) {
  EXPECT_NE(streamId("x"), streamId("y"));
  EXPECT_NE(streamKey(0, kId), streamKey(1, kId));
  EXPECT_NE(pointAt({0}, 1, 1).uniformF32(0), pointAt({0}, 1, 2).uniformF32(0));
}

// The values that docs/language.md prints.
TEST(RandomLayout, keepsItsWorkedValues) {
  EXPECT_EQ(streamId("x"), 0x2c782ac22891188eu);
  EXPECT_EQ(streamKey(7, kId), 0x0603dc687db6004cu);
  const float uniform[] = {0x1.8c15d6p-1f, 0x1.6be644p-2f, 0x1.01251p-2f,
                           0x1.64f6ep-3f,  0x1.6a13d4p-1f, 0x1.6fb50cp-2f};
  for (int t = -1; t < 5; ++t) EXPECT_EQ(pointAt({t}).uniformF32(0), uniform[t + 1]) << t;
  EXPECT_EQ(pointAt({1, 2, 3}, 3).uniformF32(2), 0x1.09bb98p-1f);
  EXPECT_EQ(pointAt({1, 2, 3, 4}).uniformF32(0), 0x1.3810eap-1f);
  EXPECT_EQ(pointAt({0}).uniformF64(0), 0x1.012510316be64p-2);
  EXPECT_EQ(pointAt({0}).normalF32(0), -0x1.4b1758p-7f);
  EXPECT_EQ(pointAt({1}).normalF32(0), -0x1.fcc12p-2f);
  EXPECT_EQ(pointAt({0}).normalF64(0), -0x1.c478cb1f7b04fp-2);
  EXPECT_EQ(pointAt({0}).gammaF32(0, 0.5f), 0x1.a31054p-2f);
  EXPECT_EQ(pointAt({0}).uniformInt(0, 0, 100), 35);
  EXPECT_EQ(pointAt({6}).categorical(0, std::vector<float>{0, 1, 2}), 0);
  std::array<int32_t, 8> order;
  pointAt({0}, 8).permutation(0, 8, order.data());
  EXPECT_EQ(order, (std::array<int32_t, 8>{6, 2, 1, 0, 4, 5, 7, 3}));
}

// ---- distributions ------------------------------------------------------------------------------

constexpr int kSamples = 200000;

// Kolmogorov and Smirnov's statistic times sqrt(n): above 2 with probability 7e-4.
double kolmogorov(const std::function<double(int)>& draw,
                  const std::function<double(double)>& cdf) {
  std::vector<double> x(kSamples);
  for (int i = 0; i < kSamples; ++i) x[i] = draw(i);
  std::sort(x.begin(), x.end());
  double worst = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double p = cdf(x[i]);
    worst = std::max(
        {worst, std::fabs(p - i / double(kSamples)), std::fabs(p - (i + 1) / double(kSamples))});
  }
  return worst * std::sqrt(double(kSamples));
}

// (chi-square - degrees) / sqrt(2 degrees): about a standard normal.
double chiSquare(const std::vector<int64_t>& counts, const std::vector<double>& probabilities) {
  const double total = double(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  double sum = 0;
  int cells = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double expected = total * probabilities[i];
    if (expected == 0) {
      EXPECT_EQ(counts[i], 0);
      continue;
    }
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    ++cells;
  }
  return (sum - (cells - 1)) / std::sqrt(2.0 * (cells - 1));
}

double normalCdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(Distributions, uniformIsUniform) {
  EXPECT_LT(
      kolmogorov([](int i) { return pointAt({1, i}).uniformF32(0); }, [](double x) { return x; }),
      2.0);
  EXPECT_LT(
      kolmogorov([](int i) { return pointAt({i, 1}).uniformF64(0); }, [](double x) { return x; }),
      2.0);
  EXPECT_LT(kolmogorov([](int i) { return pointAt({i, 0, 0, 1}).uniformF32(0); },
                       [](double x) { return x; }),
            2.0);
  EXPECT_LT(kolmogorov([](int i) { return pointAt({5}, kSamples).uniformF32(i); },
                       [](double x) { return x; }),
            2.0);
}

TEST(Distributions, neighboursAreIndependent) {
  std::vector<int64_t> counts(64 * 64, 0);
  for (int i = 0; i < kSamples; ++i) {
    ++counts[int(pointAt({i}).uniformF32(0) * 64) * 64 + int(pointAt({i + 1}).uniformF32(0) * 64)];
  }
  EXPECT_LT(std::fabs(chiSquare(counts, std::vector<double>(4096, 1 / 4096.0))), 4.0);
}

TEST(Distributions, normalIsNormal) {
  EXPECT_LT(kolmogorov([](int i) { return pointAt({1, i}).normalF32(0); }, normalCdf), 2.0);
  EXPECT_LT(kolmogorov([](int i) { return pointAt({2, i}).normalF64(0); }, normalCdf), 2.0);
}

TEST(Distributions, normalIsFiniteForAllBits) {
  for (uint32_t radius : {0u, 1u, ~0u, 0x7fffffffu, 0x80000000u}) {
    for (uint32_t angle :
         {0u, 0x40000000u, 0x80000000u, 0xc0000000u, 0xe0000000u, 0x20000000u, ~0u}) {
      EXPECT_TRUE(std::isfinite(normalFromWords<math::F32>(radius, angle)));
      EXPECT_LE(std::fabs(normalFromWords<math::F32>(radius, angle)), 6.7f);
      EXPECT_TRUE(
          std::isfinite(normalFromWords<math::F64>(uint64_t{radius} << 32, uint64_t{angle} << 32)));
    }
  }
  EXPECT_NEAR(normalFromWords<math::F32>(0x80000000u, 0x80000000u), -std::sqrt(2 * std::log(2.0)),
              1e-6);
  EXPECT_NEAR(normalFromWords<math::F32>(0x80000000u, 0x40000000u), 0.0, 1e-7);
}

TEST(Distributions, uniformIntCoversItsRangeEvenly) {
  std::vector<int64_t> counts(7, 0);
  for (int i = 0; i < kSamples; ++i) {
    const int32_t k = pointAt({i}).uniformInt(0, -3, 4);
    ASSERT_GE(k, -3);
    ASSERT_LT(k, 4);
    ++counts[k + 3];
  }
  EXPECT_LT(std::fabs(chiSquare(counts, std::vector<double>(7, 1 / 7.0))), 4.0);
  EXPECT_EQ(pointAt({0}).uniformInt(0, 5, 6), 5);
  EXPECT_EQ(uniformIntFromWord<uint32_t>(~0u, 0x80000000u, 0x7fffffffu),
            0x7ffffffeu);  // the whole range but one
}

TEST(Distributions, categoricalFollowsItsLogits) {
  const std::vector<float> logits{0.5f, -1.0f, 2.0f, -HUGE_VALF, 0.0f};
  std::vector<double> p;
  for (float l : logits) p.push_back(std::exp(double(l)));
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& q : p) q /= total;
  std::vector<int64_t> counts(5, 0);
  for (int i = 0; i < kSamples; ++i) ++counts[pointAt({i}).categorical(0, logits)];
  EXPECT_LT(std::fabs(chiSquare(counts, p)), 4.0);
}

TEST(Distributions, categoricalNeverReturnsAnImpossibleClass) {
  const float inf = HUGE_VALF;
  EXPECT_EQ(categoricalFromUniform(0.0f, std::vector<float>{-inf, 3.0f, -inf}), 1);
  EXPECT_EQ(categoricalFromUniform(0x1.fffffep-1f, std::vector<float>{-inf, 3.0f, -inf}), 1);
  EXPECT_EQ(categoricalFromUniform(0x1.fffffep-1f, std::vector<float>{1.0f, -200.0f}), 0);
  EXPECT_EQ(categoricalFromUniform(0.3f, std::vector<float>{std::nanf(""), 0.0f}), 0);
}

// The regularized lower incomplete gamma function, by its series.
double gammaCdf(double a, double x) {
  double term = 1 / a, sum = term;
  for (int k = 1; k < 2000; ++k) sum += term *= x / (a + k);
  return x <= 0 ? 0 : sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}

TEST(Distributions, gammaIsGamma) {
  for (double shape : {0.1, 0.7, 1.0, 2.5, 40.0}) {
    EXPECT_LT(kolmogorov([&](int i) { return pointAt({i}).gammaF32(0, float(shape)); },
                         [&](double x) { return gammaCdf(float(shape), x); }),
              2.0)
        << shape;
  }
}

TEST(Distributions, permutationsAreEquallyLikely) {
  std::map<std::vector<int32_t>, int64_t> seen;
  std::vector<int32_t> p(4);
  const int draws = 48000;
  for (int i = 0; i < draws; ++i) {
    pointAt({i}, 4).permutation(0, 4, p.data());
    ++seen[p];
  }
  ASSERT_EQ(seen.size(), 24u);
  std::vector<int64_t> counts;
  for (const auto& [key, count] : seen) counts.push_back(count);
  EXPECT_LT(std::fabs(chiSquare(counts, std::vector<double>(24, 1 / 24.0))), 4.0);
}

TEST(Distributions, permutationsOfPartsOfATensorHaveTheirElementsDraws) {
  for (int64_t first : {0, 1, 2, 3, 1021, 1022}) {
    for (int64_t n : {1, 2, 3, 4, 5, 1023, 1024, 1025, 2050}) {
      std::vector<int32_t> p(static_cast<size_t>(n)), sorted(p);
      pointAt({3}, 4096).permutation(first, n, p.data());
      std::iota(sorted.begin(), sorted.end(), 0);
      std::stable_sort(sorted.begin(), sorted.end(), [&](int32_t a, int32_t b) {
        return pointAt({3}, 4096).uniformF32(first + a) < pointAt({3}, 4096).uniformF32(first + b);
      });
      EXPECT_EQ(p, sorted) << first << " " << n;
    }
  }
}

TEST(Distributions, permutationsOfEverySizeAreComplete) {
  for (int64_t n : {0, 1, 2, 3, 511, 512, 5000, 16384, 16385, 40000, 300000}) {
    std::vector<int32_t> p(2 * n, -1);
    pointAt({3}, n).permutation(0, n, p.data(), 2);
    std::vector<bool> seen(n, false);
    for (int64_t k = 0; k < n; ++k) seen[p[2 * k]] = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), n);
    // In the order of the elements' uniforms, whatever sorts them.
    for (int64_t k = 1; k < n; ++k) {
      EXPECT_LE(pointAt({3}, n).uniformF32(p[2 * k - 2]), pointAt({3}, n).uniformF32(p[2 * k]));
    }
  }
}

}  // namespace
}  // namespace rlc::runtime
