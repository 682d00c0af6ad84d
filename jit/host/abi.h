// What generated code and its runtime agree on: the context that every kernel gets, and the
// functions that it calls.
#pragma once

#include <atomic>
#include <cstdint>

namespace rlc::host {

struct HostState;

inline constexpr int64_t kNoIteration = INT64_MIN;

// Generated code reads the fields up to `status` by their offsets (kernel_context_layout in
// emitter.cpp checks them).
struct KernelContext {
  char* arena = nullptr;  // 64-byte aligned
  const char* parameters = nullptr;
  uint64_t seed = 0;
  char* scratch = nullptr;                  // shared by all threads, 64-byte aligned
  const std::atomic<bool>* stop = nullptr;  // never null
  std::atomic<int32_t> status{0};           // Status
  char* threadScratch = nullptr;            // one piece of threadScratchBytes for each thread
  int64_t threadScratchBytes = 0;
  HostState* host = nullptr;
  int64_t root = -1;                 // of the schedule: the one that runs (Stmt::root)
  int64_t iteration = kNoIteration;  // and its loop variable, where it is a sequential loop
};

// Threads share an update of a sum tree that adds up so many nodes at a level, its entries times
// the fan-out, or more.
inline constexpr int64_t kSharedTreeUpdate = 16384;

enum class Status : int32_t { Running = 0, Faulted = 1, Stopped = 2 };

// One chunk of a parallel loop. `closure`: the captured scalars, 8 bytes each.
using ChunkBody = void (*)(KernelContext* context, const int64_t* closure, int64_t chunk,
                           char* threadScratch);

// Bytes of the arena.
struct Extent {
  int64_t offset, bytes;
};

}  // namespace rlc::host

extern "C" {
// Runs body(0), ..., body(chunks - 1), in any order; `operations` estimates all of them together.
// After a fault those before the least chunk with one. `shared`: what all chunks read; a thread
// other than the one that runs the program fetches it before the first chunk that is its own.
void rlc_parallel_for(rlc::host::KernelContext* context, rlc::host::ChunkBody body,
                      const int64_t* closure, int64_t chunks, int64_t operations,
                      const rlc::host::Extent* shared, int64_t extents);
// Keeps the fault of the least chunk (0 outside of a parallel loop), so that it does not depend on
// the threads, and sets the status. A chunk ends with its first.
void rlc_fault(rlc::host::KernelContext* context, int64_t chunk, int32_t fault, int64_t count,
               const int64_t* coordinates);
// A region of the program begins; -1: what lies between them.
void rlc_region(rlc::host::KernelContext* context, int64_t region);
void rlc_emit(rlc::host::KernelContext* context, int32_t sink, int64_t count,
              const int64_t* coordinates);
// Stable; NaN after every number. `type` is a DType; strides count elements.
void rlc_sort(int32_t type, const void* source, int64_t sourceStride, void* destination,
              int64_t destinationStride, int64_t n, int64_t descending);
void rlc_argsort(int32_t type, const void* source, int64_t sourceStride, int32_t* destination,
                 int64_t destinationStride, int64_t n, int64_t descending);
// Of a mapped file: begins to read what is needed soon, without waiting for it.
void rlc_fetch_ahead(const char* from, int64_t bytes);
// That these bytes will be fetched ahead: where they are not, the system reads a page, no more.
void rlc_will_fetch(const char* from, int64_t bytes);
// Of a mapped file: that nothing reads these bytes before it has written them.
void rlc_drop(const char* from, int64_t bytes);
// `tree` becomes `before` (the same, or apart from it) with these priorities set. The context's
// threads share a large update; null: called by one of them.
void rlc_tree_update(rlc::host::KernelContext* context, int64_t capacity, int64_t fanout, int64_t n,
                     const int32_t* positions, const float* priorities, const float* before,
                     float* tree);
}
