// Compiled code and how it is run.
#pragma once

#include <functional>
#include <memory>

#include "jit/host/abi.h"
#include "jit/runtime/machine.h"

namespace rlc::host {

struct Kernel {
  void (*main)(KernelContext*) = nullptr;
  int64_t scratchBytes = 0, threadScratchBytes = 0;  // shared, and of each thread
  int64_t arenaBytes = 0;

  int64_t scratchOf(int threads) const {
    return scratchBytes + threadScratchBytes * (threads > 1 ? threads : 1);
  }
};

struct RunContext {
  void* arena = nullptr;  // 64-byte aligned, at least Kernel::arenaBytes
  int64_t arenaBytes = 0;
  const void* parameters = nullptr;  // Program::parameterBytes
  uint64_t seed = 0;
  int threads = 1;
  void* threadScratch = nullptr;  // 64-byte aligned, Kernel::threadScratchBytes for each thread;
                                  // nullptr: the run allocates it
  std::function<void(int sink, std::span<const int64_t> coordinates)> emit;
  const std::atomic<bool>* stop = nullptr;  // looked at every million operations or so
  std::vector<double>* regionSeconds =
      nullptr;                            // [region] of the program: filled when the run ends
  runtime::Progress* progress = nullptr;  // filled when the run ends, also where `emit` threw
};

// May be called from several threads at a time. Exceptions of `emit` pass through after the program
// has been left.
runtime::Outcome runKernel(const Kernel& kernel, const RunContext& context);

// The memory of one run, [0, residentBytes) of the arena in memory, and the run itself. The kernel
// outlives it. `scratchInFile`: what threads work with lies in a mapped file.
std::unique_ptr<runtime::Execution> makeExecution(const Kernel& kernel, int64_t residentBytes,
                                                  bool scratchInFile = false);

}  // namespace rlc::host
