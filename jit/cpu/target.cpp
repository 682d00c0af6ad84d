#include "jit/cpu/target.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/TargetParser/Triple.h>

#include <mutex>

#include "compiler/diagnostics/internal_error.h"
#include "jit/host/out_of_memory.h"

namespace rlc::cpu {

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { host::endOutOfMemory(); });
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
}

const llvm::Target& lookUpTarget() {
  initializeTarget();
  std::string error;
  const llvm::Target* target =
      llvm::TargetRegistry::lookupTarget(llvm::sys::getProcessTriple(), error);
  if (target == nullptr)
    throw InternalError("LLVM has no code generator for this machine: " + error);
  return *target;
}

namespace {

std::unique_ptr<llvm::MCSubtargetInfo> subtarget(const std::string& cpu,
                                                 const std::string& features) {
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      lookUpTarget().createMCSubtargetInfo(llvm::sys::getProcessTriple(), cpu, features));
  if (!info) throw InternalError("LLVM does not describe this machine's processors");
  return info;
}

TargetDescription describe(const std::string& cpu, const std::string& features) {
  TargetDescription target;
  target.cpu = cpu;
  target.features = features;
  const auto info = subtarget(cpu, features);
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  if (triple.isAArch64()) {
    target.vectorRegisters = 32;
  } else if (info->checkFeatures("+avx512f,+avx512vl,+avx512dq,+avx512bw")) {
    target.vectorBytes = 64;
    target.vectorRegisters = 32;
    target.compressesBytes = info->checkFeatures("+avx512vbmi2,+bmi2");
    target.multipliesPairs = info->checkFeatures("+avx512bf16");
  } else if (info->checkFeatures("+avx2,+fma")) {
    target.vectorBytes = 32;
  }
  return target;
}

std::string hostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto& [feature, on] : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature, on);
  return features.getString();
}

}  // namespace

const TargetDescription& host() {
  static const TargetDescription description =
      describe(llvm::sys::getHostCPUName().str(), hostFeatures());
  return description;
}

TargetDescription targetOf(const CompileOptions& options) {
  if (options.targetCpu.empty()) return host();
  const bool x86 = llvm::Triple(llvm::sys::getProcessTriple()).isX86();
  const std::string cpu = options.targetCpu != "baseline" ? options.targetCpu
                          : x86                           ? "x86-64"
                                                          : "generic";
  if (!subtarget("", "")->isCPUStringValid(cpu) ||
      (x86 && !subtarget(cpu, "")->checkFeatures("+64bit")))
    throw UnknownProcessor("there is no processor `" + cpu + "`: native, baseline" +
                           (x86 ? ", x86-64-v2, x86-64-v3 (AVX2), x86-64-v4 (AVX-512)" : "") +
                           " or a name that LLVM knows, such as " + host().cpu);
  return describe(cpu, "");
}

std::vector<std::string> featuresOf(const TargetDescription& target,
                                    std::span<const std::string_view> names) {
  const auto info = subtarget(target.cpu, target.features);
  std::vector<std::string> has;
  for (const std::string_view name : names)
    if (info->checkFeatures("+" + std::string(name))) has.emplace_back(name);
  return has;
}

}  // namespace rlc::cpu
