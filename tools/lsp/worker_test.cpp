#include "tools/lsp/worker.h"

#include <gtest/gtest.h>

#include <future>

#include "compiler/polyhedral/cancel.h"

namespace rlc::lsp {
namespace {

using namespace std::chrono_literals;

// Analyses that end when the test says so.
struct Slow {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<int64_t> allowed;
  std::vector<int64_t> begun, done;

  AnalysisResult analyze(const AnalysisJob& job) {
    std::unique_lock lock(mutex);
    begun.push_back(job.version);
    changed.notify_all();
    changed.wait(lock, [&] { return allowed.contains(job.version); });
    AnalysisResult result;
    result.uri = job.uri;
    result.version = job.version;
    return result;
  }
  void finished(int64_t version) {
    const std::lock_guard lock(mutex);
    done.push_back(version);
    changed.notify_all();
  }
  void allow(int64_t version) {
    const std::lock_guard lock(mutex);
    allowed.insert(version);
    changed.notify_all();
  }
  template <typename Condition>
  bool waitUntil(Condition condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, 20s, condition);
  }
};

AnalysisJob job(int64_t version) {
  AnalysisJob result;
  result.uri = "file:///a.rl";
  result.version = version;
  return result;
}

TEST(Worker, AnOvertakenAnalysisHoldsNothingUp) {
  Slow slow;
  {
    Worker worker([&](AnalysisResult result) { slow.finished(result.version); },
                  [&](const AnalysisJob& each) { return slow.analyze(each); });
    worker.submit(job(1), 0ms);
    ASSERT_TRUE(slow.waitUntil([&] { return slow.begun.size() == 1; }));
    worker.submit(job(2), 0ms);
    ASSERT_TRUE(slow.waitUntil([&] { return slow.begun.size() == 2; }));
    slow.allow(2);
    ASSERT_TRUE(slow.waitUntil([&] { return slow.done.size() == 1; }));
    slow.allow(1);
  }
  EXPECT_EQ(slow.done, std::vector<int64_t>{2});
}

TEST(Worker, AnOvertakenAnalysisIsCancelled) {
  Slow slow;
  const auto untilCancelled = [&](const AnalysisJob& each) {
    if (each.version == 3)
      slow.allow(3);
    else
      while (!*each.cancelled) std::this_thread::sleep_for(1ms);
    if (*each.cancelled) throw polyhedral::Cancelled();
    return slow.analyze(each);
  };
  Worker worker([&](AnalysisResult result) { slow.finished(result.version); }, untilCancelled);
  for (int64_t version = 1; version <= 3; ++version) {
    worker.submit(job(version), 0ms);
    std::this_thread::sleep_for(20ms);
  }
  ASSERT_TRUE(slow.waitUntil([&] { return !slow.done.empty(); }));
  EXPECT_EQ(slow.done, std::vector<int64_t>{3});
  worker.submit(job(4), 0ms);  // cancelled by the worker's end
}

TEST(Worker, OnlyTheLastOfManyTextsIsAnalysed) {
  Slow slow;
  for (int64_t version = 1; version <= 50; ++version) slow.allow(version);
  Worker worker([&](AnalysisResult result) { slow.finished(result.version); },
                [&](const AnalysisJob& each) { return slow.analyze(each); });
  for (int64_t version = 1; version <= 50; ++version) worker.submit(job(version), 100ms);
  ASSERT_TRUE(slow.waitUntil([&] { return !slow.done.empty(); }));
  EXPECT_EQ(slow.begun, std::vector<int64_t>{50});
}

TEST(Worker, NothingIsSaidOfAClosedDocument) {
  Slow slow;
  {
    Worker worker([&](AnalysisResult result) { slow.finished(result.version); },
                  [&](const AnalysisJob& each) { return slow.analyze(each); });
    worker.submit(job(1), 0ms);
    ASSERT_TRUE(slow.waitUntil([&] { return slow.begun.size() == 1; }));
    worker.forget("file:///a.rl");
    slow.allow(1);
  }
  EXPECT_TRUE(slow.done.empty());
}

}  // namespace
}  // namespace rlc::lsp
