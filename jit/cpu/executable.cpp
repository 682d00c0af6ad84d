#include "jit/cpu/executable.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/cache_key.h"
#include "jit/cpu/disk_cache.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/module.h"
#include "jit/cpu/parts.h"
#include "jit/cpu/target.h"
#include "jit/host/calls.h"
#include "jit/host/out_of_memory.h"

namespace rlc::cpu {

namespace {

template <class T>
T orThrow(llvm::Expected<T> value) {
  if (!value) throw InternalError("linking compiled code: " + llvm::toString(value.takeError()));
  return std::move(*value);
}

void orThrow(llvm::Error error) {
  if (error) throw InternalError("linking compiled code: " + llvm::toString(std::move(error)));
}

std::string nameOf(const llvm::object::SymbolRef& symbol) {
  auto found = symbol.getName();
  if (found) return found->str();
  llvm::consumeError(found.takeError());
  return {};
}

// An object's functions, by their names and places in it.
struct FunctionSymbol {
  std::string name;
  uint64_t value = 0, size = 0;
  bool global = false;
};

std::vector<FunctionSymbol> functionsOf(std::string_view object) {
  std::vector<FunctionSymbol> functions;
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), "rlc"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return functions;
  }
  for (const llvm::object::ELFSymbolRef symbol : (*file)->symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_FUNC) continue;
    auto value = symbol.getValue();
    if (!value) {
      llvm::consumeError(value.takeError());
      continue;
    }
    functions.push_back(
        {nameOf(symbol), *value, symbol.getSize(), symbol.getBinding() == llvm::ELF::STB_GLOBAL});
  }
  return functions;
}

// Functions' addresses for `perf`: all of an object lie in one section, at its distances from a
// function whose address is known.
void writePerfMap(std::string_view object, llvm::orc::LLJIT& jit) {
  const std::vector<FunctionSymbol> functions = functionsOf(object);
  const auto known = std::ranges::find_if(functions, [](const auto& f) { return f.global; });
  if (known == functions.end()) return;
  const uint64_t base = orThrow(jit.lookup(known->name)).getValue() - known->value;
  std::FILE* map = std::fopen(("/tmp/perf-" + std::to_string(getpid()) + ".map").c_str(), "a");
  if (map == nullptr) return;
  for (const FunctionSymbol& function : functions)
    std::fprintf(map, "%llx %llx %s\n", static_cast<unsigned long long>(base + function.value),
                 static_cast<unsigned long long>(function.size), function.name.c_str());
  std::fclose(map);
}

// What goes wrong while code is linked, before the symbol that was asked for is told missing.
void reportLinking(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase& info) {
    if (info.convertToErrorCode() == std::errc::not_enough_memory) host::endOutOfMemory();
    std::fprintf(stderr, "rlc: linking compiled code: %s\n", info.message().c_str());
  });
}

class Linked : public Executable {
 public:
  Linked(std::vector<std::string> objects, const CompileTimes& times, std::string key,
         int64_t arenaBytes, bool perfMap)
      : times_(times), key_(std::move(key)), objects_(std::move(objects)) {
    const host::EndsOutOfMemory noWayBack;
    kernel_.arenaBytes = arenaBytes;
    const double start = now();
    initializeTarget();  // code from the cache has been made by another process
    auto builder = llvm::orc::LLJITBuilder();
    auto target = orThrow(llvm::orc::JITTargetMachineBuilder::detectHost());
    builder.setJITTargetMachineBuilder(std::move(target));
    jit_ = orThrow(builder.create());
    jit_->getExecutionSession().setErrorReporter(reportLinking);
    auto& library = jit_->getMainJITDylib();
    llvm::orc::SymbolMap runtime;
    for (const host::RuntimeSymbol& symbol : host::runtimeSymbols())
      runtime[jit_->mangleAndIntern(symbol.name)] = {
          llvm::orc::ExecutorAddr::fromPtr(symbol.address), llvm::JITSymbolFlags::Exported};
    orThrow(library.define(llvm::orc::absoluteSymbols(std::move(runtime))));
    library.addGenerator(orThrow(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        jit_->getDataLayout().getGlobalPrefix())));
    for (const std::string& object : objects_)
      orThrow(jit_->addObjectFile(llvm::MemoryBuffer::getMemBuffer(object, "rlc", false)));
    kernel_.main = orThrow(jit_->lookup(Emitter::kEntry)).toPtr<void (*)(host::KernelContext*)>();
    kernel_.scratchBytes = *orThrow(jit_->lookup(Emitter::kScratch)).toPtr<const int64_t*>();
    kernel_.threadScratchBytes =
        *orThrow(jit_->lookup(Emitter::kThreadScratch)).toPtr<const int64_t*>();
    if (perfMap || std::getenv("RLC_PERF_MAP") != nullptr)
      for (const std::string& object : objects_) writePerfMap(object, *jit_);
    times_.link = now() - start;
  }

  const Kernel& kernel() const override { return kernel_; }
  const CompileTimes& times() const override { return times_; }
  std::span<const std::string> objects() const override { return objects_; }
  const std::string& key() const override { return key_; }

 private:
  CompileTimes times_;
  std::string key_;
  Kernel kernel_;
  std::vector<std::string> objects_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace

namespace {

// As one entry of the cache: how many, their sizes, the objects.
std::string joined(const std::vector<std::string>& objects) {
  std::string text = std::to_string(objects.size());
  for (const std::string& object : objects) text += " " + std::to_string(object.size());
  text += "\n";
  for (const std::string& object : objects) text += object;
  return text;
}

// Nothing where the entry is of another kind.
std::vector<std::string> separated(const std::string& entry) {
  const size_t line = entry.find('\n');
  if (line == std::string::npos) return {};
  std::istringstream head(entry.substr(0, line));
  size_t count = 0, at = line + 1;
  std::vector<std::string> objects;
  head >> count;
  for (size_t size = 0; head >> size && size <= entry.size() - at; at += size)
    objects.push_back(entry.substr(at, size));
  return objects.size() == count && at == entry.size() ? objects : std::vector<std::string>();
}

// The objects of an optimized module, each part by a thread.
std::vector<std::string> generateCode(std::unique_ptr<llvm::Module> module,
                                      const CompileOptions& options,
                                      const TargetDescription& target) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int parts = options.dump        ? 1
                    : options.parts > 0 ? options.parts
                                        : worthwhileParts(*module, cores);
  return generateInParts(std::move(module), parts, [&](llvm::Module& part) {
    const auto machine = makeTargetMachine(target, options.optimization);
    optimizeEach(part, *machine, options.optimization);
    if (options.dump) options.dump("optimized", printModule(part));
    return generateObject(part, *machine);
  });
}

std::vector<std::string> makeObjects(const loops::Program& program, const CompileOptions& options,
                                     CompileTimes& times) {
  const host::EndsOutOfMemory noWayBack;
  const TargetDescription target = targetOf(options);
  const auto machine = makeTargetMachine(target, options.optimization);
  llvm::LLVMContext context;
  auto module = emitModule(program, options, context, *machine, target, times);
  if (options.dump) options.dump("llvm", printModule(*module));
  double start = now();
  optimizeTogether(*module, *machine, options.optimization);
  times.optimize = now() - start;
  start = now();
  std::vector<std::string> objects = generateCode(std::move(module), options, target);
  times.generate = now() - start;
  return objects;
}

}  // namespace

std::unique_ptr<Executable> keptExecutable(const std::string& key, int64_t arenaBytes,
                                           const CompileOptions& options) {
  const auto entry = DiskCache(options.cacheFolder).find(key + ".o");
  if (!entry) return nullptr;
  std::vector<std::string> objects = separated(*entry);
  if (objects.empty()) return nullptr;
  CompileTimes times;
  times.cached = true;
  return std::make_unique<Linked>(std::move(objects), times, key, arenaBytes, options.perfMap);
}

std::unique_ptr<Executable> compile(const loops::Program& program, const CompileOptions& options) {
  CompileTimes times;
  const bool cached = options.cache && !options.timeRegions;
  const std::string key = cached ? cacheKey(program, options) : std::string();
  if (cached)
    if (auto kept = keptExecutable(key, program.arenaBytes, options)) return kept;
  std::vector<std::string> objects = makeObjects(program, options, times);
  if (cached) DiskCache(options.cacheFolder).keep(key + ".o", joined(objects));
  return std::make_unique<Linked>(std::move(objects), times, key, program.arenaBytes,
                                  options.perfMap);
}

namespace {

std::string optimizedText(const loops::Program& program, const CompileOptions& options,
                          bool assembly) {
  const host::EndsOutOfMemory noWayBack;
  CompileTimes times;
  const TargetDescription target = targetOf(options);
  const auto machine = makeTargetMachine(target, options.optimization);
  llvm::LLVMContext context;
  auto module = emitModule(program, options, context, *machine, target, times);
  optimizeTogether(*module, *machine, options.optimization);
  optimizeEach(*module, *machine, options.optimization);
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
