#pragma once

#include <llvm/IR/PassManager.h>

namespace rlc::cpu {

// Makes values of the locals of functions with many blocks. LLVM's own pass looks, for each local,
// at all that its first store dominates, which in code that is one loop behind the other is the
// rest of the function; this one walks back from each load to the stores that it may read.
struct PromotePass : llvm::PassInfoMixin<PromotePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace rlc::cpu
