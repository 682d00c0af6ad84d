// What compiled code calls.
#include "jit/host/calls.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "jit/host/team.h"
#include "jit/runtime/sum_tree.h"

namespace rlc::host {
namespace {

// A tree of random priorities, updated by so many threads.
std::vector<float> updatedBy(int threads, int fanout, int64_t capacity, int64_t entries) {
  const runtime::SumTreeLayout layout(capacity, fanout);
  std::vector<float> tree(static_cast<size_t>(layout.size));
  std::mt19937 random(1);
  std::vector<int32_t> positions(static_cast<size_t>(entries));
  std::vector<float> priorities(positions.size());
  withTeam(threads, [&](Team* team) {
    HostState host;
    host.team = team;
    KernelContext context;
    context.host = &host;
    for (int round = 0; round < 20; ++round) {
      for (size_t i = 0; i < positions.size(); ++i) {
        positions[i] = static_cast<int32_t>(random() % static_cast<uint64_t>(capacity));
        priorities[i] = static_cast<float>(random() % 1000) / 7.0f;
      }
      rlc_tree_update(&context, capacity, fanout, entries, positions.data(), priorities.data(),
                      tree.data(), tree.data());
    }
  });
  return tree;
}

TEST(TreeUpdate, ThreadsThatShareItGiveTheSameBits) {
  for (const int fanout : {2, 16, 64})
    for (const int64_t capacity : {300, 20000, 300000})
      for (const int64_t entries : {1, 100, 5000}) {
        const std::vector<float> alone = updatedBy(1, fanout, capacity, entries);
        for (const int threads : {2, 3, 16})
          EXPECT_EQ(updatedBy(threads, fanout, capacity, entries), alone)
              << "fan-out " << fanout << ", capacity " << capacity << ", " << entries << " entries";
      }
}

// Parallel loops of so many operations, one after the other, that all read so many bytes (none: 0):
// whether threads share each.
std::vector<bool> shared(const std::vector<std::pair<int64_t, int64_t>>& loops) {
  std::vector<char> arena(1 << 20);
  const std::atomic<bool> stop{false};
  std::vector<bool> result;
  withTeam(2, [&](Team* team) {
    HostState host;
    host.team = team;
    KernelContext context;
    context.arena = arena.data();
    context.stop = &stop;
    context.host = &host;
    for (const auto& [operations, bytes] : loops) {
      const Extent extent{0, bytes};
      rlc_parallel_for(
          &context, [](KernelContext*, const int64_t*, int64_t, char*) {}, nullptr, 4, operations,
          &extent, bytes > 0);
      result.push_back(host.sharing);
    }
  });
  return result;
}

TEST(ParallelFor, CallsThreadsForWhatIsWorthTheirReading) {
  EXPECT_EQ(shared({{100, 0}, {100'000, 0}, {100'000, 16384}, {10'000'000, 16384}}),
            (std::vector{false, true, false, true}));
}

TEST(ParallelFor, SharesWhatFollowsAsTheLoopBefore) {
  EXPECT_EQ(shared({{100'000, 16384}, {kSharedAsLast, 0}, {10'000'000, 16384}, {kSharedAsLast, 0}}),
            (std::vector{false, false, true, true}));
}

}  // namespace
}  // namespace rlc::host
