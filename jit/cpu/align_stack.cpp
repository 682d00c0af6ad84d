#include "jit/cpu/align_stack.h"

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace rlc::cpu {

namespace {

constexpr int kAlignedByAll = 16;  // bytes, by every function of all targets

void splitEntry(llvm::Function& function) {
  auto* entry = llvm::Function::Create(function.getFunctionType(), function.getLinkage(), "",
                                       function.getParent());
  entry->copyAttributesFrom(&function);
  entry->addFnAttr("stackrealign");
  function.replaceAllUsesWith(entry);
  if (function.hasLocalLinkage()) {
    entry->setName(function.getName() + ".entry");
  } else {
    entry->takeName(&function);
    function.setName(entry->getName() + ".aligned");
  }
  function.setLinkage(llvm::Function::InternalLinkage);
  function.addFnAttr(llvm::Attribute::NoInline);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(function.getContext(), "body", entry));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : entry->args()) arguments.push_back(&argument);
  b.CreateCall(&function, arguments)->setTailCallKind(llvm::CallInst::TCK_NoTail);
  b.CreateRetVoid();
}

}  // namespace

void alignStack(llvm::Module& module, int vectorBytes) {
  if (vectorBytes <= kAlignedByAll) return;
  module.setOverrideStackAlignment(static_cast<unsigned>(vectorBytes));
  std::vector<llvm::Function*> called;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && (!function.hasLocalLinkage() || function.hasAddressTaken()))
      called.push_back(&function);
  for (llvm::Function* function : called) splitEntry(*function);
}

}  // namespace rlc::cpu
