// A loop program on a GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/loops/work.h"
#include "jit/gpu/cublas.h"
#include "jit/gpu/module.h"
#include "jit/runtime/machine.h"

namespace rlc::gpu {

struct MachineOptions {
  bool cache = true;
  MatmulPrecision precision = MatmulPrecision::Exact;
};

struct DeviceDescription {
  std::string name;  // "NVIDIA H200"
  int processors = 0;
  int capability = 0;  // 90
  size_t totalBytes = 0;
  double peakFlops = 0, peakBytes = 0;  // as Device has them; 0: not known
};

// Of the first GPU. Throws runtime::DeviceError where there is none, or no compiler for it.
DeviceDescription describeDevice();

// What the program would take of a GPU; it can't run.
std::unique_ptr<runtime::Machine> planMachine(const loops::Program& program,
                                              const GenerateOptions& options);

// Generates, compiles and loads the program's kernels. The program outlives the machine. Throws
// runtime::DeviceError.
std::unique_ptr<runtime::Machine> makeMachine(const loops::Program& program,
                                              const MachineOptions& options);

// What a profile tells of kernels, in the order of RunRequest::regionSeconds.
struct KernelFacts {
  std::string name;
  std::vector<const loops::Stmt*> parts;  // of KernelsFacts::program
  loops::Work launchWork;                 // that each launch does beside them
  std::optional<DType> tensorCores;       // as Kernel has it
  int registers = 0;                      // of a thread
};
struct KernelsFacts {
  std::shared_ptr<const loops::Program> program;
  std::vector<KernelFacts> kernels;
  double peakFlops = 0, peakTensorFlops = 0, peakBytes = 0;  // as Device has them
};

// Of a machine that makeMachine made.
KernelsFacts kernelsOf(const runtime::Machine& machine);

}  // namespace rlc::gpu
