#include "jit/cpu/split.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>

#include <vector>

namespace rlc::cpu {

namespace {

constexpr size_t kLargestFunction = 10000;  // instructions: a network of a few layers with its gradients stays whole
constexpr size_t kLargestPiece = 3000;
constexpr size_t kSmallestPiece = 40;       // what a call costs is little against a loop of so much

size_t sizeOf(const llvm::Loop& loop) {
  size_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
  return size;
}

// The outermost loops that are small enough, and innermost ones of any size.
void choosePieces(llvm::Loop& loop, std::vector<llvm::Loop*>& pieces) {
  const size_t size = sizeOf(loop);
  if (size < kSmallestPiece) return;
  if (size <= kLargestPiece || loop.isInnermost()) {
    pieces.push_back(&loop);
    return;
  }
  for (llvm::Loop* inner : loop) choosePieces(*inner, pieces);
}

bool split(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (function.isDeclaration() || function.getInstructionCount() <= kLargestFunction) return false;
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::DominatorTree& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  llvm::AssumptionCache& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  std::vector<llvm::Loop*> pieces;
  for (llvm::Loop* loop : loops) choosePieces(*loop, pieces);
  if (pieces.empty()) return false;
  llvm::CodeExtractorAnalysisCache cache(function);
  for (llvm::Loop* loop : pieces) {
    llvm::CodeExtractor extractor(dominators, *loop, false, nullptr, nullptr, &assumptions);
    if (llvm::Function* piece = extractor.extractCodeRegion(cache)) piece->addFnAttr(llvm::Attribute::NoInline);
  }
  return true;
}

}  // namespace

llvm::PreservedAnalyses SplitPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::vector<llvm::Function*> whole;
  for (llvm::Function& function : module) whole.push_back(&function);
  bool changed = false;
  for (llvm::Function* function : whole) changed = split(*function, functions) || changed;
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace rlc::cpu
