#include "tools/interrupt.h"

namespace rlc::tools {

namespace {

std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void onInterrupt(int) { flag.store(true, std::memory_order_relaxed); }

}  // namespace

void catchInterrupts() {
  struct sigaction action{};
  action.sa_handler = onInterrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void clearInterrupt() { flag.store(false, std::memory_order_relaxed); }

InterruptGuard::InterruptGuard() {
  clearInterrupt();
  struct sigaction action{};
  action.sa_handler = onInterrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &before_);
}

InterruptGuard::~InterruptGuard() { sigaction(SIGINT, &before_, nullptr); }

const std::atomic<bool>& interruptFlag() { return flag; }

}  // namespace rlc::tools
