// How long work on a stream takes, by the device's own clock.
#pragma once

#include "jit/gpu/device.h"

namespace rlc::gpu {

class Stopwatch {
 public:
  explicit Stopwatch(const Device& device) : device_(device) {
    device.check(device.api().cuEventCreate(&began_, 0), "making an event");
    device.check(device.api().cuEventCreate(&ended_, 0), "making an event");
  }
  ~Stopwatch() {
    if (began_ != nullptr) device_.api().cuEventDestroy_v2(began_);
    if (ended_ != nullptr) device_.api().cuEventDestroy_v2(ended_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start(CUstream stream) { record(began_, stream); }
  CUevent stop(CUstream stream) {
    record(ended_, stream);
    return ended_;
  }
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
  CUevent began_ = nullptr, ended_ = nullptr;
};

}  // namespace rlc::gpu
