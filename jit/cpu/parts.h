// One module's code by several threads: its functions are dealt out to parts, each a module in a
// context of its own.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rlc::cpu {

// How many parts are worth their cost, at most `most`.
int worthwhileParts(const llvm::Module& module, int most);

// `generate` makes an object of a module; it is called once for each part, at the same time. What
// functions say of each other is the same in all parts, so that `generate` makes the same code of
// one wherever it is, if it looks at one function at a time.
std::vector<std::string> generateInParts(
    std::unique_ptr<llvm::Module> module, int parts,
    const std::function<std::string(llvm::Module& part)>& generate);

}  // namespace rlc::cpu
