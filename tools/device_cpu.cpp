// Native code for this machine's processor.
#include "tools/native_device.h"

namespace rlc::tools {

cpu::CompileOptions cpuOptions(const DeviceOptions& options) {
  cpu::CompileOptions compile;
  compile.vectorWidth = options.vectorWidth;
  compile.roundFactors = options.matmul == MatmulPrecision::Bf16;
  return compile;
}

std::unique_ptr<Device> makeCpuDevice(const pdg::Graph& graph, const DeviceOptions& options) {
  const native::MachineMaker make{[compile = cpuOptions(options)](const loops::Program& program) {
    return std::make_unique<native::CpuMachine>(program, compile);
  }};
  const int threads = threadsOf(options);
  return makeNativeDevice(graph, options, make, [threads] {
    return "cpu (" + std::to_string(threads) + (threads == 1 ? " thread)" : " threads)");
  });
}

}  // namespace rlc::tools
