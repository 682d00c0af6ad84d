#include "jit/gpu/compiler.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/types/lists.h"
#include "jit/cpu/disk_cache.h"
#include "jit/gpu/module.h"
#include "jit/runtime/machine.h"

namespace rlc::gpu {

namespace {

// Codes of nvrtc.h.
constexpr int kRefused = 6, kNoBuiltins = 7;

// The architecture to ask for, and whether that is code for the device rather than PTX.
std::string architecture(const Nvrtc& compiler, int capability, bool& binary) {
  int count = 0;
  compiler.nvrtcGetNumSupportedArchs(&count);
  std::vector<int> known(static_cast<size_t>(std::max(count, 1)));
  if (count > 0) compiler.nvrtcGetSupportedArchs(known.data());
  binary = contains(known, capability);
  if (binary) return "-arch=sm_" + std::to_string(capability);
  int best = 0;
  for (int arch : known)
    if (arch <= capability) best = std::max(best, arch);
  if (best == 0)
    throw InternalError("NVRTC " + std::to_string(compiler.major) +
                        " has no code for compute capability " + std::to_string(capability));
  return "-arch=compute_" + std::to_string(best);
}

}  // namespace

CompiledKernels compileKernels(const std::string& source, const CompilerOptions& options) {
  const Nvrtc& compiler = nvrtc(options.driverMajor);
  bool binary = true;
  // The same rounding as on the processor: no contraction, denormals kept, division and square root
  // correctly rounded.
  std::vector<std::string> flags = {architecture(compiler, options.capability, binary),
                                    "-std=c++20",
                                    "-default-device",
                                    "-fmad=false",
                                    "-ftz=false",
                                    "-prec-div=true",
                                    "-prec-sqrt=true",
                                    "-w"};
  if (binary) flags.push_back("-Xptxas=-v");
  // Kernels side by side, on all of the processor's threads.
  if (compiler.major >= 13) flags.push_back("-split-compile=0");
  CompiledKernels result;
  result.compiler = "NVRTC " + std::to_string(compiler.major) + "." +
                    std::to_string(compiler.minor) + " (" + compiler.path + ")";
  std::string hashed;
  for (const std::string& flag : flags) hashed += flag + '\0';
  hashed += result.compiler + '\0' + source;
  for (const Header& header : deviceHeaders()) hashed += '\0' + std::string(header.text);
  const std::string key = "gpu-" + cpu::hashOf(hashed);
  const cpu::DiskCache cache;
  // The log stands before the image.
  if (options.cache) {
    if (const auto kept = cache.find(key)) {
      const size_t end = kept->find('\0');
      if (end != std::string::npos) {
        result.log = kept->substr(0, end);
        result.image = kept->substr(end + 1);
        result.cached = true;
        return result;
      }
    }
  }
  std::vector<const char*> texts, names, arguments;
  for (const Header& header : deviceHeaders()) {
    texts.push_back(header.text);
    names.push_back(header.name);
  }
  for (const std::string& flag : flags) arguments.push_back(flag.c_str());
  nvrtcProgram program = nullptr;
  if (compiler.nvrtcCreateProgram(&program, source.c_str(), "kernels.cu",
                                  static_cast<int>(texts.size()), texts.data(), names.data()) != 0)
    throw runtime::DeviceError(result.compiler + " could not be started");
  const int status =
      compiler.nvrtcCompileProgram(program, static_cast<int>(arguments.size()), arguments.data());
  size_t bytes = 0;
  if (compiler.nvrtcGetProgramLogSize(program, &bytes) == 0 && bytes > 1) {
    result.log.resize(bytes);
    compiler.nvrtcGetProgramLog(program, result.log.data());
    result.log.erase(std::min(result.log.find('\0'), result.log.size()));
  }
  if (status == 0) {
    (binary ? compiler.nvrtcGetCUBINSize : compiler.nvrtcGetPTXSize)(program, &bytes);
    result.image.resize(bytes);
    (binary ? compiler.nvrtcGetCUBIN : compiler.nvrtcGetPTX)(program, result.image.data());
  }
  compiler.nvrtcDestroyProgram(&program);
  if (status == kNoBuiltins)
    throw runtime::DeviceError(result.compiler + " can't open its library " + compiler.builtins() +
                               ": install all of the NVRTC package, or set RLC_CUDA_PATH to the "
                               "folder that has both");
  if (status != 0 && status != kRefused)
    throw runtime::DeviceError(result.compiler + " failed (error " + std::to_string(status) + ")" +
                               (result.log.empty() ? "" : ":\n" + result.log.substr(0, 4000)));
  if (status == kRefused)
    throw InternalError("the GPU's compiler refused generated code (" + result.compiler + "):\n" +
                        result.log.substr(0, 4000));
  if (options.cache) cache.keep(key, result.log + '\0' + result.image);
  return result;
}

}  // namespace rlc::gpu
