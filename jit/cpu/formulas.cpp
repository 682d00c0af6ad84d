// Transcendental functions: jit/runtime's formulas, one function of the module for each operation,
// precision and width.
#include "jit/cpu/emitter.h"
#include "jit/cpu/formula_value.h"
#include "jit/runtime/math.h"

namespace rlc::cpu {

namespace {

constexpr unsigned kInlineLimit = 60;  // instructions

std::string widthName(llvm::Type* type) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return (type->getScalarSizeInBits() == 32 ? ".f32x" : ".f64x") +
         std::to_string(vector ? vector->getNumElements() : 1);
}

}  // namespace

llvm::Value* Emitter::formula(ScalarOp op, DType type, V* a, V* b) {
  const bool binary = arity(op) == 2;
  llvm::Function*& function = formulas_["rlc." + std::string(name(op)) + widthName(a->getType())];
  if (function == nullptr) {
    std::vector<llvm::Type*> args(binary ? 2 : 1, a->getType());
    function = llvm::Function::Create(
        llvm::FunctionType::get(a->getType(), args, false), llvm::Function::InternalLinkage,
        "rlc." + std::string(name(op)) + widthName(a->getType()), module_);
    B builder(llvm::BasicBlock::Create(llvm_, "entry", function));
    const formulas::Number x{&builder, function->getArg(0)};
    const formulas::Number y{&builder, function->getArg(binary ? 1 : 0)};
    const formulas::Number result =
        type == DType::F64 ? runtime::math::transcendental<runtime::math::F64>(op, x, y)
                           : runtime::math::transcendental<runtime::math::F32>(op, x, y);
    builder.CreateRet(result.v);
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    function->addFnAttr(function->getInstructionCount() <= kInlineLimit
                            ? llvm::Attribute::AlwaysInline
                            : llvm::Attribute::NoInline);
  }
  return b_.CreateCall(function, binary ? llvm::ArrayRef<V*>{a, b} : llvm::ArrayRef<V*>{a});
}

}  // namespace rlc::cpu
