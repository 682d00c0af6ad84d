#include "jit/cpu/split.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>

#include <vector>

namespace rlc::cpu {

namespace {

constexpr size_t kLargestPiece = 3000;  // instructions
constexpr size_t kSmallestPiece = 40;   // what a call costs is little against a loop of so much
constexpr size_t kSmallestOfMany = 12;  // where the function stays too large otherwise

// The instructions of loops, of which those of each block are counted once.
class Sizes {
 public:
  size_t of(const llvm::Loop& loop) {
    size_t size = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      const auto [known, isNew] = blocks_.try_emplace(block, 0);
      if (isNew) known->second = block->size();
      size += known->second;
    }
    return size;
  }

 private:
  llvm::DenseMap<const llvm::BasicBlock*, size_t> blocks_;
};

// The outermost loops that are small enough, and innermost ones of any size.
void choosePieces(Sizes& sizes, llvm::Loop& loop, size_t smallest,
                  std::vector<llvm::Loop*>& pieces) {
  const size_t size = sizes.of(loop);
  if (size < smallest) return;
  if (size <= kLargestPiece || loop.isInnermost()) {
    pieces.push_back(&loop);
    return;
  }
  for (llvm::Loop* inner : loop) choosePieces(sizes, *inner, smallest, pieces);
}

std::vector<llvm::Loop*> choosePieces(const llvm::Function& function, llvm::LoopInfo& loops) {
  Sizes sizes;
  std::vector<llvm::Loop*> pieces;
  for (const size_t smallest : {kSmallestPiece, kSmallestOfMany, size_t{0}}) {
    pieces.clear();
    for (llvm::Loop* loop : loops) choosePieces(sizes, *loop, smallest, pieces);
    size_t left = function.getInstructionCount();
    for (const llvm::Loop* piece : pieces) left -= sizes.of(*piece);
    if (left <= kLargestPiece) break;
  }
  return pieces;
}

// The places of buffers become arguments of the piece: pieces that do the same on other buffers are
// the same function then.
void hoistPlaces(llvm::Loop& loop) {
  llvm::BasicBlock* before = loop.getLoopPreheader();
  if (before == nullptr) return;
  std::vector<llvm::GetElementPtrInst*> places;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block) {
      auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (place != nullptr && place->hasAllConstantIndices() &&
          loop.isLoopInvariant(place->getPointerOperand()))
        places.push_back(place);
    }
  for (llvm::GetElementPtrInst* place : places) place->moveBefore(before->getTerminator());
}

bool split(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (function.isDeclaration() || function.getInstructionCount() <= kLargestFunction) return false;
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::DominatorTree& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  llvm::AssumptionCache& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  const std::vector<llvm::Loop*> pieces = choosePieces(function, loops);
  if (pieces.empty()) return false;
  for (llvm::Loop* loop : pieces) hoistPlaces(*loop);
  llvm::CodeExtractorAnalysisCache cache(function);
  for (llvm::Loop* loop : pieces) {
    llvm::CodeExtractor extractor(dominators, *loop, false, nullptr, nullptr, &assumptions);
    if (llvm::Function* piece = extractor.extractCodeRegion(cache))
      piece->addFnAttr(llvm::Attribute::NoInline);
  }
  return true;
}

}  // namespace

llvm::PreservedAnalyses SplitPass::run(llvm::Module& module,
                                       llvm::ModuleAnalysisManager& analyses) {
  auto& functions =
      analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::vector<llvm::Function*> whole;
  for (llvm::Function& function : module) whole.push_back(&function);
  bool changed = false;
  for (llvm::Function* function : whole) changed = split(*function, functions) || changed;
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace rlc::cpu
