#include <cstdlib>
#include <new>

#include "jit/native/machine.h"

namespace rlc::native {

namespace {

struct FreeArena {
  void operator()(std::byte* arena) const { std::free(arena); }
};
using Arena = std::unique_ptr<std::byte, FreeArena>;

Arena allocateArena(int64_t bytes) {
  const auto size = static_cast<size_t>(std::max<int64_t>(bytes, 64));
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(64, (size + 63) / 64 * 64));
  if (!memory) throw std::bad_alloc();
  return Arena(memory);
}

class CpuExecution : public Execution, public ArenaView {
 public:
  CpuExecution(const cpu::Executable& executable, int64_t arenaBytes)
      : executable_(executable), arenaBytes_(arenaBytes), arena_(allocateArena(arenaBytes)) {}

  cpu::Outcome run(const RunRequest& request) override {
    cpu::RunContext context;
    context.arena = arena_.get();
    context.arenaBytes = arenaBytes_;
    context.parameters = request.parameters.data();
    context.seed = request.seed;
    context.threads = request.threads;
    context.emit = request.emit;
    context.stop = request.stop;
    context.progress = request.progress;
    return executable_.run(context);
  }
  const ArenaView& arena() const override { return *this; }
  const std::byte* bytes(const ByteRange& range) const override { return arena_.get() + range.offset; }

 private:
  const cpu::Executable& executable_;
  int64_t arenaBytes_;
  Arena arena_;
};

}  // namespace

CpuMachine::CpuMachine(const loops::Program& program, const cpu::CompileOptions& options)
    : arenaBytes_(program.arenaBytes), executable_(cpu::compile(program, options)) {}

std::unique_ptr<Execution> CpuMachine::prepare() const { return std::make_unique<CpuExecution>(*executable_, arenaBytes_); }

}  // namespace rlc::native
