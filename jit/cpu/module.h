// From a program to an optimized LLVM module and an object file.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "jit/cpu/executable.h"

namespace rlc::cpu {

double now();  // seconds of a clock that never goes back

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const TargetDescription& target,
                                                       int optimization);
// Data layout, CPU and features are set on every function.
std::unique_ptr<llvm::Module> emitModule(const loops::Program& program,
                                         const CompileOptions& options, llvm::LLVMContext& context,
                                         llvm::TargetMachine& machine,
                                         const TargetDescription& target, CompileTimes& times);
// First what concerns several functions, such as inlining, then each function by itself.
void optimizeTogether(llvm::Module& module, llvm::TargetMachine& machine, int level);
void optimizeEach(llvm::Module& module, llvm::TargetMachine& machine, int level);
std::string generateObject(llvm::Module& module, llvm::TargetMachine& machine);
std::string printAssembly(llvm::Module& module, llvm::TargetMachine& machine);
std::string printModule(const llvm::Module& module);

}  // namespace rlc::cpu
