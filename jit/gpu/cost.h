// Whether a program is worth a GPU.
#pragma once

#include "jit/gpu/machine.h"

namespace rlc::gpu {

// Compares estimates of both times: arithmetic by loops and their width, over rates that are round
// numbers of the order of real ones.
bool paysOnGpu(const loops::Program& program, const DeviceDescription& device, int threads);

}  // namespace rlc::gpu
