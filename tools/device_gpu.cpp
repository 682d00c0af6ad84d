// CUDA is looked for at run time only.
#include <dlfcn.h>

#include "tools/device.h"
#include "tools/program.h"

namespace rlc::tools {

std::unique_ptr<Device> makeGpuDevice(const pdg::Graph&, const DeviceOptions&) {
  std::string missing;
  for (const char* library : {"libcuda.so.1", "libnvrtc.so"}) {
    if (void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL)) {
      dlclose(handle);
    } else {
      missing += (missing.empty() ? "" : " and ") + std::string(library);
    }
  }
  if (!missing.empty())
    throw UsageError("there is no GPU to run on: " + missing +
                     " could not be opened (looked in LD_LIBRARY_PATH and the system's folders)");
  throw UsageError(
      "this rlc was built without code generation for GPUs; --device cpu runs the program");
}

}  // namespace rlc::tools
