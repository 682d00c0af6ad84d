// Where every tensor lives and for how long: the arena over the time of a run.
#pragma once

#include <string>
#include <vector>

#include "compiler/explain/subject.h"

namespace rlc::explain {

struct StoredTensor {
  std::string name;
  std::string windows;  // "i: the last 2 of 200, b: all 64"
  int64_t bytes = 0, offset = -1;
  bool perLane = false;  // in registers or on a thread's stack; `bytes` are a lane's
  int64_t first = 0, last = -1;
  diagnostics::Span span;
};

struct MemoryPicture {
  int64_t arenaBytes = 0;
  std::vector<int64_t> live;          // [moment] bytes of the tensors alive
  size_t peak = 0;                    // the moment with the most
  std::vector<StoredTensor> tensors;  // largest first
};

MemoryPicture memoryOf(const Subject& subject);
std::string bytesText(int64_t bytes);  // "64 bytes", "12.5 MB"
std::string executionText(
    const schedule::ScheduleNode& loop);  // "in order", "in lanes", "on threads", ...

}  // namespace rlc::explain
