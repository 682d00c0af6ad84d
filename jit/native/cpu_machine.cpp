#include <algorithm>

#include "jit/host/arena.h"
#include "jit/native/machine.h"

namespace rlc::native {

CpuMachine::CpuMachine(const loops::Program& program, const cpu::CompileOptions& options)
    : program_(program),
      options_(options),
      residentBytes_(program.residentBytes),
      scratchInFile_(program.scratchInFile),
      executable_(cpu::compile(program, options)) {}

std::unique_ptr<Execution> CpuMachine::prepare() const {
  return host::makeExecution(executable_->kernel(), residentBytes_, scratchInFile_);
}

int64_t CpuMachine::scratchBytes(int threads) const {
  return executable_->kernel().scratchOf(threads) - fileScratchBytes(threads);
}

int64_t CpuMachine::fileScratchBytes(int threads) const {
  return scratchInFile_ ? executable_->kernel().threadScratchBytes * std::max(1, threads) : 0;
}

int64_t CpuMachine::memoryBytes() const { return host::machineMemory(); }
int64_t CpuMachine::overflowBytes() const { return host::freeFileBytes(); }
cpu::SumOrders CpuMachine::sumOrders() const { return cpu::sumOrders(program_, options_); }

}  // namespace rlc::native
