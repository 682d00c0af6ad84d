// Ctrl-C: the first asks the run to stop, the second ends the process.
#pragma once

#include <atomic>

namespace rlc::tools {

void catchInterrupts();
const std::atomic<bool>& interruptFlag();
inline bool interrupted() { return interruptFlag().load(std::memory_order_relaxed); }

}  // namespace rlc::tools
