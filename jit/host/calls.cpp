#include "jit/host/calls.h"

#include <algorithm>
#include <span>

#include "jit/host/team.h"
#include "jit/runtime/random.h"
#include "jit/runtime/sum_tree.h"

namespace rlc::host {

namespace {

// Waking other threads costs more than this many operations of one.
constexpr int64_t kWorthThreads = 20000;
// A claim of chunks costs little beside this many.
constexpr int64_t kWorthClaim = 100000;

void raise(KernelContext& context, Status status) {
  int32_t expected = static_cast<int32_t>(Status::Running);
  context.status.compare_exchange_strong(expected, static_cast<int32_t>(status));
}

// Whether to run the chunk. A stop is noticed here, too, so that long parallel loops end soon.
// After a fault the chunks before it are still run: the first of them with a fault is told,
// whichever thread was faster.
bool isDue(KernelContext& context, int64_t chunk) {
  if (context.stop->load(std::memory_order_relaxed)) {
    raise(context, Status::Stopped);
    return false;
  }
  switch (static_cast<Status>(context.status.load(std::memory_order_relaxed))) {
    case Status::Running:
      return true;
    case Status::Faulted:
      return chunk < context.host->faultChunk.load(std::memory_order_relaxed);
    case Status::Stopped:
      return false;
  }
  return false;
}

// Into this core's second level of caches.
void fetch(const char* from, int64_t bytes) {
  constexpr int64_t kLine = 64;
  for (int64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(from + at, 0, 2);
}

// The subtrees of a sum tree, by all threads, a part for each, where an update pays for that.
struct SubtreesShared {
  Team* team;
  int64_t operations;  // of the update, at each level

  template <class Body>
  void operator()(int64_t subtrees, const Body& body) const {
    const int64_t parts = team == nullptr ? 1 : std::min<int64_t>(subtrees, team->threads());
    if (parts < 2 || operations < kSharedTreeUpdate) return body(int64_t{0}, subtrees);
    team->share(parts, 1, [&](int64_t part, int) {
      body(subtrees * part / parts, subtrees * (part + 1) / parts);
    });
  }
};

}  // namespace

void RegionClock::begin(std::vector<double>& seconds) {
  seconds.clear();
  seconds_ = &seconds;
}

void RegionClock::enter(int64_t region) {
  if (seconds_ == nullptr) return;
  const Clock::time_point now = Clock::now();
  if (current_ >= 0) {
    const auto at = static_cast<size_t>(current_);
    if (seconds_->size() <= at) seconds_->resize(at + 1);
    (*seconds_)[at] += std::chrono::duration<double>(now - since_).count();
  }
  current_ = region;
  since_ = now;
}

std::span<const RuntimeSymbol> runtimeSymbols() {
  static const RuntimeSymbol symbols[] = {
      {"rlc_parallel_for", reinterpret_cast<void*>(&rlc_parallel_for)},
      {"rlc_fault", reinterpret_cast<void*>(&rlc_fault)},
      {"rlc_region", reinterpret_cast<void*>(&rlc_region)},
      {"rlc_emit", reinterpret_cast<void*>(&rlc_emit)},
      {"rlc_sort", reinterpret_cast<void*>(&rlc_sort)},
      {"rlc_argsort", reinterpret_cast<void*>(&rlc_argsort)},
      {"rlc_fetch_ahead", reinterpret_cast<void*>(&rlc_fetch_ahead)},
      {"rlc_drop", reinterpret_cast<void*>(&rlc_drop)},
      {"rlc_will_fetch", reinterpret_cast<void*>(&rlc_will_fetch)},
      {"rlc_tree_update", reinterpret_cast<void*>(&rlc_tree_update)},
      {"rlc_permutation", reinterpret_cast<void*>(&rlc_permutation)},
      {"rlc_gamma_f32", reinterpret_cast<void*>(&rlc_gamma_f32)},
  };
  return symbols;
}

}  // namespace rlc::host

using rlc::host::KernelContext;

void rlc_parallel_for(KernelContext* context, rlc::host::ChunkBody body, const int64_t* closure,
                      int64_t chunks, int64_t operations, const rlc::host::Extent* shared,
                      int64_t extents) {
  using namespace rlc::host;
  Team* team = context->host->team;
  if (team == nullptr || chunks <= 1 || operations < kWorthThreads) {
    for (int64_t chunk = 0; chunk < chunks && isDue(*context, chunk); ++chunk)
      body(context, closure, chunk, context->threadScratch);
    return;
  }
  team->share(chunks, kWorthClaim * chunks / operations, [=](int64_t chunk, int slot) {
    // The thread that runs the program has just written it. Where another one reads it line by line
    // while that one does so, too, both wait.
    if (slot > 0 && chunk == Team::firstOf(slot, chunks, team->threads()))
      for (const Extent& extent : std::span(shared, static_cast<size_t>(extents)))
        fetch(context->arena + extent.offset, extent.bytes);
    if (isDue(*context, chunk))
      body(context, closure, chunk, context->threadScratch + slot * context->threadScratchBytes);
  });
}

void rlc_fault(KernelContext* context, int64_t chunk, int32_t fault, int64_t count,
               const int64_t* coordinates) {
  rlc::host::HostState& host = *context->host;
  {
    const std::lock_guard lock(host.mutex);
    if (chunk < host.faultChunk.load(std::memory_order_relaxed)) {
      host.faultChunk.store(chunk, std::memory_order_relaxed);
      host.fault = fault;
      host.coordinates.assign(coordinates, coordinates + count);
    }
  }
  rlc::host::raise(*context, rlc::host::Status::Faulted);
}

void rlc_region(KernelContext* context, int64_t region) { context->host->regions.enter(region); }

void rlc_emit(KernelContext* context, int32_t sink, int64_t count, const int64_t* coordinates) {
  rlc::host::HostState& host = *context->host;
  if (host.emit == nullptr || !*host.emit || host.thrown) return;
  try {
    (*host.emit)(sink, std::span(coordinates, static_cast<size_t>(count)));
  } catch (...) {
    host.thrown = std::current_exception();
    rlc::host::raise(*context, rlc::host::Status::Stopped);
  }
}

void rlc_tree_update(KernelContext* context, int64_t capacity, int64_t fanout, int64_t n,
                     const int32_t* positions, const float* priorities, const float* before,
                     float* tree) {
  const rlc::runtime::SumTreeLayout layout(capacity, static_cast<int>(fanout));
  const auto count = static_cast<size_t>(n);
  if (tree != before) std::copy_n(before, layout.size, tree);
  rlc::host::Team* team = context != nullptr ? context->host->team : nullptr;
  rlc::runtime::updateSumTree(tree, layout, std::span(positions, count),
                              std::span(priorities, count),
                              rlc::host::SubtreesShared{team, n * fanout});
}
