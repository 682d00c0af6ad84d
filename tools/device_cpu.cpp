// Native code for this machine's processor.
#include "tools/native_device.h"

namespace rlc::tools {

std::unique_ptr<Device> makeCpuDevice(const pdg::Graph& graph, const DeviceOptions& options) {
  const auto make = [](const loops::Program& program) {
    return std::make_unique<native::CpuMachine>(program, cpu::CompileOptions());
  };
  const int threads = threadsOf(options);
  return makeNativeDevice(graph, options, make, [threads] {
    return "cpu (" + std::to_string(threads) + (threads == 1 ? " thread)" : " threads)");
  });
}

}  // namespace rlc::tools
