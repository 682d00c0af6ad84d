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

}  // namespace
}  // namespace rlc::host
