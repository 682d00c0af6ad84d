// Whether a program is worth a GPU.
#pragma once

#include "jit/gpu/machine.h"

namespace rlc::gpu {

// Compares estimates of both times. Of a loop over lanes the larger of its arithmetic, at a rate
// that grows with its width until the device is full, and of what it stores, where no cache holds
// the program; a launch each time that it begins; arithmetic outside of such loops by one thread.
bool paysOnGpu(const loops::Program& program, const DeviceDescription& device, int threads);

}  // namespace rlc::gpu
