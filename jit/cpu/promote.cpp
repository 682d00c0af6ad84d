#include "jit/cpu/promote.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <vector>

namespace rlc::cpu {

namespace {

constexpr size_t kManyBlocks = 500;

class LocalPromoter : public llvm::LoadAndStorePromoter {
 public:
  LocalPromoter(llvm::AllocaInst& local, llvm::ArrayRef<const llvm::Instruction*> accesses,
                llvm::SSAUpdater& updater)
      : LoadAndStorePromoter(accesses, updater), local_(local) {}

  bool isInstInList(llvm::Instruction* access,
                    const llvm::SmallVectorImpl<llvm::Instruction*>&) const override {
    return llvm::getLoadStorePointerOperand(access) == &local_;
  }

 private:
  llvm::AllocaInst& local_;
};

}  // namespace

llvm::PreservedAnalyses PromotePass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (function.size() < kManyBlocks) return llvm::PreservedAnalyses::all();
  std::vector<llvm::AllocaInst*> locals;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        local != nullptr && llvm::isAllocaPromotable(local))
      locals.push_back(local);
  bool changed = false;
  for (llvm::AllocaInst* local : locals) {
    llvm::SmallVector<llvm::Instruction*, 16> accesses;
    for (llvm::User* user : local->users())
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(user))
        accesses.push_back(llvm::cast<llvm::Instruction>(user));
    if (accesses.empty() || accesses.size() != local->getNumUses()) continue;
    llvm::SSAUpdater updater;
    LocalPromoter(*local, accesses, updater).run(accesses);
    local->eraseFromParent();
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace rlc::cpu
