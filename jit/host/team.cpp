#include "jit/host/team.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace rlc::host {

namespace {

using Clock = std::chrono::steady_clock;

// For so long a helper waits for the next loop: what a serial part of an update takes at most.
constexpr auto kAwake = std::chrono::microseconds(200);
constexpr int kLooksPerTime = 64;  // asking for the time costs as much as so many looks
// So often the others are waited for before this thread offers them its core: a few microseconds
// are the difference between parts that are alike.
constexpr int kLooksAwake = 1000;

// A ticket: the loop's number, open or not, and the number of those who joined.
constexpr uint64_t kJoined = 0xffff, kOpen = 0x10000, kLoop = 0x20000;

uint64_t loopOf(uint64_t ticket) { return ticket / kLoop; }

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

Team::Team(int threads)
    : threads_(threads),
      staysAwake_(threads <= tbb::info::default_concurrency()),
      parts_(static_cast<size_t>(threads)) {}

Team::~Team() {
  over_.store(true, std::memory_order_relaxed);
  helpers_.wait();
}

void Team::shareChunks(int64_t chunks, int64_t claim, Call call, const void* run) {
  call_ = call;
  run_ = run;
  // A thread that the system does not run at the moment keeps half of its part from the others at
  // most.
  claim_ = std::clamp<int64_t>(claim, 1, std::max<int64_t>(1, chunks / (2 * threads_)));
  for (int slot = 0; slot < threads_; ++slot) {
    Part& part = parts_[static_cast<size_t>(slot)];
    part.next.store(firstOf(slot, chunks, threads_), std::memory_order_relaxed);
    part.end = firstOf(slot + 1, chunks, threads_);
  }
  left_.store(0, std::memory_order_relaxed);
  const uint64_t last = ticket_.load(std::memory_order_relaxed);
  ticket_.store((loopOf(last) + 1) * kLoop | kOpen, std::memory_order_release);
  callHelpers(std::min<int64_t>(threads_, chunks) - 1);
  work(tbb::this_task_arena::current_thread_index());
  const uint64_t joined = ticket_.fetch_and(~kOpen, std::memory_order_acq_rel) & kJoined;
  for (int looks = 0; left_.load(std::memory_order_acquire) != joined; ++looks) {
    pause();
    if (!staysAwake_ || looks > kLooksAwake) std::this_thread::yield();
  }
}

void Team::callHelpers(int64_t wanted) {
  while (awake_.load(std::memory_order_relaxed) < wanted) {
    awake_.fetch_add(1, std::memory_order_relaxed);
    helpers_.run([this] { help(); });
  }
}

void Team::help() {
  const int slot = tbb::this_task_arena::current_thread_index();
  uint64_t seen = 0;
  Clock::time_point idle = Clock::now();
  for (int looks = 1; !over_.load(std::memory_order_relaxed); ++looks) {
    uint64_t ticket = ticket_.load(std::memory_order_relaxed);
    if ((ticket & kOpen) != 0 && loopOf(ticket) != seen) {
      if (!ticket_.compare_exchange_strong(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
      seen = loopOf(ticket);
      work(slot);
      left_.fetch_add(1, std::memory_order_release);
      idle = Clock::now();
    } else if (!staysAwake_ || (looks % kLooksPerTime == 0 && Clock::now() - idle > kAwake)) {
      break;
    } else {
      pause();
    }
  }
  awake_.fetch_sub(1, std::memory_order_relaxed);
}

void Team::work(int slot) {
  const Call call = call_;  // others still join in this line
  const void* const run = run_;
  const int64_t claim = claim_;
  for (int other = 0; other < threads_; ++other) {
    Part& part = parts_[static_cast<size_t>((slot + other) % threads_)];
    while (part.next.load(std::memory_order_relaxed) < part.end) {
      const int64_t first = part.next.fetch_add(claim, std::memory_order_relaxed);
      const int64_t end = std::min(first + claim, part.end);
      for (int64_t chunk = first; chunk < end; ++chunk) call(run, chunk, slot);
    }
  }
}

void withTeam(int threads, const std::function<void(Team*)>& body) {
  if (threads <= 1) return body(nullptr);
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute([&] {
    Team team(threads);
    body(&team);
  });
}

}  // namespace rlc::host
