// The host's side of a run: where emitted values go, which fault is told, who shares its loops.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "jit/host/abi.h"

namespace rlc::host {

class Team;

// How long each region ran.
class RegionClock {
 public:
  void begin(std::vector<double>& seconds);
  void enter(int64_t region);

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<double>* seconds_ = nullptr;
  int64_t current_ = -1;
  Clock::time_point since_;
};

struct HostState {
  Team* team = nullptr;  // none: one thread
  const std::function<void(int, std::span<const int64_t>)>* emit = nullptr;
  std::exception_ptr thrown;  // by `emit`; compiled code has no frames to unwind
  std::mutex mutex;           // guards the fault
  // Of the parallel loop that ended the run (0 outside of one); past all while there is no fault.
  std::atomic<int64_t> faultChunk{INT64_MAX};
  int fault = -1;
  std::vector<int64_t> coordinates;
  RegionClock regions;
};

struct RuntimeSymbol {
  const char* name;
  void* address;
};
std::span<const RuntimeSymbol> runtimeSymbols();

}  // namespace rlc::host
