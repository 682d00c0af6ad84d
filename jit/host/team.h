// The threads that share a program's parallel loops. They are oneTBB's; between two loops they stay
// awake for a while, for a loop of a small network takes less time than waking a thread does.
//
// A loop waits for those threads only that have taken a part in it, so one that the system does not
// run at the moment holds up nobody. Each thread begins with the chunks that it had in the last
// loop of as many, whose data its caches have, and then takes from the others.
#pragma once

#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace rlc::host {

class Team {
 public:
  // Made and used by the thread that runs the program, inside an arena of `threads` slots.
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return threads_; }

  // The chunk that a slot begins with: one each from the first slot on, where they are few.
  static int64_t firstOf(int slot, int64_t chunks, int threads) {
    return chunks < threads ? std::min<int64_t>(slot, chunks) : chunks * slot / threads;
  }

  // Calls run(chunk, slot) for all chunks from 0 on, in any order, and returns when they are done;
  // of the slots, 0 to threads - 1, each thread has its own. So many chunks at once, `claim`, are
  // taken by a thread: a claim waits until all that the thread has written before is where others
  // can see it, which takes as long as a short chunk.
  template <class Run>
  void share(int64_t chunks, int64_t claim, const Run& run) {
    shareChunks(
        chunks, claim,
        [](const void* to, int64_t chunk, int slot) {
          (*static_cast<const Run*>(to))(chunk, slot);
        },
        &run);
  }

 private:
  struct alignas(64) Part {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };

  using Call = void (*)(const void* run, int64_t chunk, int slot);
  void shareChunks(int64_t chunks, int64_t claim, Call call, const void* run);
  void callHelpers(int64_t wanted);
  void help();
  void work(int slot);

  const int threads_;
  const bool staysAwake_;  // not where threads would take the cores from each other
  std::vector<Part> parts_;
  tbb::task_group helpers_;
  std::atomic<int> awake_{0};  // helpers that run or will
  std::atomic<bool> over_{false};
  // The loop that can be joined: its number, whether it is open, and how many have joined it. What
  // it calls is in the same line, which a helper has to fetch anyhow.
  alignas(64) std::atomic<uint64_t> ticket_{0};
  Call call_ = nullptr;
  const void* run_ = nullptr;
  int64_t claim_ = 1;
  alignas(64) std::atomic<uint64_t> left_{0};  // of those that have joined
};

// Calls `body` with a team of so many threads; with none for one thread.
void withTeam(int threads, const std::function<void(Team*)>& body);

}  // namespace rlc::host
