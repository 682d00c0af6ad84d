// The LLVM module of a program, before any pass, for tests of what passes make of it.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

#include "jit/cpu/module.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {

struct EmittedModule {
  explicit EmittedModule(const Builder& b)
      : module(emitModule(b.program, {}, context, *machine, host(), times)) {}

  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(host(), 2);
  llvm::LLVMContext context;
  CompileTimes times;
  std::unique_ptr<llvm::Module> module;
};

}  // namespace rlc::cpu
