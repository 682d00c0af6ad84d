// A thread that analyses documents: the last text of each, a little after its last edit.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "tools/lsp/analysis.h"

namespace rlc::lsp {

class Worker {
 public:
  // `done` is called on the worker's thread.
  explicit Worker(std::function<void(AnalysisResult)> done);
  ~Worker();  // waits for the analysis that runs

  // Takes the place of what waits for the same document.
  void submit(AnalysisJob job, std::chrono::milliseconds delay);
  void forget(const std::string& uri);

 private:
  struct Waiting {
    std::chrono::steady_clock::time_point due;
    AnalysisJob job;
  };
  void run();

  std::function<void(AnalysisResult)> done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Waiting> waiting_;
  bool stop_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace rlc::lsp
