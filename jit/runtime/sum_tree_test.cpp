#include "jit/runtime/sum_tree.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "jit/runtime/random.h"

namespace rlc::runtime {
namespace {

float uniform(int64_t i, const char* stream = "u") {
  return Stream(1, streamId(stream)).at({&i, 1}, 1).uniformF32(0);
}

// Splits work between threads that live for one call.
struct OnThreads {
  int threads;
  template <class Body>
  void operator()(int64_t count, Body body) const {
    std::vector<std::thread> running;
    for (int k = 0; k < threads; ++k) {
      running.emplace_back(
          [body, count, k, n = threads] { body(count * k / n, count * (k + 1) / n); });
    }
    for (std::thread& thread : running) thread.join();
  }
};

class SumTreeTest : public testing::TestWithParam<int> {};

TEST_P(SumTreeTest, samplesTheFirstPositionWhoseRunningSumExceedsTheTarget) {
  for (int64_t capacity : {1, 2, 3, 7, 16, 17, 255, 256, 257, 5000}) {
    SumTree tree(capacity, GetParam());
    for (int64_t i = 0; i < capacity; ++i)
      tree.update(i, static_cast<float>(i % 5));  // sums are exact integers
    if (capacity == 1) tree.update(0, 3.0f);
    double total = 0;
    for (int64_t i = 0; i < capacity; ++i) total += tree.priority(i);
    ASSERT_EQ(tree.total(), total);
    std::vector<float> u(500);
    for (size_t i = 0; i < u.size(); ++i) u[i] = uniform(static_cast<int64_t>(i));
    u[0] = 0.0f;
    u[1] = 0x1.fffffep-1f;
    std::vector<int32_t> got(u.size());
    tree.sample(u, got);
    for (size_t i = 0; i < u.size(); ++i) {
      int64_t want = 0;
      double running = tree.priority(0);
      while (running <= static_cast<double>(u[i] * tree.total()) && want + 1 < capacity)
        running += tree.priority(++want);
      ASSERT_EQ(got[i], want) << "capacity " << capacity << ", u " << u[i];
    }
  }
}

TEST_P(SumTreeTest, frequenciesFollowPriorities) {
  SumTree tree(1000, GetParam());
  std::vector<int32_t> positions(1000);
  std::vector<float> priorities(1000);
  std::iota(positions.begin(), positions.end(), 0);
  for (int i = 0; i < 1000; ++i) priorities[i] = i % 3 == 0 ? 0.0f : std::pow(uniform(i), 3.0f);
  tree.update(positions, priorities);
  std::vector<float> u(400000);
  for (size_t i = 0; i < u.size(); ++i) u[i] = uniform(static_cast<int64_t>(i), "v");
  std::vector<int32_t> got(u.size());
  tree.sample(u, got);
  std::vector<int64_t> counts(1000, 0);
  for (int32_t p : got) ++counts[p];
  double chi = 0;
  int cells = 0;
  for (int i = 0; i < 1000; ++i) {
    const double expected = double(u.size()) * priorities[i] / tree.total();
    if (priorities[i] == 0) {
      ASSERT_EQ(counts[i], 0);
    } else if (expected > 5) {
      chi += (counts[i] - expected) * (counts[i] - expected) / expected;
      ++cells;
    }
  }
  EXPECT_LT(std::fabs(chi - cells) / std::sqrt(2.0 * cells), 4.0);
}

TEST_P(SumTreeTest, sumsDoNotDrift) {
  SumTree tree(3000, GetParam());
  const int updates = std::getenv("RLC_EXHAUSTIVE") ? 100000000 : 300000;
  uint32_t state = 1;
  for (int i = 0; i < updates; ++i) {
    state = state * 1664525u + 1013904223u;
    tree.update(state % 3000, static_cast<float>(state >> 8) * ((state & 64) ? 1e-6f : 1e6f));
  }
  SumTree fresh(3000, GetParam());
  for (int64_t i = 0; i < 3000; ++i) fresh.update(i, tree.priority(i));
  EXPECT_EQ(tree.total(), fresh.total());
  const float before = tree.total();
  tree.rebuild();
  EXPECT_EQ(tree.total(), before);
}

TEST_P(SumTreeTest, threadsChangeNothing) {
  constexpr int n = 2000;
  SumTree serial(20000, GetParam());
  std::vector<int32_t> positions(n);
  std::vector<float> priorities(n), u(n);
  std::vector<int32_t> want(n), got(n);
  for (int i = 0; i < n; ++i) {
    positions[i] = static_cast<int32_t>(uniform(i) * 3000) * 6;  // with repetitions
    priorities[i] = uniform(i, "p");
    u[i] = uniform(i, "u2");
  }
  serial.update(positions, priorities);
  serial.sample(u, want);
  for (int threads : {2, 3, 16}) {
    SumTree tree(20000, GetParam());
    tree.update(positions, priorities, OnThreads{threads});
    EXPECT_EQ(tree.total(), serial.total());
    tree.sample(u, got, OnThreads{threads});
    EXPECT_EQ(got, want);
  }
}

INSTANTIATE_TEST_SUITE_P(Fanouts, SumTreeTest, testing::Values(2, 3, 4, 8, 16, 20, 32, 64));

TEST(SumTree, badPrioritiesAreHarmless) {
  SumTree tree(4);
  tree.update(0, std::nanf(""));
  tree.update(1, -5.0f);
  tree.update(2, HUGE_VALF);
  EXPECT_EQ(tree.priority(0), 0.0f);
  EXPECT_EQ(tree.priority(1), 0.0f);
  EXPECT_TRUE(std::isfinite(tree.total()));
  std::vector<float> u{0.0f, 0.5f, 0x1.fffffep-1f};
  std::vector<int32_t> got(3);
  tree.sample(u, got);
  EXPECT_EQ(got, (std::vector<int32_t>{2, 2, 2}));
}

TEST(SumTree, anEmptyTreeGivesPositionZero) {
  SumTree tree(100);
  std::vector<float> u{0.0f, 0.7f};
  std::vector<int32_t> got{-1, -1};
  tree.sample(u, got);
  EXPECT_EQ(got, (std::vector<int32_t>{0, 0}));
}

TEST(SumTree, ofEqualPositionsTheLastCounts) {
  SumTree tree(10);
  const std::vector<int32_t> positions{3, 4, 3};
  const std::vector<float> priorities{1.0f, 2.0f, 5.0f};
  tree.update(positions, priorities);
  EXPECT_EQ(tree.priority(3), 5.0f);
  EXPECT_EQ(tree.total(), 7.0f);
}

TEST(SumTree, neverSamplesZeroPriorityUnderRounding) {
  // Many tiny priorities beside large ones: the targets' roundings fall on group borders.
  SumTree tree(4096, 16);
  for (int i = 0; i < 4096; i += 3) tree.update(i, std::ldexp(1.0f, -(i % 40)));
  std::vector<float> u(1 << 18);
  for (size_t i = 0; i < u.size(); ++i) u[i] = static_cast<float>(i) * 0x1p-18f;
  u.back() = 0x1.fffffep-1f;
  std::vector<int32_t> got(u.size());
  tree.sample(u, got);
  for (int32_t p : got) ASSERT_GT(tree.priority(p), 0.0f) << p;
}

}  // namespace
}  // namespace rlc::runtime
