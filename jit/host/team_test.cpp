// Threads that share loops.
#include "jit/host/team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace rlc::host {
namespace {

TEST(Team, RunsEachChunkOnceAndSlotsDoNotMeet) {
  for (int threads : {2, 3, 16}) {
    withTeam(threads, [&](Team* team) {
      ASSERT_NE(team, nullptr);
      std::vector<std::atomic<int>> busy(static_cast<size_t>(threads));
      for (int64_t chunks : {1, 2, 3, 7, 64, 1000}) {
        for (int round = 0; round < 20; ++round) {
          std::vector<std::atomic<int>> runs(static_cast<size_t>(chunks));
          team->share(chunks, 1 + round / 2, [&](int64_t chunk, int slot) {
            ASSERT_LT(slot, threads);
            EXPECT_EQ(busy[static_cast<size_t>(slot)].fetch_add(1), 0);
            runs[static_cast<size_t>(chunk)].fetch_add(1);
            busy[static_cast<size_t>(slot)].fetch_sub(1);
          });
          for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
        }
      }
    });
  }
}

// A helper that is about to sleep may miss a loop, but not all of them.
TEST(Team, HelpersJoinAlsoAfterAPause) {
  using Clock = std::chrono::steady_clock;
  withTeam(2, [&](Team* team) {
    int joined = 0;
    const Clock::time_point end = Clock::now() + std::chrono::seconds(20);
    while (joined < 3 && Clock::now() < end) {
      std::atomic<int> here{0}, together{0};
      // Two chunks that wait a while for each other.
      team->share(2, 1, [&](int64_t, int) {
        ++here;
        const Clock::time_point patience = Clock::now() + std::chrono::milliseconds(200);
        while (here.load() < 2 && Clock::now() < patience) std::this_thread::yield();
        if (here.load() == 2 && Clock::now() < patience) ++together;
      });
      joined += together.load() == 2;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_EQ(joined, 3);
  });
}

TEST(Team, OneThreadNeedsNone) {
  bool ran = false;
  withTeam(1, [&](Team* team) {
    EXPECT_EQ(team, nullptr);
    ran = true;
  });
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace rlc::host
