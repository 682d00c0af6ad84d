// Parallel loops: the body becomes a function of a chunk's number; what chunks reduce into they have copies of.
#include <cctype>
#include <cstddef>

#include "jit/host/abi.h"
#include "jit/cpu/emitter.h"

namespace rlc::cpu {

using loops::Stmt;
using loops::VarId;

namespace {

// Profiles show it.
std::string chunkName(const Stmt& loop) {
  std::string name = loop.comment.empty() ? "rlc_chunk" : "rlc_chunk_";
  for (char c : loop.comment) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

}  // namespace

void Emitter::parallel(const Stmt& stmt, const ParallelPlan& plan) {
  V *lo = scalarValue(expr(stmt.lo)), *hi = scalarValue(expr(stmt.hi));
  cache_.clear();
  // The closure: lo, hi, then the captured scalars, eight bytes each.
  const uint64_t size = 2 + plan.captures.size();
  auto* closure = newSlot(llvm::ArrayType::get(b_.getInt64Ty(), size), "closure");
  const auto place = [&](uint64_t i) { return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), closure, i); };
  b_.CreateStore(lo, place(0));
  b_.CreateStore(hi, place(1));
  for (size_t i = 0; i < plan.captures.size(); ++i) {
    const Variable& var = vars_[static_cast<size_t>(plan.captures[i])];
    V* value = var.slot != nullptr ? b_.CreateLoad(var.slot->getAllocatedType(), var.slot) : var.value.v;
    if (value == nullptr) continue;
    if (value->getType()->isIntegerTy(1)) value = b_.CreateZExt(value, b_.getInt8Ty());
    b_.CreateStore(value, place(2 + i));
  }
  llvm::Function* body = chunkFunction(stmt, plan);
  llvm::Type *ptr = b_.getPtrTy(), *word = b_.getInt64Ty();
  auto callee = runtimeFunction("rlc_parallel_for", b_.getVoidTy(), {ptr, ptr, ptr, word, word});
  b_.CreateCall(callee, {f_.context, body, closure, i64(plan.chunks), i64(plan.operations)});
  leaveIfOver();
  combineCopies(stmt, plan);
}

void Emitter::leaveIfOver() {
  auto* running = newBlock("running");
  V* pointer = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), f_.context, offsetof(host::KernelContext, status));
  V* status = b_.CreateAlignedLoad(b_.getInt32Ty(), pointer, llvm::Align(4));
  b_.CreateCondBr(b_.CreateICmpEQ(status, b_.getInt32(0)), running, f_.leave);
  b_.SetInsertPoint(running);
}

llvm::Function* Emitter::chunkFunction(const Stmt& stmt, const ParallelPlan& plan) {
  llvm::Type *ptr = b_.getPtrTy(), *word = b_.getInt64Ty();
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr, ptr, word, ptr}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage, chunkName(stmt), module_);
  function->addParamAttr(1, llvm::Attribute::NoAlias);
  function->addParamAttr(3, llvm::Attribute::NoAlias);

  const auto outerPoint = b_.saveIP();
  const Function outerFunction = std::move(f_);
  const auto outerVars = vars_;
  const auto outerOpen = std::move(open_);
  const auto outerPartials = std::move(partials_);
  const int outerDepth = loopDepth_;
  open_.clear();
  partials_.clear();
  functionScratch_ = 0;
  beginFunction(function);
  f_.parallel = true;
  V* closure = function->getArg(1);
  V* chunk = function->getArg(2);
  f_.threadScratch = function->getArg(3);
  const auto captured = [&](uint64_t i, llvm::Type* valueType) -> V* {
    V* from = b_.CreateConstInBoundsGEP1_64(word, closure, i);
    if (valueType->isIntegerTy(1)) return b_.CreateTrunc(b_.CreateAlignedLoad(b_.getInt8Ty(), from, llvm::Align(8)), valueType);
    return b_.CreateAlignedLoad(valueType, from, llvm::Align(8));
  };
  V *lo = captured(0, word), *hi = captured(1, word);
  for (size_t i = 0; i < plan.captures.size(); ++i) {
    const VarId var = plan.captures[i];
    vars_[static_cast<size_t>(var)] = {Value{captured(2 + i, registerType(plan_.types[static_cast<size_t>(var)]))}};
  }

  // Its own copies of what it reduces into.
  std::vector<std::pair<V*, const Stmt::Reduction*>> locals;
  for (const auto& copy : plan.copies) {
    const auto& reduction = stmt.reductions[static_cast<size_t>(copy.reduction)];
    V* offset = b_.CreateAdd(i64(copy.offset), b_.CreateMul(chunk, i64(copy.stride)));
    V* place = b_.CreateInBoundsGEP(b_.getInt8Ty(), f_.scratch, offset);
    if (reduction.local >= 0) {
      const DType localType = plan_.types[static_cast<size_t>(reduction.local)];
      Variable var;
      var.slot = newSlot(registerType(localType), "reduced");
      b_.CreateStore(constant(identity(reduction.combine, localType)), var.slot);
      vars_[static_cast<size_t>(reduction.local)] = var;
      locals.emplace_back(place, &reduction);
      continue;
    }
    const loops::Buffer& buffer = bufferAt(reduction.buffer);
    llvm::Type* element = memoryType(buffer.type);
    V* neutral = toMemory(buffer.type, constant(identity(reduction.combine, buffer.type)));
    auto* exit = newBlock("copy.ready");
    countedLoop(i64(0), i64(buffer.elements), 1, false, exit, [&](V* i) {
      b_.CreateAlignedStore(neutral, b_.CreateInBoundsGEP(element, place, i), llvm::Align(byteSize(buffer.type)));
    });
    b_.SetInsertPoint(exit);
    f_.copies[reduction.buffer] = place;
  }

  V* trip = b_.CreateSub(hi, lo);
  const auto bound = [&](V* number) { return b_.CreateAdd(lo, b_.CreateSDiv(b_.CreateMul(trip, number), i64(plan.chunks))); };
  V* begin = bound(chunk);
  V* end = bound(b_.CreateAdd(chunk, i64(1)));
  auto* exit = newBlock("chunk.end");
  ++loopDepth_;
  pollingLoop(stmt, begin, end, 1, false, exit, [&](V* i) {
    vars_[static_cast<size_t>(stmt.var)] = {Value{i}};
    block(stmt.body);
  });
  b_.SetInsertPoint(exit);
  for (const auto& [place, reduction] : locals) {
    const DType localType = plan_.types[static_cast<size_t>(reduction->local)];
    auto* slot = vars_[static_cast<size_t>(reduction->local)].slot;
    b_.CreateStore(toMemory(localType, b_.CreateLoad(slot->getAllocatedType(), slot)), place);
  }
  endFunction();

  f_ = outerFunction;
  vars_ = outerVars;
  open_ = outerOpen;
  partials_ = outerPartials;
  loopDepth_ = outerDepth;
  b_.restoreIP(outerPoint);
  return function;
}

// target = target + ((c0 + c1) + (c2 + c3)), four chunks at a time: a fixed tree, whoever computed the chunks.
void Emitter::combineCopies(const Stmt& stmt, const ParallelPlan& plan) {
  for (const auto& copy : plan.copies) {
    const auto& reduction = stmt.reductions[static_cast<size_t>(copy.reduction)];
    const bool local = reduction.local >= 0;
    const DType type = local ? plan_.types[static_cast<size_t>(reduction.local)] : bufferAt(reduction.buffer).type;
    const llvm::Align align(byteSize(type));
    llvm::Type* element = memoryType(type);
    const auto sum = [&](int64_t first, int64_t count, V* index) {
      std::vector<V*> values;
      for (int64_t chunk = first; chunk < first + count; ++chunk) {
        V* place = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), f_.scratch, static_cast<uint64_t>(copy.offset + chunk * copy.stride));
        values.push_back(fromMemory(type, b_.CreateAlignedLoad(element, b_.CreateInBoundsGEP(element, place, index), align)));
      }
      while (values.size() > 1) {
        std::vector<V*> next;
        for (size_t i = 0; i + 1 < values.size(); i += 2) next.push_back(combine(reduction.combine, type, values[i], values[i + 1]));
        if (values.size() % 2 == 1) next.push_back(values.back());
        values = std::move(next);
      }
      return values[0];
    };
    for (int64_t first = 0; first < plan.chunks; first += 4) {
      const int64_t count = std::min<int64_t>(4, plan.chunks - first);
      if (local) {
        Variable& var = vars_[static_cast<size_t>(reduction.local)];
        V* old = b_.CreateLoad(registerType(type), var.slot);
        b_.CreateStore(combine(reduction.combine, type, old, sum(first, count, i64(0))), var.slot);
        continue;
      }
      auto* exit = newBlock("combined");
      countedLoop(i64(0), i64(bufferAt(reduction.buffer).elements), 1, false, exit, [&](V* i) {
        V* pointer = address(reduction.buffer, i);
        V* old = fromMemory(type, b_.CreateAlignedLoad(element, pointer, align));
        b_.CreateAlignedStore(toMemory(type, combine(reduction.combine, type, old, sum(first, count, i))), pointer, align);
      });
      b_.SetInsertPoint(exit);
    }
  }
}

}  // namespace rlc::cpu
