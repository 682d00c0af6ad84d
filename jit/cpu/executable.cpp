#include "jit/cpu/executable.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/cache_key.h"
#include "jit/cpu/disk_cache.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/module.h"
#include "jit/cpu/target.h"
#include "jit/host/calls.h"

namespace rlc::cpu {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class T>
T orThrow(llvm::Expected<T> value) {
  if (!value) throw InternalError("linking compiled code: " + llvm::toString(value.takeError()));
  return std::move(*value);
}

void orThrow(llvm::Error error) {
  if (error) throw InternalError("linking compiled code: " + llvm::toString(std::move(error)));
}

// Functions' addresses for `perf`: all lie in one section, at the object file's distances from the
// entry.
void writePerfMap(std::string_view object, const void* entry) {
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), "rlc"));
  if (!file) return llvm::consumeError(file.takeError());
  const auto value = [](const llvm::object::SymbolRef& symbol) {
    auto found = symbol.getValue();
    if (found) return *found;
    llvm::consumeError(found.takeError());
    return uint64_t{0};
  };
  const auto nameOf = [](const llvm::object::SymbolRef& symbol) {
    auto found = symbol.getName();
    if (found) return found->str();
    llvm::consumeError(found.takeError());
    return std::string();
  };
  uint64_t entryValue = 0;
  for (const auto& symbol : (*file)->symbols())
    if (nameOf(symbol) == Emitter::kEntry) entryValue = value(symbol);
  std::FILE* map = std::fopen(("/tmp/perf-" + std::to_string(getpid()) + ".map").c_str(), "a");
  if (map == nullptr) return;
  for (const llvm::object::ELFSymbolRef symbol : (*file)->symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_FUNC) continue;
    const auto address = reinterpret_cast<uint64_t>(entry) + value(symbol) - entryValue;
    std::fprintf(map, "%llx %llx %s\n", static_cast<unsigned long long>(address),
                 static_cast<unsigned long long>(symbol.getSize()), nameOf(symbol).c_str());
  }
  std::fclose(map);
}

class Linked : public Executable {
 public:
  Linked(std::unique_ptr<llvm::MemoryBuffer> object, const CompileTimes& times, std::string key,
         int64_t arenaBytes, bool perfMap)
      : times_(times), key_(std::move(key)) {
    kernel_.arenaBytes = arenaBytes;
    const double start = now();
    object_.assign(object->getBufferStart(), object->getBufferEnd());
    initializeTarget();  // code from the cache has been made by another process
    auto builder = llvm::orc::LLJITBuilder();
    auto target = orThrow(llvm::orc::JITTargetMachineBuilder::detectHost());
    builder.setJITTargetMachineBuilder(std::move(target));
    jit_ = orThrow(builder.create());
    auto& library = jit_->getMainJITDylib();
    llvm::orc::SymbolMap runtime;
    for (const host::RuntimeSymbol& symbol : host::runtimeSymbols())
      runtime[jit_->mangleAndIntern(symbol.name)] = {
          llvm::orc::ExecutorAddr::fromPtr(symbol.address), llvm::JITSymbolFlags::Exported};
    orThrow(library.define(llvm::orc::absoluteSymbols(std::move(runtime))));
    library.addGenerator(orThrow(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        jit_->getDataLayout().getGlobalPrefix())));
    orThrow(jit_->addObjectFile(std::move(object)));
    kernel_.main = orThrow(jit_->lookup(Emitter::kEntry)).toPtr<void (*)(host::KernelContext*)>();
    kernel_.scratchBytes = *orThrow(jit_->lookup(Emitter::kScratch)).toPtr<const int64_t*>();
    kernel_.threadScratchBytes =
        *orThrow(jit_->lookup(Emitter::kThreadScratch)).toPtr<const int64_t*>();
    if (perfMap || std::getenv("RLC_PERF_MAP") != nullptr)
      writePerfMap(object_, reinterpret_cast<const void*>(kernel_.main));
    times_.link = now() - start;
  }

  const Kernel& kernel() const override { return kernel_; }
  const CompileTimes& times() const override { return times_; }
  std::string_view object() const override { return object_; }
  const std::string& key() const override { return key_; }

 private:
  CompileTimes times_;
  std::string key_;
  Kernel kernel_;
  std::string object_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace

std::unique_ptr<Executable> keptExecutable(const std::string& key, int64_t arenaBytes,
                                           const CompileOptions& options) {
  const auto object = DiskCache(options.cacheFolder).find(key + ".o");
  if (!object) return nullptr;
  CompileTimes times;
  times.cached = true;
  return std::make_unique<Linked>(llvm::MemoryBuffer::getMemBufferCopy(*object, "rlc"), times, key,
                                  arenaBytes, options.perfMap);
}

std::unique_ptr<Executable> compile(const loops::Program& program, const CompileOptions& options) {
  CompileTimes times;
  const bool cached = options.cache && !options.timeRegions;
  const std::string key = cached ? cacheKey(program, options) : std::string();
  if (cached)
    if (auto kept = keptExecutable(key, program.arenaBytes, options)) return kept;
  const TargetDescription target = targetOf(options);
  const auto machine = makeTargetMachine(target, options.optimization);
  llvm::LLVMContext context;
  auto module = emitModule(program, options, context, *machine, target, times);
  if (options.dump) options.dump("llvm", printModule(*module));
  double start = now();
  optimize(*module, *machine, options.optimization);
  times.optimize = now() - start;
  if (options.dump) options.dump("optimized", printModule(*module));
  start = now();
  auto object = generateObject(*module, *machine);
  times.generate = now() - start;
  if (cached)
    DiskCache(options.cacheFolder)
        .keep(key + ".o", std::string_view(object->getBufferStart(), object->getBufferSize()));
  return std::make_unique<Linked>(std::move(object), times, key, program.arenaBytes,
                                  options.perfMap);
}

namespace {

std::string optimizedText(const loops::Program& program, const CompileOptions& options,
                          bool assembly) {
  CompileTimes times;
  const TargetDescription target = targetOf(options);
  const auto machine = makeTargetMachine(target, options.optimization);
  llvm::LLVMContext context;
  auto module = emitModule(program, options, context, *machine, target, times);
  optimize(*module, *machine, options.optimization);
  return assembly ? printAssembly(*module, *machine) : printModule(*module);
}

}  // namespace

std::string llvmText(const loops::Program& program, const CompileOptions& options) {
  return optimizedText(program, options, false);
}

std::string assemblyText(const loops::Program& program, const CompileOptions& options) {
  return optimizedText(program, options, true);
}

}  // namespace rlc::cpu
