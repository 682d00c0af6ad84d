// Bytes as an object file, for the linker.
#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>

#include "jit/cpu/module.h"

namespace rlc::cpu {

std::string dataObject(const std::string& symbol, std::string_view bytes) {
  llvm::LLVMContext context;
  const auto machine = makeTargetMachine(host(), 0);
  llvm::Module module("rlc_data", context);
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple().str());
  const auto add = [&](const std::string& name, llvm::Constant* value) {
    new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::ExternalLinkage,
                             value, name);
  };
  add(symbol, llvm::ConstantDataArray::getString(
                  context, llvm::StringRef(bytes.data(), bytes.size()), false));
  add(symbol + "_size", llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), bytes.size()));
  return generateObject(module, *machine);
}

}  // namespace rlc::cpu
