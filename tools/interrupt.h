// Ctrl-C: the first asks the run to stop, the second ends the process.
#pragma once

#include <signal.h>

#include <atomic>

namespace rlc::tools {

void catchInterrupts();
const std::atomic<bool>& interruptFlag();
inline bool interrupted() { return interruptFlag().load(std::memory_order_relaxed); }

void clearInterrupt();

// While it lives Ctrl-C sets the flag, however often; the process lives on. For prompts.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_{};
};

}  // namespace rlc::tools
