#include "tools/lsp/worker.h"

#include <algorithm>
#include <system_error>

#include "compiler/polyhedral/cancel.h"

namespace rlc::lsp {

namespace {
constexpr int kThreads = 2;
}

Worker::Worker(std::function<void(AnalysisResult)> done,
               std::function<AnalysisResult(const AnalysisJob&)> analyze)
    : done_(std::move(done)), analyze_(std::move(analyze)) {
  for (int i = 0; i < kThreads; ++i) {
    try {
      threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {  // one is enough
      if (threads_.empty()) throw;
    }
  }
}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    for (const Running& running : running_) *running.cancelled = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Worker::submit(AnalysisJob job, std::chrono::milliseconds delay) {
  {
    const std::lock_guard lock(mutex_);
    const std::string uri = job.uri;
    cancel(uri);
    waiting_.insert_or_assign(
        uri, Waiting{std::chrono::steady_clock::now() + delay, std::move(job), ++submitted_});
  }
  changed_.notify_all();
}

void Worker::forget(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  waiting_.erase(uri);
  cancel(uri);
  delivered_[uri] = submitted_;  // what still runs is about no document
}

void Worker::cancel(const std::string& uri) {
  for (const Running& running : running_)
    if (running.uri == uri) *running.cancelled = true;
}

void Worker::deliver(uint64_t number, AnalysisResult result) {
  const std::lock_guard lock(mutex_);
  uint64_t& last = delivered_[result.uri];
  if (number <= last) return;
  last = number;
  done_(std::move(result));
}

void Worker::run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (waiting_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto next =
        std::min_element(waiting_.begin(), waiting_.end(),
                         [](const auto& a, const auto& b) { return a.second.due < b.second.due; });
    if (next->second.due > std::chrono::steady_clock::now()) {
      const auto due = next->second.due;
      changed_.wait_until(lock, due);
      continue;
    }
    AnalysisJob job = std::move(next->second.job);
    const uint64_t number = next->second.number;
    waiting_.erase(next);
    const auto running =
        running_.insert(running_.end(), {job.uri, std::make_shared<std::atomic<bool>>(false)});
    job.cancelled = running->cancelled;
    lock.unlock();
    try {
      deliver(number, analyze_(job));
    } catch (const polyhedral::Cancelled&) {
      // A newer text is on its way, or the document is closed.
    }
    lock.lock();
    running_.erase(running);
  }
}

}  // namespace rlc::lsp
