#include "jit/native/arena.h"
#include "jit/native/machine.h"

namespace rlc::native {

namespace {

class CpuExecution : public Execution, public ArenaView {
 public:
  CpuExecution(const cpu::Executable& executable, int64_t residentBytes, int64_t arenaBytes)
      : executable_(executable), arenaBytes_(arenaBytes), arena_(residentBytes, arenaBytes) {}

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
    context.regionSeconds = request.regionSeconds;
    return executable_.run(context);
  }
  const ArenaView& arena() const override { return *this; }
  int64_t touchedBytes() const override { return arena_.touchedBytes(); }
  const std::byte* bytes(const ByteRange& range) const override { return arena_.get() + range.offset; }

 private:
  const cpu::Executable& executable_;
  int64_t arenaBytes_;
  Arena arena_;
};

}  // namespace

CpuMachine::CpuMachine(const loops::Program& program, const cpu::CompileOptions& options)
    : residentBytes_(program.residentBytes), arenaBytes_(program.arenaBytes), executable_(cpu::compile(program, options)) {}

std::unique_ptr<Execution> CpuMachine::prepare() const { return std::make_unique<CpuExecution>(*executable_, residentBytes_, arenaBytes_); }

int64_t CpuMachine::scratchBytes(int threads) const { return executable_->scratchBytes(threads); }

int64_t CpuMachine::memoryBytes() const { return machineMemory(); }

}  // namespace rlc::native
