// For tests only: enough of CUDA C++ for generated kernels to run on the processor. A block's
// threads are coroutines that run one after the other from barrier to barrier, of a block or of a
// warp. A barrier that only some threads reach ends the process with a message.
#pragma once

#include <ucontext.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#define __global__
#define __device__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ static
#define __syncthreads() rlc_emulator::barrier(__LINE__, 0)
#define __syncwarp() rlc_emulator::warpBarrier(__LINE__)
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
constexpr unsigned kWarpSize = 32;

// Where code goes on, on its own stack: ucontext.h asks the kernel each time that it changes
// stacks.
using Place = void* [5];

struct Thread {
  enum class State { Runs, AtWarp, AtBlock, Over };
  Place place;
  std::unique_ptr<char[]> stack;
  State state = State::Runs;
  int line = 0;  // of the barrier that it waits at
};

struct Block {
  Place scheduler;
  std::vector<Thread> threads;
  size_t current = 0;
  int gathered = 0, answer = 0;
  bool alone = true;
  void (*entry)(void**) = nullptr;
  void** arguments = nullptr;
};
inline Block block;

// Apart from what notes a place, and never inside of it: __builtin_setjmp asks for that.
[[gnu::noinline]] inline void goOn(Place& place) { __builtin_longjmp(place, 1); }

[[gnu::noinline]] inline void waitAt(Thread::State state, int line) {
  Thread& self = block.threads[block.current];
  self.state = state;
  self.line = line;
  if (__builtin_setjmp(self.place) == 0) goOn(block.scheduler);
}
inline int barrier(int line, int condition) {
  if (block.alone) return condition;
  block.gathered |= condition;
  waitAt(Thread::State::AtBlock, line);
  return block.answer;
}
inline void warpBarrier(int line) {
  if (!block.alone) waitAt(Thread::State::AtWarp, line);
}

// One kernel after the other.
inline void threadMain() {
  while (true) {
    waitAt(Thread::State::Over, 0);
    block.entry(block.arguments);
  }
}

[[gnu::noinline]] inline void goOnWith(Thread& thread) {
  if (__builtin_setjmp(block.scheduler) == 0) goOn(thread.place);
}

// Runs the new thread up to its first kernel.
[[gnu::noinline]] inline void begin(Thread& thread) {
  thread.stack = std::make_unique<char[]>(kStack);
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = thread.stack.get();
  context.uc_stack.ss_size = kStack;
  context.uc_link = nullptr;
  makecontext(&context, threadMain, 0);
  if (__builtin_setjmp(block.scheduler) == 0) setcontext(&context);
}

// All threads of first..last that are not over wait at the same barrier; false: all are over.
inline bool together(unsigned first, unsigned last, Thread::State& state) {
  const Thread* one = nullptr;
  for (unsigned t = first; t < last; ++t) {
    const Thread& thread = block.threads[t];
    if (thread.state == Thread::State::Over) continue;
    if (one != nullptr && (thread.line != one->line || thread.state != one->state)) {
      std::fprintf(stderr,
                   "emulated kernel: thread %u waits at the barrier of line %d, others at that of "
                   "line %d\n",
                   t, thread.line, one->line);
      std::abort();
    }
    one = &thread;
  }
  if (one != nullptr) state = one->state;
  return one != nullptr;
}

// Runs the warp from first to last up to the next barrier of the block.
inline void runWarp(unsigned first, unsigned last) {
  for (auto state = Thread::State::AtWarp; state == Thread::State::AtWarp;) {
    for (unsigned t = first; t < last; ++t) {
      Thread& thread = block.threads[t];
      if (thread.state == Thread::State::Over) continue;
      block.current = t;
      threadIdx.x = t;
      goOnWith(thread);
    }
    if (!together(first, last, state)) return;
  }
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
    block.current = t;
    if (!thread.stack) begin(thread);
    thread.state = Thread::State::Runs;
  }
  for (auto state = Thread::State::Runs;;) {
    block.gathered = 0;
    for (unsigned first = 0; first < count; first += kWarpSize)
      runWarp(first, first + kWarpSize < count ? first + kWarpSize : count);
    if (!together(0, count, state)) return;
    block.answer = block.gathered;
  }
}

// ---- tensor cores -------------------------------------------------------------------------------

// What the lanes of each warp hold of A and B.
inline unsigned heldA[kWarpSize][kWarpSize][4], heldB[kWarpSize][kWarpSize][2];

inline float floatOf(unsigned bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// c += A B of 16 x k by k x 8, as the PTX manual distributes their elements, `kPacked` of
// them in a register.
template <int kPacked, class Value>
void mma(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2], Value value) {
  const unsigned warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  std::memcpy(heldA[warp][lane], a, sizeof a);
  std::memcpy(heldB[warp][lane], b, sizeof b);
  warpBarrier(-1);
  for (int e = 0; e < 4; ++e) {
    const unsigned row = lane / 4 + (e >= 2 ? 8 : 0), column = lane % 4 * 2 + e % 2;
    for (unsigned k = 0; k < 8 * kPacked; ++k) {
      const unsigned place = k % (4 * kPacked), half = k / (4 * kPacked), part = place % kPacked;
      const unsigned holds = place / kPacked;
      c[e] = std::fma(value(heldA[warp][row % 8 * 4 + holds][row / 8 + 2 * half], part),
                      value(heldB[warp][column * 4 + holds][half], part), c[e]);
    }
  }
  warpBarrier(-2);
}

}  // namespace rlc_emulator

inline void mma_tf32(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  rlc_emulator::mma<1>(c, a, b, [](unsigned bits, unsigned) {
    if (bits & 0x1fffu) std::abort();  // not a number of tf32
    return rlc_emulator::floatOf(bits);
  });
}
inline void mma_bf16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  rlc_emulator::mma<2>(c, a, b, [](unsigned bits, unsigned part) {
    return rlc_emulator::floatOf(part == 0 ? bits << 16 : bits & 0xffff0000u);
  });
}
// To ten bits, ties away from zero.
inline unsigned to_tf32(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7fffe000u : (bits + 0x1000u) & ~0x1fffu;
}

namespace rlc_emulator {

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
