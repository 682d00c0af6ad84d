// From a program to an optimized LLVM module and an object file.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>

#include "jit/cpu/executable.h"

namespace rlc::cpu {

void initializeTarget();      // before any other use of LLVM; cheap once done
std::string hostFeatures();  // as LLVM writes them
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(int optimization);
// For this machine: data layout, CPU and features are set on every function.
std::unique_ptr<llvm::Module> emitModule(const loops::Program& program, const CompileOptions& options,
                                         llvm::LLVMContext& context, llvm::TargetMachine& machine, CompileTimes& times);
void optimize(llvm::Module& module, llvm::TargetMachine& machine, int level);
std::unique_ptr<llvm::MemoryBuffer> generateObject(llvm::Module& module, llvm::TargetMachine& machine);
std::string printAssembly(llvm::Module& module, llvm::TargetMachine& machine);
std::string printModule(const llvm::Module& module);

}  // namespace rlc::cpu
