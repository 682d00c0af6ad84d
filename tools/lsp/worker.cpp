#include "tools/lsp/worker.h"

#include <algorithm>

namespace rlc::lsp {

Worker::Worker(std::function<void(AnalysisResult)> done)
    : done_(std::move(done)), thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::submit(AnalysisJob job, std::chrono::milliseconds delay) {
  {
    const std::lock_guard lock(mutex_);
    const std::string uri = job.uri;
    waiting_.insert_or_assign(uri,
                              Waiting{std::chrono::steady_clock::now() + delay, std::move(job)});
  }
  changed_.notify_all();
}

void Worker::forget(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  waiting_.erase(uri);
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
    const AnalysisJob job = std::move(next->second.job);
    waiting_.erase(next);
    lock.unlock();
    done_(analyze(job));
    lock.lock();
  }
}

}  // namespace rlc::lsp
