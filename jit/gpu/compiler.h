// Kernels' text to code for one architecture, kept on disk between runs.
#pragma once

#include <string>

#include "jit/gpu/entry_points.h"

namespace rlc::gpu {

struct CompiledKernels {
  std::string image;  // a cubin, or PTX where the compiler does not know the architecture
  std::string log;    // registers, spills and shared memory of each kernel
  bool cached = false;
  std::string compiler;  // "NVRTC 13.0 (/usr/local/...)"
};

struct CompilerOptions {
  int capability = 90;  // 10 * major + minor of the device
  int driverMajor = 0;  // 0: code that no driver has to load
  bool cache = true;
};

// Throws runtime::DeviceError where there is no compiler, InternalError where it refuses our text.
CompiledKernels compileKernels(const std::string& source, const CompilerOptions& options);

}  // namespace rlc::gpu
