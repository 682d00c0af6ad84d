// Threads that analyse documents: the last text of each, a little after its last edit. An analysis
// that is overtaken is cancelled; until it has ended the newer one runs beside it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "tools/lsp/analysis.h"

namespace rlc::lsp {

class Worker {
 public:
  // `done` is called on a thread of the worker's, for one result after the other.
  explicit Worker(std::function<void(AnalysisResult)> done,
                  std::function<AnalysisResult(const AnalysisJob&)> analyze = lsp::analyze);
  ~Worker();  // cancels the analyses that run, and waits for them

  // Takes the place of what waits for the same document.
  void submit(AnalysisJob job, std::chrono::milliseconds delay);
  void forget(const std::string& uri);

 private:
  struct Waiting {
    std::chrono::steady_clock::time_point due;
    AnalysisJob job;
    uint64_t number = 0;  // in the order of submission
  };
  struct Running {
    std::string uri;
    std::shared_ptr<std::atomic<bool>> cancelled;
  };
  void run();
  void cancel(const std::string& uri);  // what runs for it
  void deliver(uint64_t number, AnalysisResult result);

  std::function<void(AnalysisResult)> done_;
  std::function<AnalysisResult(const AnalysisJob&)> analyze_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Waiting> waiting_;
  std::list<Running> running_;
  std::map<std::string, uint64_t> delivered_;  // the last number
  uint64_t submitted_ = 0;
  bool stop_ = false;
  std::vector<std::thread> threads_;  // last: they use the others
};

}  // namespace rlc::lsp
