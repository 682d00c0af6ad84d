// Runs a block's threads for emulator.h. Linked with each program's kernels.
#include "jit/gpu/testing/emulator.h"

#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

RlcDim3 threadIdx, blockIdx, blockDim, gridDim;

namespace rlc_emulator {

bool alone = true;
unsigned heldA[kWarpSize][kWarpSize][4], heldB[kWarpSize][kWarpSize][2];

namespace {

constexpr size_t kStack = 256 << 10;

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
  void (*entry)(void**) = nullptr;
  void** arguments = nullptr;
};
Block block;

// Apart from what notes a place, and never inside of it: __builtin_setjmp asks for that.
[[gnu::noinline]] void goOn(Place& place) { __builtin_longjmp(place, 1); }

[[gnu::noinline]] void waitAt(Thread::State state, int line) {
  Thread& self = block.threads[block.current];
  self.state = state;
  self.line = line;
  if (__builtin_setjmp(self.place) == 0) goOn(block.scheduler);
}

// One kernel after the other.
void threadMain() {
  while (true) {
    waitAt(Thread::State::Over, 0);
    block.entry(block.arguments);
  }
}

[[gnu::noinline]] void goOnWith(Thread& thread) {
  if (__builtin_setjmp(block.scheduler) == 0) goOn(thread.place);
}

// Runs the new thread up to its first kernel.
[[gnu::noinline]] void begin(Thread& thread) {
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
bool together(unsigned first, unsigned last, Thread::State& state) {
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
void runWarp(unsigned first, unsigned last) {
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

void runBlock(unsigned count) {
  alone = count == 1;
  if (alone) {
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

}  // namespace

int waitForBlock(int line, int condition) {
  block.gathered |= condition;
  waitAt(Thread::State::AtBlock, line);
  return block.answer;
}
void waitForWarp(int line) { waitAt(Thread::State::AtWarp, line); }

}  // namespace rlc_emulator

extern "C" void rlc_emulated_run(void (*entry)(void**), void** arguments, unsigned blocks,
                                 unsigned threads) {
  using namespace rlc_emulator;
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
