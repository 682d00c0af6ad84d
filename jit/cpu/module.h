// From a program to an optimized LLVM module and an object file.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

#include "jit/cpu/executable.h"

namespace rlc::cpu {

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const TargetDescription& target,
                                                       int optimization);
// Data layout, CPU and features are set on every function.
std::unique_ptr<llvm::Module> emitModule(const loops::Program& program,
                                         const CompileOptions& options, llvm::LLVMContext& context,
                                         llvm::TargetMachine& machine,
                                         const TargetDescription& target, CompileTimes& times);
void optimize(llvm::Module& module, llvm::TargetMachine& machine, int level);
std::unique_ptr<llvm::MemoryBuffer> generateObject(llvm::Module& module,
                                                   llvm::TargetMachine& machine);
std::string printAssembly(llvm::Module& module, llvm::TargetMachine& machine);
std::string printModule(const llvm::Module& module);

}  // namespace rlc::cpu
