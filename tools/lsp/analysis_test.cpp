#include "tools/lsp/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

#include "compiler/polyhedral/cancel.h"

namespace rlc::lsp {
namespace {

// What the process has computed, for other work on the machine must not count.
struct Clock {
  using duration = std::chrono::duration<double>;
  static duration now() { return duration(static_cast<double>(std::clock()) / CLOCKS_PER_SEC); }
};

AnalysisJob longJob(int equations) {
  std::string text = "index t in 0..10\nx0[t] = 1.0\n";
  for (int i = 1; i < equations; ++i) {
    const std::string name = "x" + std::to_string(i), before = "x" + std::to_string(i - 1);
    text += name + "[0] = 1.0\n" + name + "[t+1] = 0.5 * " + name + "[t] + " + before + "[t]\n";
  }
  AnalysisJob job;
  job.uri = "file:///nowhere/long.rl";
  job.file = std::make_shared<SharedFile>("/nowhere/long.rl", std::move(text));
  return job;
}

TEST(Analysis, OfACancelledJobEndsBeforeItHasBegun) {
  AnalysisJob job = longJob(2);
  job.cancelled = std::make_shared<std::atomic<bool>>(true);
  EXPECT_THROW(analyze(job), polyhedral::Cancelled);
}

TEST(Analysis, EndsSoonAfterItIsCancelled) {
  AnalysisJob job = longJob(4000);
  job.file->parsed();  // once for all analyses: none of them pays for it
  const auto begin = Clock::now();
  EXPECT_TRUE(analyze(job).findings.empty());
  const auto whole = Clock::now() - begin;
  // The thread that cancels may have to wait for a processor: the best of a few counts.
  auto soonest = whole;
  for (int attempt = 0; attempt < 5 && soonest >= whole / 4; ++attempt) {
    const auto flag = std::make_shared<std::atomic<bool>>(false);
    job.cancelled = flag;
    Clock::duration cancelled{};
    const auto half = Clock::now() + whole / 2;
    std::thread canceller([&] {
      while ((cancelled = Clock::now()) < half)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      *flag = true;
    });
    bool ended = true;
    try {
      analyze(job);
    } catch (const polyhedral::Cancelled&) {
      ended = false;
    }
    const auto end = Clock::now();
    canceller.join();
    // Where the first one was kept waiting for a processor, this one may be over before its half.
    EXPECT_TRUE(!ended || end < cancelled);
    if (!ended) soonest = std::min(soonest, end - cancelled);
  }
  EXPECT_LT(soonest, whole / 4);
}

}  // namespace
}  // namespace rlc::lsp
