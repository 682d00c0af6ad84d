// For tests only: enough of CUDA C++ for generated kernels to run on the processor. A block's
// threads are coroutines that run one after the other from barrier to barrier. A barrier that only
// some threads reach ends the process with a message.
#pragma once

#include <ucontext.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define __global__
#define __device__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ static
#define __syncthreads() rlc_emulator::barrier(__LINE__, 0)
#define __syncthreads_or(condition) rlc_emulator::barrier(__LINE__, (condition) ? 1 : 0)

struct RlcDim3 {
  unsigned x = 1, y = 1, z = 1;
};
inline RlcDim3 threadIdx, blockIdx, blockDim, gridDim;

inline int atomicCAS(int* place, int expected, int value) {
  const int old = *place;
  if (old == expected) *place = value;
  return old;
}
inline int atomicExch(int* place, int value) {
  const int old = *place;
  *place = value;
  return old;
}
inline void __threadfence_system() {}

namespace rlc_emulator {

constexpr size_t kStack = 256 << 10;

struct Thread {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  int line = 0;  // of the barrier that it waits at
  bool over = false;
};

struct Block {
  ucontext_t scheduler;
  std::vector<Thread> threads;
  size_t current = 0;
  int gathered = 0, answer = 0;
  bool alone = true;
  void (*entry)(void**) = nullptr;
  void** arguments = nullptr;
};
inline Block block;

inline int barrier(int line, int condition) {
  if (block.alone) return condition;
  Thread& self = block.threads[block.current];
  self.line = line;
  block.gathered |= condition;
  swapcontext(&self.context, &block.scheduler);
  return block.answer;
}

inline void threadMain() {
  block.entry(block.arguments);
  block.threads[block.current].over = true;
  swapcontext(&block.threads[block.current].context, &block.scheduler);
}

inline void runBlock(unsigned count) {
  block.alone = count == 1;
  if (block.alone) {
    threadIdx.x = 0;
    return block.entry(block.arguments);
  }
  if (block.threads.size() < count) block.threads.resize(count);
  for (unsigned t = 0; t < count; ++t) {
    Thread& thread = block.threads[t];
    if (!thread.stack) thread.stack = std::make_unique<char[]>(kStack);
    thread.over = false;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = kStack;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, threadMain, 0);
  }
  for (bool active = true; active;) {
    active = false;
    int line = 0;
    block.gathered = 0;
    for (unsigned t = 0; t < count; ++t) {
      Thread& thread = block.threads[t];
      if (thread.over) continue;
      block.current = t;
      threadIdx.x = t;
      swapcontext(&block.scheduler, &thread.context);
      if (thread.over) continue;
      if (active && thread.line != line) {
        std::fprintf(stderr,
                     "emulated kernel: thread %u waits at the barrier of line %d, others at that "
                     "of line %d\n",
                     t, thread.line, line);
        std::abort();
      }
      line = thread.line;
      active = true;
    }
    block.answer = block.gathered;
  }
}

inline void run(void (*entry)(void**), void** arguments, unsigned blocks, unsigned threads) {
  block.entry = entry;
  block.arguments = arguments;
  gridDim.x = blocks;
  blockDim.x = threads;
  // Blocks run in any order on a device: here from the last to the first.
  for (unsigned b = blocks; b-- > 0;) {
    blockIdx.x = b;
    runBlock(threads);
  }
}

}  // namespace rlc_emulator
