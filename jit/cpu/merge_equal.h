// Makes one of the functions that do the same on their arguments: the layers of a network, cut out
// by SplitPass, are compiled once.
#pragma once

#include <llvm/IR/PassManager.h>

namespace rlc::cpu {

// Behind SplitPass, before the passes over functions.
struct MergeEqualPass : llvm::PassInfoMixin<MergeEqualPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace rlc::cpu
