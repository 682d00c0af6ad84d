#include "tools/device.h"

#include "compiler/diagnostics/internal_error.h"

namespace rlc::tools {

std::unique_ptr<Device> makeDevice(const std::string& name, const pdg::Graph& graph,
                                   const DeviceOptions& options) {
  if (name == "interp") return makeInterpreterDevice(graph, options);
  if (name == "cpu") return makeCpuDevice(graph, options);
  if (name == "auto") return makeAutoDevice(graph, options);
  if (name == "gpu") return makeGpuDevice(graph, options);
  throw InternalError("there is no device " + name);
}

}  // namespace rlc::tools
