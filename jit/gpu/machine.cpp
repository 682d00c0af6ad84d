#include "jit/gpu/machine.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "compiler/diagnostics/internal_error.h"
#include "jit/gpu/compiler.h"
#include "jit/gpu/device.h"
#include "jit/gpu/execution.h"
#include "jit/host/machine_memory.h"
#include "jit/runtime/format.h"

namespace rlc::gpu {

namespace {

// Options that follow from the device; $RLC_GPU_GRID_WORK and $RLC_GPU_PRODUCT_WORK override what a
// launch over the whole device and a product of matrices must have to do.
GenerateOptions optionsFor(const Device& device, MatmulPrecision precision) {
  GenerateOptions options;
  const int most = std::max(1, device.mostThreads());
  options.threads =
      std::min(options.threads, static_cast<int>(std::bit_floor(static_cast<unsigned>(most))));
  options.teamThreads =
      std::min(options.teamThreads, static_cast<int>(std::bit_floor(static_cast<unsigned>(most))));
  options.tensorCores = device.capability() >= 80;
  options.roundFactors = precision == MatmulPrecision::Tf32;
  options.library = [major = device.driverMajor()] { return cublas(major) != nullptr; };
  if (const char* work = std::getenv("RLC_GPU_PRODUCT_WORK"))
    options.productWork = std::strtod(work, nullptr);
  if (const char* work = std::getenv("RLC_GPU_GRID_WORK"))
    options.gridWork = std::strtod(work, nullptr);
  return options;
}

// What a program takes of a GPU's memory and of its host's.
class PlannedMachine : public runtime::Machine {
 public:
  explicit PlannedMachine(Module module) : module_(std::move(module)) {}

  int64_t scratchBytes(int) const override { return module_.scratchBytes + 8 * module_.frameSlots; }
  int64_t overflowBytes() const override { return host::machineMemory() / 4 * 3; }
  std::string noOverflowRoom(int64_t bytes) const override {
    return "the program needs " + runtime::sizeText(bytes) +
           " of the host's memory beside the GPU's, and may use " +
           runtime::sizeText(overflowBytes()) +
           "\nhint: a larger --memory-limit leaves more on the GPU";
  }
  // Half of it is filled while a kernel works with the other.
  int64_t transferBytes(int64_t left) const override { return left / 4; }
  std::unique_ptr<runtime::Execution> prepare() const override {
    throw InternalError("a plan without a GPU can't run");
  }

 protected:
  Module module_;
};

class GpuMachine : public PlannedMachine {
 public:
  GpuMachine(const loops::Program& program, const MachineOptions& options,
             std::unique_ptr<Device> device = std::make_unique<Device>())
      : PlannedMachine(generate(program, optionsFor(*device, options.precision))),
        device_(std::move(device)),
        precision_(options.precision) {
    CompilerOptions settings;
    settings.capability = device_->capability();
    settings.driverMajor = device_->driverMajor();
    settings.cache = options.cache;
    const CompiledKernels code = compileKernels(module_.source, settings);
    device_->check(device_->api().cuModuleLoadData(&loaded_, code.image.c_str()),
                   "loading kernels that " + code.compiler + " compiled");
    for (const Kernel& kernel : module_.kernels) functions_.push_back(function(kernel.name));
    set_ = function("rlc_set");
  }

  ~GpuMachine() override { device_->api().cuModuleUnload(loaded_); }

  std::unique_ptr<runtime::Execution> prepare() const override {
    device_->makeCurrent();
    return makeExecution(*device_, module_, functions_, set_, precision_);
  }

  KernelsFacts facts() const {
    constexpr int kRegisters = 4;
    KernelsFacts result{module_.program,
                        {},
                        device_->peakFlops(),
                        device_->peakTensorFlops(),
                        device_->peakBytes()};
    for (size_t k = 0; k < functions_.size(); ++k) {
      const Kernel& kernel = module_.kernels[k];
      KernelFacts& facts = result.kernels.emplace_back(
          KernelFacts{kernel.name, kernel.parts, kernel.launchWork, kernel.tensorCores, 0});
      device_->check(device_->api().cuFuncGetAttribute(&facts.registers, kRegisters, functions_[k]),
                     "asking what the kernel " + kernel.name + " takes");
    }
    return result;
  }

 private:
  CUfunction function(const std::string& name) const {
    CUfunction found = nullptr;
    device_->check(device_->api().cuModuleGetFunction(&found, loaded_, name.c_str()),
                   "looking for the kernel " + name);
    return found;
  }

  std::unique_ptr<Device> device_;
  MatmulPrecision precision_;
  CUmodule loaded_ = nullptr;
  std::vector<CUfunction> functions_;
  CUfunction set_ = nullptr;
};

}  // namespace

DeviceDescription describeDevice() {
  const Device device;
  nvrtc(device.driverMajor());
  return {device.name(),       device.processors(), device.capability(),
          device.totalBytes(), device.peakFlops(),  device.peakBytes()};
}

std::unique_ptr<runtime::Machine> planMachine(const loops::Program& program,
                                              const GenerateOptions& options) {
  return std::make_unique<PlannedMachine>(generate(program, options));
}

std::unique_ptr<runtime::Machine> makeMachine(const loops::Program& program,
                                              const MachineOptions& options) {
  return std::make_unique<GpuMachine>(program, options);
}

KernelsFacts kernelsOf(const runtime::Machine& machine) {
  return dynamic_cast<const GpuMachine&>(machine).facts();
}

}  // namespace rlc::gpu
