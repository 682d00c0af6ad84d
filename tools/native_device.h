// Devices that run compiled code: the pipeline of passes, then jit/native on one machine or
// another.
#pragma once

#include "jit/gpu/machine.h"
#include "jit/native/machine.h"
#include "jit/native/native_program.h"
#include "jit/runtime/machine.h"
#include "tools/device.h"
#include "tools/status.h"

namespace rlc::tools {

// `description` is asked once the machine has been made.
std::unique_ptr<Device> makeNativeDevice(const pdg::Graph& graph, const DeviceOptions& options,
                                         const native::MachineMaker& make,
                                         const std::function<std::string()>& description);

// After the pipeline of passes that the options leave.
pdg::Graph optimized(const pdg::Graph& graph, const DeviceOptions& options);

cpu::CompileOptions cpuOptions(const DeviceOptions& options);
gpu::MachineOptions gpuOptions(const DeviceOptions& options);

// What `make` makes. A program that doesn't fit is the command line's mistake where that set a
// limit (0: none); otherwise it is the machine that is too small.
template <class Make>
auto fitting(int64_t memoryLimit, const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const native::DoesNotFit& error) {
    if (memoryLimit == 0) throw runtime::DeviceError(error.what());
    throw UsageError(error.what());
  }
}

// The threads to use: those asked for, or one for each core.
int threadsOf(const DeviceOptions& options);

}  // namespace rlc::tools
