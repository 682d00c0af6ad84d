#include "jit/cpu/merge_equal.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/FunctionComparator.h>

#include <algorithm>
#include <map>
#include <vector>

namespace rlc::cpu {

namespace {

constexpr unsigned kAliasLists[] = {llvm::LLVMContext::MD_alias_scope,
                                    llvm::LLVMContext::MD_noalias};

// Names for the scopes of a function's loads and stores that are the same in all functions which
// use them alike. Scopes that no access of the function has say nothing about it and go.
class CommonScopes {
 public:
  explicit CommonScopes(llvm::LLVMContext& context)
      : context_(context),
        names_(context),
        domain_(names_.createAnonymousAliasScopeDomain("piece")) {}

  void rename(llvm::Function& function) {
    std::map<const llvm::Metadata*, size_t> numbers;
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const llvm::MDNode* list = instruction.getMetadata(llvm::LLVMContext::MD_alias_scope))
        for (const llvm::Metadata* scope : list->operands())
          numbers.try_emplace(scope, numbers.size());
    while (scopes_.size() < numbers.size())
      scopes_.push_back(names_.createAnonymousAliasScope(domain_, "buffer"));
    for (llvm::Instruction& instruction : llvm::instructions(function))
      for (unsigned kind : kAliasLists)
        if (const llvm::MDNode* list = instruction.getMetadata(kind))
          instruction.setMetadata(kind, renamed(*list, numbers));
  }

 private:
  llvm::MDNode* renamed(const llvm::MDNode& list,
                        const std::map<const llvm::Metadata*, size_t>& numbers) {
    std::vector<size_t> kept;
    for (const llvm::Metadata* scope : list.operands())
      if (const auto number = numbers.find(scope); number != numbers.end())
        kept.push_back(number->second);
    std::sort(kept.begin(), kept.end());
    std::vector<llvm::Metadata*> scopes;
    for (size_t number : kept) scopes.push_back(scopes_[number]);
    return scopes.empty() ? nullptr : llvm::MDNode::get(context_, scopes);
  }

  llvm::LLVMContext& context_;
  llvm::MDBuilder names_;
  llvm::MDNode* domain_;
  std::vector<llvm::MDNode*> scopes_;
};

// LLVM's comparison looks at no more than how many scopes a list has.
bool sameScopes(const llvm::Function& a, const llvm::Function& b) {
  auto left = llvm::inst_begin(a), right = llvm::inst_begin(b);
  for (; left != llvm::inst_end(a) && right != llvm::inst_end(b); ++left, ++right) {
    if (left->getOpcode() != right->getOpcode()) return false;
    for (unsigned kind : kAliasLists)
      if (left->getMetadata(kind) != right->getMetadata(kind)) return false;
  }
  return left == llvm::inst_end(a) && right == llvm::inst_end(b);
}

bool equal(llvm::Function& a, llvm::Function& b, llvm::GlobalNumberState& numbers) {
  return llvm::FunctionComparator(&a, &b, &numbers).compare() == 0 && sameScopes(a, b);
}

// Scopes are renamed one function at a time, so no function may be put into another one later.
bool isPiece(const llvm::Function& function) {
  return !function.isDeclaration() && function.hasLocalLinkage() &&
         function.hasFnAttribute(llvm::Attribute::NoInline) && !function.hasAddressTaken();
}

}  // namespace

llvm::PreservedAnalyses MergeEqualPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  std::map<std::pair<unsigned, size_t>, std::vector<llvm::Function*>>
      kept;  // by size and number of arguments
  std::vector<std::pair<llvm::Function*, llvm::Function*>> equals;
  llvm::GlobalNumberState numbers;
  CommonScopes scopes(module.getContext());
  for (llvm::Function& function : module) {
    if (!isPiece(function)) continue;
    scopes.rename(function);
    auto& others = kept[{function.getInstructionCount(), function.arg_size()}];
    const auto other = std::find_if(others.begin(), others.end(), [&](llvm::Function* each) {
      return equal(*each, function, numbers);
    });
    if (other == others.end())
      others.push_back(&function);
    else
      equals.emplace_back(&function, *other);
  }
  for (const auto& [function, other] : equals) {
    function->replaceAllUsesWith(other);
    function->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace rlc::cpu
