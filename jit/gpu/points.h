// Points of sinks on their way to the host: copied to pinned memory as part of the stream, shown
// when they have arrived.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "jit/gpu/device.h"
#include "jit/runtime/machine.h"

namespace rlc::gpu {

struct Point {
  int sink = -1;
  std::vector<int64_t> at;

  // What was copied of the arena; null where that is not part of it.
  const std::byte* find(const runtime::ByteRange& range) const;
  bool behindFault() const;  // then it is not what the program says

 private:
  friend class Points;
  std::vector<runtime::ByteRange> ranges_;
  std::vector<size_t> places_;          // of the ranges in `bytes_`
  std::unique_ptr<PinnedBytes> bytes_;  // the fault's state, then the ranges
  std::unique_ptr<DeviceEvent> arrived_;
};

class Points {
 public:
  Points(const Device& device, CUstream stream) : device_(device), stream_(stream) {}

  // Gives the stream the copies: `place` of each of the arena's ranges, and the fault's state.
  void fetch(int sink, std::vector<int64_t> at, std::vector<runtime::ByteRange> ranges,
             CUdeviceptr fault, const std::function<CUdeviceptr(int64_t offset)>& place);
  bool empty() const { return pending_.empty(); }
  bool full() const;                                              // the host has to take one first
  CUevent arrived() const { return *pending_.front().arrived_; }  // the oldest
  const Point& take();  // the oldest, which has arrived; valid until the next fetch

 private:
  const Device& device_;
  CUstream stream_;
  std::deque<Point> pending_;
  std::vector<Point> free_;
};

}  // namespace rlc::gpu
