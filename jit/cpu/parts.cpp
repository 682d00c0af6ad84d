#include "jit/cpu/parts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>

#include "compiler/diagnostics/internal_error.h"
#include "jit/host/out_of_memory.h"

namespace rlc::cpu {

namespace {

// Of a part: about a fifth of what a second of one core makes code of.
constexpr size_t kWorthAPart = 2000;  // instructions

using Assignment = llvm::DenseMap<const llvm::GlobalValue*, int>;

std::vector<llvm::Function*> definitions(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  return functions;
}

// The largest first, each to the part that has least.
Assignment deal(llvm::Module& module, int parts) {
  std::vector<llvm::Function*> functions = definitions(module);
  std::stable_sort(functions.begin(), functions.end(), [](const auto* a, const auto* b) {
    return a->getInstructionCount() > b->getInstructionCount();
  });
  std::vector<size_t> sizes(static_cast<size_t>(parts));
  Assignment assignment;
  for (const llvm::Function* function : functions) {
    const auto least = std::min_element(sizes.begin(), sizes.end());
    *least += function->getInstructionCount();
    assignment[function] = static_cast<int>(least - sizes.begin());
  }
  return assignment;
}

// A module travels from one context to another as bitcode.
using Bitcode = llvm::SmallVector<char, 0>;

// The part's functions, and what they use of the module's data, which is constant; the first part
// has the data that others look up by name.
Bitcode partOf(const llvm::Module& module, const Assignment& assignment, int part) {
  llvm::ValueToValueMapTy map;
  const auto clone = llvm::CloneModule(module, map, [&](const llvm::GlobalValue* value) {
    const auto found = assignment.find(value);
    if (found != assignment.end()) return found->second == part;
    return value->hasLocalLinkage() || part == 0;
  });
  llvm::ModuleAnalysisManager none;
  llvm::GlobalDCEPass().run(*clone, none);
  Bitcode bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*clone, stream);
  return bitcode;
}

std::string objectOf(const Bitcode& bitcode,
                     const std::function<std::string(llvm::Module& part)>& generate) {
  const host::EndsOutOfMemory noWayBack;
  llvm::LLVMContext context;
  auto part = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "rlc"), context);
  if (!part) throw InternalError("a part of a module: " + llvm::toString(part.takeError()));
  return generate(**part);
}

}  // namespace

int worthwhileParts(const llvm::Module& module, int most) {
  size_t instructions = 0, functions = 0;
  for (const llvm::Function& function : module) {
    instructions += function.getInstructionCount();
    functions += function.isDeclaration() ? 0 : 1;
  }
  const size_t worth = std::min({instructions / kWorthAPart, functions, size_t(std::max(1, most))});
  return static_cast<int>(std::max<size_t>(1, worth));
}

std::vector<std::string> generateInParts(
    std::unique_ptr<llvm::Module> module, int parts,
    const std::function<std::string(llvm::Module& part)>& generate) {
  if (parts <= 1) return {generate(*module)};
  for (llvm::Function* function : definitions(*module)) {
    function->setLinkage(llvm::GlobalValue::ExternalLinkage);
    function->setDSOLocal(false);  // objects may come to lie far from each other
  }
  const Assignment assignment = deal(*module, parts);
  std::vector<Bitcode> bitcodes;
  for (int part = 0; part < parts; ++part) bitcodes.push_back(partOf(*module, assignment, part));
  std::vector<std::string> objects(bitcodes.size());
  std::vector<std::exception_ptr> errors(bitcodes.size());
  const auto make = [&](size_t part) {
    try {
      objects[part] = objectOf(bitcodes[part], generate);
    } catch (...) {
      errors[part] = std::current_exception();
    }
  };
  std::vector<std::jthread> threads;
  for (size_t part = 1; part < bitcodes.size(); ++part) {
    try {
      threads.emplace_back(make, part);
    } catch (const std::system_error&) {  // as many as the system lets start
      make(part);
    }
  }
  make(0);
  threads.clear();  // waits
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return objects;
}

}  // namespace rlc::cpu
