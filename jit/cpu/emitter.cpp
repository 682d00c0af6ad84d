#include "jit/cpu/emitter.h"

#include <algorithm>
#include <cstddef>

#include "compiler/diagnostics/internal_error.h"
#include "jit/host/abi.h"

namespace rlc::cpu {

using loops::Buffer;
using loops::BufferId;

// What contextField's numbers stand for; chunk and main functions read these.
static_assert(offsetof(host::KernelContext, arena) == 0 &&
              offsetof(host::KernelContext, parameters) == 8 &&
              offsetof(host::KernelContext, seed) == 16 &&
              offsetof(host::KernelContext, scratch) == 24 &&
              offsetof(host::KernelContext, stop) == 32 &&
              offsetof(host::KernelContext, status) == 40);

Emitter::Emitter(const loops::Program& program, const Plan& plan, llvm::Module& module,
                 const TargetDescription& target)
    : program_(program),
      scaledStreams_(rlc::cpu::scaledStreams(program)),
      plan_(plan),
      module_(module),
      llvm_(module.getContext()),
      vectorBytes_(target.vectorBytes),
      vectorRegisters_(target.vectorRegisters),
      compressesBytes_(target.compressesBytes),
      multipliesPairs_(target.multipliesPairs),
      b_(llvm_) {
  vars_.resize(static_cast<size_t>(program.variables));
  scratchBytes_ = plan.scratchBytes;
}

void Emitter::emitProgram() {
  makeScopes();
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy()}, false);
  auto* main = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kEntry, module_);
  beginFunction(main);
  adviseArena();
  block(program_.body);
  endFunction();
  const auto exportNumber = [&](const char* name, int64_t value) {
    new llvm::GlobalVariable(module_, b_.getInt64Ty(), true, llvm::GlobalValue::ExternalLinkage,
                             i64(value), name);
  };
  exportNumber(kScratch, scratchBytes_);
  exportNumber(kThreadScratch, alignUp(threadScratchBytes_));
}

// ---- functions ----------------------------------------------------------------------------------

void Emitter::beginFunction(llvm::Function* function) {
  f_ = Function();
  f_.function = function;
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr("no-trapping-math", "true");
  f_.allocas = llvm::BasicBlock::Create(llvm_, "entry", function);
  f_.leave = llvm::BasicBlock::Create(llvm_, "leave", function);
  f_.context = function->getArg(0);
  function->addParamAttr(0, llvm::Attribute::NoAlias);
  b_.SetInsertPoint(f_.allocas);
  auto* body = newBlock("body");
  const auto field = [&](int64_t offset) {
    auto* load = b_.CreateAlignedLoad(
        b_.getPtrTy(),
        b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), f_.context, static_cast<uint64_t>(offset)),
        llvm::Align(8));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(llvm_, {}));
    return load;
  };
  const auto aligned = [&](llvm::LoadInst* pointer) {
    pointer->setMetadata(llvm::LLVMContext::MD_align,
                         llvm::MDNode::get(llvm_, llvm::ConstantAsMetadata::get(i64(64))));
    pointer->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(llvm_, {}));
    pointer->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(llvm_, {}));
    return pointer;
  };
  f_.arena = aligned(field(offsetof(host::KernelContext, arena)));
  f_.scratch = aligned(field(offsetof(host::KernelContext, scratch)));
  b_.CreateBr(body);
  b_.SetInsertPoint(body);
}

void Emitter::endFunction() {
  b_.CreateBr(f_.leave);
  b_.SetInsertPoint(f_.leave);
  b_.CreateRetVoid();
}

llvm::AllocaInst* Emitter::newSlot(llvm::Type* type, const char* name) {
  B b(f_.allocas, f_.allocas->getFirstInsertionPt());
  return b.CreateAlloca(type, nullptr, name);
}

llvm::BasicBlock* Emitter::newBlock(const char* name) {
  return llvm::BasicBlock::Create(llvm_, name, f_.function, f_.leave);
}

llvm::Value* Emitter::contextField(int number, llvm::Type* type) {
  auto* load = b_.CreateAlignedLoad(
      type,
      b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), f_.context, static_cast<uint64_t>(8 * number)),
      llvm::Align(8));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(llvm_, {}));
  return load;
}

llvm::FunctionCallee Emitter::runtimeFunction(const char* name, llvm::Type* result,
                                              std::vector<llvm::Type*> args) {
  auto callee = module_.getOrInsertFunction(name, llvm::FunctionType::get(result, args, false));
  if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
    function->addFnAttr(llvm::Attribute::NoUnwind);
  return callee;
}

llvm::Value* Emitter::coordinateArray(const std::vector<V*>& values) {
  const uint64_t count = std::max<size_t>(1, values.size());
  auto* array = newSlot(llvm::ArrayType::get(b_.getInt64Ty(), count), "coordinates");
  for (size_t i = 0; i < values.size(); ++i)
    b_.CreateStore(values[i], b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), array, i));
  return array;
}

int64_t Emitter::takeScratch(int64_t bytes) {
  int64_t& used = f_.parallel ? functionScratch_ : scratchBytes_;
  const int64_t offset = used;
  used += alignUp(bytes);
  if (f_.parallel) threadScratchBytes_ = std::max(threadScratchBytes_, used);
  return offset;
}

llvm::Value* Emitter::scratchAt(int64_t offset) {
  return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), f_.parallel ? f_.threadScratch : f_.scratch,
                                       static_cast<uint64_t>(offset));
}

llvm::Value* Emitter::scratchPiece(int64_t bytes) { return scratchAt(takeScratch(bytes)); }

Emitter::Temporary::Temporary(Emitter& emitter, int64_t bytes) : emitter_(emitter) {
  std::vector<ScratchPiece>& freed = emitter.f_.freed;
  const auto found = std::find_if(freed.begin(), freed.end(),
                                  [&](const ScratchPiece& piece) { return piece.bytes >= bytes; });
  if (found != freed.end()) {
    piece_ = *found;
    freed.erase(found);
  } else {
    piece_ = {emitter.takeScratch(bytes), bytes};
  }
  place_ = emitter.scratchAt(piece_.offset);
}

Emitter::Temporary::~Temporary() { emitter_.f_.freed.push_back(piece_); }

// ---- types and constants ------------------------------------------------------------------------

llvm::Type* Emitter::registerType(DType type) {
  switch (type) {
    case DType::Bool:
      return b_.getInt1Ty();
    case DType::U8:
      return b_.getInt8Ty();
    case DType::I32:
      return b_.getInt32Ty();
    case DType::I64:
      return b_.getInt64Ty();
    case DType::BF16:
    case DType::F32:
      return b_.getFloatTy();
    case DType::F64:
      return b_.getDoubleTy();
  }
  throw InternalError("code generation: an unknown element type");
}

llvm::Type* Emitter::memoryType(DType type) {
  if (type == DType::Bool) return b_.getInt8Ty();
  if (type == DType::BF16) return b_.getInt16Ty();
  return registerType(type);
}

llvm::Constant* Emitter::constant(const Scalar& value) {
  llvm::Type* type = registerType(value.type);
  if (value.isFloating()) return llvm::ConstantFP::get(type, value.f);
  return llvm::ConstantInt::get(type, static_cast<uint64_t>(value.i), true);
}

llvm::Value* Emitter::iota(llvm::Type* element) {
  std::vector<llvm::Constant*> numbers;
  for (int lane = 0; lane < lanes_.width; ++lane)
    numbers.push_back(llvm::ConstantInt::get(element, static_cast<uint64_t>(lane)));
  return llvm::ConstantVector::get(numbers);
}

llvm::Value* Emitter::vectorValue(const Value& value) {
  if (value.shape == Value::Shape::Varying || lanes_.width == 1) return value.v;
  V* lanes = splat(value.v);
  if (value.uniform()) return lanes;
  return b_.CreateAdd(lanes, b_.CreateMul(iota(b_.getInt64Ty()), splat(i64(value.stride))));
}

llvm::Value* Emitter::scalarValue(const Value& value) {
  if (value.shape == Value::Shape::Varying && lanes_.width > 1)
    throw InternalError("code generation: a uniform value was expected");
  return value.v;
}

}  // namespace rlc::cpu
