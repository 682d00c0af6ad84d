// Machines that lowered programs run on (jit/runtime/machine.h).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "compiler/schedule/execution.h"
#include "jit/cpu/executable.h"
#include "jit/runtime/machine.h"

namespace rlc::native {

using runtime::ArenaView;
using runtime::ByteRange;
using runtime::Execution;
using runtime::Machine;
using runtime::RunRequest;

// Makes machines for programs that are scheduled for them.
struct MachineMaker {
  std::function<std::unique_ptr<Machine>(const loops::Program& program)> make;
  schedule::LaneKind lanes = schedule::LaneKind::Vectors;  // theirs

  // The program outlives the machine.
  std::unique_ptr<Machine> operator()(const loops::Program& program) const { return make(program); }
};

// Native code of this machine's processor, compiled when it is first asked for: how it adds up
// floats is known without.
class CpuMachine : public Machine {
 public:
  CpuMachine(const loops::Program& program, const cpu::CompileOptions& options);
  std::unique_ptr<Execution> prepare() const override;
  int64_t scratchBytes(int threads) const override;
  int64_t fileScratchBytes(int threads) const override;
  int64_t memoryBytes() const override;
  int64_t overflowBytes() const override;
  std::string noOverflowRoom(int64_t bytes) const override;
  cpu::SumOrders sumOrders() const override;
  const cpu::Executable& executable() const;

 private:
  const loops::Program& program_;
  cpu::CompileOptions options_;
  int64_t residentBytes_;
  bool scratchInFile_;
  mutable std::unique_ptr<cpu::Executable> executable_;
};

}  // namespace rlc::native
