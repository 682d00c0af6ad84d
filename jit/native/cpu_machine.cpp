#include <algorithm>

#include "jit/host/machine_memory.h"
#include "jit/host/mapped_file.h"
#include "jit/native/machine.h"

namespace rlc::native {

CpuMachine::CpuMachine(const loops::Program& program, const cpu::CompileOptions& options)
    : program_(program),
      options_(options),
      residentBytes_(program.residentBytes),
      scratchInFile_(program.scratchInFile) {}

const cpu::Executable& CpuMachine::executable() const {
  if (!executable_) executable_ = cpu::compile(program_, options_);
  return *executable_;
}

std::unique_ptr<Execution> CpuMachine::prepare() const {
  return host::makeExecution(executable().kernel(), residentBytes_, scratchInFile_);
}

int64_t CpuMachine::scratchBytes(int threads) const {
  return executable().kernel().scratchOf(threads) - fileScratchBytes(threads);
}

int64_t CpuMachine::fileScratchBytes(int threads) const {
  return scratchInFile_ ? executable().kernel().threadScratchBytes * std::max(1, threads) : 0;
}

int64_t CpuMachine::memoryBytes() const { return host::machineMemory(); }
int64_t CpuMachine::overflowBytes() const { return host::freeFileBytes(); }
std::string CpuMachine::noOverflowRoom(int64_t bytes) const { return host::noFileRoom(bytes); }
cpu::SumOrders CpuMachine::sumOrders() const { return cpu::sumOrders(program_, options_); }

}  // namespace rlc::native
