// One run of a module: its memory, its launches, and what the host reads meanwhile.
#pragma once

#include <memory>
#include <vector>

#include "jit/gpu/cublas.h"
#include "jit/gpu/device.h"
#include "jit/gpu/module.h"
#include "jit/runtime/machine.h"

namespace rlc::gpu {

// Everything outlives the execution.
std::unique_ptr<runtime::Execution> makeExecution(const Device& device, const Module& module,
                                                  const std::vector<CUfunction>& kernels,
                                                  CUfunction set, MatmulPrecision precision);

}  // namespace rlc::gpu
