// What generated kernels and the host agree on; device/prelude.h has the same structures.
#pragma once

#include <cstdint>

#include "jit/gpu/entry_points.h"

namespace rlc::gpu {

struct DeviceFault {
  int32_t state = 0;  // 0: none, 1: being written, 2: complete
  int32_t number = -1;
  int32_t count = 0;
  int32_t unused = 0;
  int64_t root = -1;
  int64_t iteration = INT64_MIN;
  int64_t coordinates[32] = {};
};

constexpr int kMostTransfers = 8;      // of a kernel
constexpr size_t kMostGivenLoops = 8;  // of a kernel

struct DeviceRun {
  CUdeviceptr arena = 0, swapped = 0, parameters = 0, scratch = 0, frame = 0, fault = 0, stop = 0;
  uint64_t seed = 0;
  int64_t firstBlock = 0;
  CUdeviceptr copies[kMostTransfers] = {};
  int64_t loops[kMostGivenLoops] = {};
  uint64_t given = 0;
};
static_assert(sizeof(DeviceRun) == 80 + 8 * (kMostTransfers + kMostGivenLoops));

}  // namespace rlc::gpu
