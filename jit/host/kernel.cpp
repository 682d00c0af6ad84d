#include "jit/host/kernel.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "compiler/diagnostics/internal_error.h"
#include "jit/host/arena.h"
#include "jit/host/calls.h"
#include "jit/host/team.h"

namespace rlc::host {

using runtime::Outcome;

namespace {

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

class KernelExecution : public runtime::Execution, public runtime::ArenaView {
 public:
  KernelExecution(const Kernel& kernel, int64_t residentBytes, bool scratchInFile)
      : kernel_(kernel), scratchInFile_(scratchInFile), arena_(residentBytes, kernel.arenaBytes) {}

  Outcome run(const runtime::RunRequest& request) override {
    RunContext context;
    context.arena = arena_.get();
    context.arenaBytes = kernel_.arenaBytes;
    context.parameters = request.parameters.data();
    context.seed = request.seed;
    context.threads = request.threads;
    context.emit = request.emit;
    context.stop = request.stop;
    context.progress = request.progress;
    context.regionSeconds = request.regionSeconds;
    if (!scratchInFile_) return runKernel(kernel_, context);
    const Arena scratch(0, kernel_.threadScratchBytes * std::max(1, request.threads));
    context.threadScratch = scratch.get();
    return runKernel(kernel_, context);
  }
  const runtime::ArenaView& arena() const override { return *this; }
  int64_t touchedBytes() const override { return arena_.touchedBytes(); }
  const std::byte* bytes(const runtime::ByteRange& range) const override {
    return arena_.get() + range.offset;
  }

 private:
  const Kernel& kernel_;
  bool scratchInFile_;
  Arena arena_;
};

}  // namespace

Outcome runKernel(const Kernel& compiled, const RunContext& context) {
  static const std::atomic<bool> never{false};
  if (context.arenaBytes < compiled.arenaBytes)
    throw InternalError("a run's arena is smaller than its program needs");
  const int threads = std::max(1, context.threads);
  const AlignedBytes scratch = allocateAligned(compiled.scratchBytes),
                     threadScratch = allocateAligned(context.threadScratch != nullptr
                                                         ? 0
                                                         : compiled.threadScratchBytes * threads);
  HostState host;
  host.emit = &context.emit;
  if (context.regionSeconds != nullptr) host.regions.begin(*context.regionSeconds);
  KernelContext kernel;
  kernel.arena = static_cast<char*>(context.arena);
  kernel.parameters = static_cast<const char*>(context.parameters);
  kernel.seed = context.seed;
  kernel.scratch = scratch.get();
  kernel.threadScratch = context.threadScratch != nullptr
                             ? static_cast<char*>(context.threadScratch)
                             : threadScratch.get();
  kernel.threadScratchBytes = compiled.threadScratchBytes;
  kernel.stop = context.stop != nullptr ? context.stop : &never;
  kernel.host = &host;
  withTeam(threads, [&](Team* team) {
    host.team = team;
    compiled.main(&kernel);
  });
  host.regions.enter(-1);
  if (context.progress != nullptr) {
    context.progress->root = kernel.root;
    context.progress->iteration.reset();
    if (kernel.iteration != kNoIteration) context.progress->iteration = kernel.iteration;
  }
  if (host.thrown) std::rethrow_exception(host.thrown);
  Outcome outcome;
  switch (static_cast<Status>(kernel.status.load())) {
    case Status::Running:
      break;
    case Status::Faulted:
      outcome = {Outcome::Kind::Fault, host.fault, host.coordinates};
      break;
    case Status::Stopped:
      outcome.kind = Outcome::Kind::Stopped;
      break;
  }
  return outcome;
}

std::unique_ptr<runtime::Execution> makeExecution(const Kernel& kernel, int64_t residentBytes,
                                                  bool scratchInFile) {
  return std::make_unique<KernelExecution>(kernel, residentBytes, scratchInFile);
}

}  // namespace rlc::host
