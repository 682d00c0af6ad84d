// How long work on a stream takes, by the device's own clock.
#pragma once

#include "jit/gpu/device.h"

namespace rlc::gpu {

class Stopwatch {
 public:
  explicit Stopwatch(const Device& device)
      : device_(device), began_(device, DeviceEvent::kTimed), ended_(device, DeviceEvent::kTimed) {}

  void start(CUstream stream) { record(began_, stream); }
  void stop(CUstream stream) { record(ended_, stream); }
  CUevent end() const { return ended_; }
  // Once the end has been waited for.
  double seconds() const {
    float milliseconds = 0;
    device_.check(device_.api().cuEventElapsedTime(&milliseconds, began_, ended_),
                  "timing a kernel");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  void record(CUevent event, CUstream stream) {
    device_.check(device_.api().cuEventRecord(event, stream), "timing a kernel");
  }

  const Device& device_;
  DeviceEvent began_, ended_;
};

}  // namespace rlc::gpu
