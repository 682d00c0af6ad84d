// Native code for this machine's processor.
#include "tools/native_device.h"

namespace rlc::tools {

std::unique_ptr<Device> makeCpuDevice(const pdg::Graph& graph, const DeviceOptions& options) {
  cpu::CompileOptions compile;
  compile.vectorWidth = options.vectorWidth;
  const native::MachineMaker make{[compile](const loops::Program& program) {
    return std::make_unique<native::CpuMachine>(program, compile);
  }};
  const int threads = threadsOf(options);
  return makeNativeDevice(graph, options, make, [threads] {
    return "cpu (" + std::to_string(threads) + (threads == 1 ? " thread)" : " threads)");
  });
}

}  // namespace rlc::tools
