// Cuts functions that are too large for LLVM, much of whose work grows faster than a function, into
// functions of their loops.
#pragma once

#include <llvm/IR/PassManager.h>

namespace rlc::cpu {

inline constexpr size_t kLargestFunction =
    8000;  // instructions: a network of a few layers with its gradients stays whole

// Before the passes over functions; after inlining, which would undo it.
struct SplitPass : llvm::PassInfoMixin<SplitPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace rlc::cpu
