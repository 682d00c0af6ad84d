#include "tools/device.h"
#include "tools/program.h"

namespace rlc::tools {

std::unique_ptr<Device> makeCpuDevice(const pdg::Graph&, const DeviceOptions&) {
  throw UsageError(
      "this rlc was built without native code generation; --device interp runs the program");
}

}  // namespace rlc::tools
