// Copies of what lies in the host's memory to the device ahead of its use, and back, on streams of
// their own: while a kernel works with one half of the memory for copies, the other half is filled
// for the next kernel.
#pragma once

#include <array>
#include <vector>

#include "jit/gpu/device.h"

namespace rlc::gpu {

class Swapping {
 public:
  // Kernels run on `stream`; `bytes` of the device's memory for copies.
  Swapping(const Device& device, int64_t bytes, CUstream stream);
  Swapping(const Swapping&) = delete;
  Swapping& operator=(const Swapping&) = delete;

  struct Range {
    std::byte* host = nullptr;  // pinned
    size_t bytes = 0;
    bool written = false;
  };
  // Before a kernel: where the copies of the ranges are when its turn comes. Together they fit a
  // half.
  std::vector<CUdeviceptr> copyIn(const std::vector<Range>& ranges);
  // Behind it.
  void copyBack();

  // The kernels' stream waits until the host's memory has all that kernels have made, and copies
  // wait for what the stream is given from here on to the next of them: around what works with the
  // host's memory where it is, and before a graph starts.
  void settle();
  // Before a graph is recorded, and at its end: the other streams come back to the kernels'.
  void beginGraph();
  void endGraph();

  size_t bytes() const { return memory_.size(); }  // of the device

 private:
  struct Half {
    CUdeviceptr at = 0;
    explicit Half(const Device& device) : copied(device), computed(device), returned(device) {}
    DeviceEvent copied, computed, returned;
    bool busy = false, returning = false;  // since the last time that all was settled
    std::vector<Range> ranges;
  };

  void check(CUresult result) const { device_.check(result, "moving tensors"); }
  void follow(CUstream stream, CUevent event, CUstream first) const;

  const Device& device_;
  const Cuda& api_;
  CUstream stream_;
  DeviceStream in_, out_;
  DeviceEvent begun_;
  size_t halfBytes_;
  DeviceBytes memory_;
  std::array<Half, 2> halves_;
  size_t turn_ = 0;
  bool settled_ = true, forked_ = false;  // forked: since a graph's begin
};

}  // namespace rlc::gpu
