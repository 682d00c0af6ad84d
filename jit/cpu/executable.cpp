#include "jit/cpu/executable.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/cache.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/module.h"
#include "jit/cpu/runtime.h"

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

struct FreeAligned {
  void operator()(char* p) const { std::free(p); }
};
using AlignedBytes = std::unique_ptr<char, FreeAligned>;

AlignedBytes allocateAligned(int64_t bytes) {
  if (bytes == 0) return nullptr;
  void* p = std::aligned_alloc(64, static_cast<size_t>((bytes + 63) / 64 * 64));
  if (p == nullptr) throw std::bad_alloc();
  return AlignedBytes(static_cast<char*>(p));
}

// Functions' addresses for `perf`: all lie in one section, at the object file's distances from the entry.
void writePerfMap(std::string_view object, const void* entry) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), "rlc"));
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
    std::fprintf(map, "%llx %llx %s\n", static_cast<unsigned long long>(address), static_cast<unsigned long long>(symbol.getSize()),
                 nameOf(symbol).c_str());
  }
  std::fclose(map);
}

class Linked : public Executable {
 public:
  Linked(std::unique_ptr<llvm::MemoryBuffer> object, const CompileTimes& times, const loops::Program& program, bool perfMap)
      : times_(times), arenaBytes_(program.arenaBytes) {
    const double start = now();
    object_.assign(object->getBufferStart(), object->getBufferEnd());
    initializeTarget();  // code from the cache has been made by another process
    auto builder = llvm::orc::LLJITBuilder();
    auto target = orThrow(llvm::orc::JITTargetMachineBuilder::detectHost());
    builder.setJITTargetMachineBuilder(std::move(target));
    jit_ = orThrow(builder.create());
    auto& library = jit_->getMainJITDylib();
    llvm::orc::SymbolMap runtime;
    for (const RuntimeSymbol& symbol : runtimeSymbols())
      runtime[jit_->mangleAndIntern(symbol.name)] = {llvm::orc::ExecutorAddr::fromPtr(symbol.address), llvm::JITSymbolFlags::Exported};
    orThrow(library.define(llvm::orc::absoluteSymbols(std::move(runtime))));
    library.addGenerator(orThrow(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit_->getDataLayout().getGlobalPrefix())));
    orThrow(jit_->addObjectFile(std::move(object)));
    main_ = orThrow(jit_->lookup(Emitter::kEntry)).toPtr<void (*)(KernelContext*)>();
    scratch_ = *orThrow(jit_->lookup(Emitter::kScratch)).toPtr<const int64_t*>();
    threadScratch_ = *orThrow(jit_->lookup(Emitter::kThreadScratch)).toPtr<const int64_t*>();
    if (perfMap || std::getenv("RLC_PERF_MAP") != nullptr) writePerfMap(object_, reinterpret_cast<const void*>(main_));
    times_.link = now() - start;
  }

  Outcome run(const RunContext& context) const override {
    static const std::atomic<bool> never{false};
    if (context.arenaBytes < arenaBytes_) throw InternalError("a run's arena is smaller than its program needs");
    const int threads = std::max(1, context.threads);
    const AlignedBytes scratch = allocateAligned(scratch_), threadScratch = allocateAligned(threadScratch_ * threads);
    HostState host;
    host.threads = threads;
    host.emit = &context.emit;
    if (context.regionSeconds != nullptr) host.regions.begin(*context.regionSeconds);
    KernelContext kernel;
    kernel.arena = static_cast<char*>(context.arena);
    kernel.parameters = static_cast<const char*>(context.parameters);
    kernel.seed = context.seed;
    kernel.scratch = scratch.get();
    kernel.threadScratch = threadScratch.get();
    kernel.threadScratchBytes = threadScratch_;
    kernel.stop = context.stop != nullptr ? context.stop : &never;
    kernel.host = &host;
    withThreads(threads, [&] { main_(&kernel); });
    host.regions.enter(-1);
    if (context.progress != nullptr) {
      context.progress->root = kernel.root;
      context.progress->iteration.reset();
      if (kernel.iteration != kNoIteration) context.progress->iteration = kernel.iteration;
    }
    if (host.thrown) std::rethrow_exception(host.thrown);
    Outcome outcome;
    switch (static_cast<Status>(kernel.status.load())) {
      case Status::Running: break;
      case Status::Faulted: outcome = {Outcome::Kind::Fault, host.fault, host.coordinates}; break;
      case Status::Stopped: outcome.kind = Outcome::Kind::Stopped; break;
    }
    return outcome;
  }

  const CompileTimes& times() const override { return times_; }
  int64_t scratchBytes(int threads) const override { return scratch_ + threadScratch_ * std::max(1, threads); }
  std::string_view object() const override { return object_; }

 private:
  CompileTimes times_;
  int64_t arenaBytes_;
  std::string object_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  void (*main_)(KernelContext*) = nullptr;
  int64_t scratch_ = 0, threadScratch_ = 0;
};

}  // namespace

std::unique_ptr<Executable> compile(const loops::Program& program, const CompileOptions& options) {
  CompileTimes times;
  const ObjectCache cache(options);
  const bool cached = options.cache && !options.timeRegions;
  const std::string key = cached ? cacheKey(program, options) : std::string();
  if (cached) {
    if (auto object = cache.find(key)) {
      times.cached = true;
      return std::make_unique<Linked>(llvm::MemoryBuffer::getMemBufferCopy(*object, "rlc"), times, program, options.perfMap);
    }
  }
  const auto machine = makeTargetMachine(options.optimization);
  llvm::LLVMContext context;
  auto module = emitModule(program, options, context, *machine, times);
  if (options.dump) options.dump("llvm", printModule(*module));
  double start = now();
  optimize(*module, *machine, options.optimization);
  times.optimize = now() - start;
  if (options.dump) options.dump("optimized", printModule(*module));
  start = now();
  auto object = generateObject(*module, *machine);
  times.generate = now() - start;
  if (cached) cache.keep(key, std::string_view(object->getBufferStart(), object->getBufferSize()));
  return std::make_unique<Linked>(std::move(object), times, program, options.perfMap);
}

namespace {

std::string optimizedText(const loops::Program& program, const CompileOptions& options, bool assembly) {
  CompileTimes times;
  const auto machine = makeTargetMachine(options.optimization);
  llvm::LLVMContext context;
  auto module = emitModule(program, options, context, *machine, times);
  optimize(*module, *machine, options.optimization);
  return assembly ? printAssembly(*module, *machine) : printModule(*module);
}

}  // namespace

std::string llvmText(const loops::Program& program, const CompileOptions& options) { return optimizedText(program, options, false); }

std::string assemblyText(const loops::Program& program, const CompileOptions& options) {
  return optimizedText(program, options, true);
}

}  // namespace rlc::cpu
