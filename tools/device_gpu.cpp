// Kernels on a GPU, and the choice between it and the processor. CUDA is looked for at run time
// only.
#include "jit/gpu/cost.h"
#include "tools/native_device.h"

namespace rlc::tools {

gpu::MachineOptions gpuOptions(const DeviceOptions& options) {
  gpu::MachineOptions result;
  result.precision = options.matmul == MatmulPrecision::F32 ? gpu::MatmulPrecision::Exact
                                                            : gpu::MatmulPrecision::Tf32;
  return result;
}

bool gpuIsThere() {
  try {
    gpu::describeDevice();
    return true;
  } catch (const runtime::DeviceError&) {
    return false;
  }
}

std::unique_ptr<Device> makeGpuDevice(const pdg::Graph& graph, const DeviceOptions& options) {
  const std::string name = gpu::describeDevice().name;
  const native::MachineMaker make{[settings = gpuOptions(options)](const loops::Program& program) {
                                    return gpu::makeMachine(program, settings);
                                  },
                                  schedule::LaneKind::Threads};
  return makeNativeDevice(graph, options, make, [name] { return "gpu (" + name + ")"; });
}

std::unique_ptr<Device> makeAutoDevice(const pdg::Graph& graph, const DeviceOptions& options) {
  gpu::DeviceDescription device;
  try {
    device = gpu::describeDevice();
  } catch (const runtime::DeviceError&) {
    return makeCpuDevice(graph, options);
  }
  const auto chosen = std::make_shared<std::string>("cpu");
  const int threads = threadsOf(options);
  const native::MachineMaker make{
      [device, threads, chosen, compile = cpuOptions(options), settings = gpuOptions(options)](
          const loops::Program& program) -> std::unique_ptr<native::Machine> {
        if (!gpu::paysOnGpu(program, device, threads))
          return std::make_unique<native::CpuMachine>(program, compile);
        *chosen = "gpu (" + device.name + ")";
        return gpu::makeMachine(program, settings);
      },
      schedule::LaneKind::Threads};
  return makeNativeDevice(graph, options, make, [chosen] { return *chosen; });
}

}  // namespace rlc::tools
