// Parallel loops: the body becomes a function of a chunk's number; what chunks reduce into they
// have copies of.
#include <cctype>
#include <cstddef>

#include "jit/cpu/emitter.h"
#include "jit/cpu/walk.h"
#include "jit/host/abi.h"

namespace rlc::cpu {

using loops::Stmt;
using loops::VarId;

namespace {

constexpr int64_t kCopiesAtOnce = 4;

// Profiles show it.
std::string chunkName(const Stmt& loop) {
  std::string name = loop.comment.empty() ? "rlc_chunk" : "rlc_chunk_";
  for (char c : loop.comment) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

}  // namespace

// lo, hi, then the captured scalars, eight bytes each.
llvm::Value* Emitter::closureOf(const Stmt& stmt, const ParallelPlan& plan) {
  V *lo = scalarValue(expr(stmt.lo)), *hi = scalarValue(expr(stmt.hi));
  cache_.clear();
  const uint64_t size = 2 + plan.captures.size();
  auto* closure = newSlot(llvm::ArrayType::get(b_.getInt64Ty(), size), "closure");
  const auto place = [&](uint64_t i) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), closure, i);
  };
  b_.CreateStore(lo, place(0));
  b_.CreateStore(hi, place(1));
  for (size_t i = 0; i < plan.captures.size(); ++i) {
    const Variable& var = vars_[static_cast<size_t>(plan.captures[i])];
    V* value =
        var.slot != nullptr ? b_.CreateLoad(var.slot->getAllocatedType(), var.slot) : var.value.v;
    if (value == nullptr) continue;
    if (value->getType()->isIntegerTy(1)) value = b_.CreateZExt(value, b_.getInt8Ty());
    b_.CreateStore(value, place(2 + i));
  }
  return closure;
}

void Emitter::callChunks(llvm::Function* body, V* closure, int64_t chunks,
                         const ParallelPlan& plan) {
  llvm::Type *ptr = b_.getPtrTy(), *word = b_.getInt64Ty();
  auto callee =
      runtimeFunction("rlc_parallel_for", b_.getVoidTy(), {ptr, ptr, ptr, word, word, ptr, word});
  b_.CreateCall(callee, {f_.context, body, closure, i64(chunks), i64(plan.operations),
                         extentsOf(plan.fetched), i64(static_cast<int64_t>(plan.fetched.size()))});
  leaveIfOver();
}

void Emitter::parallel(const Stmt& stmt, const ParallelPlan& plan) {
  V* closure = closureOf(stmt, plan);
  callChunks(chunkFunction(stmt, plan), closure, plan.chunks, plan);
  combineCopies(stmt, plan);
}

const ParallelPlan* Emitter::sharedPlan(const Stmt& stmt) const {
  const auto found = plan_.parallel.find(&stmt);
  return found != plan_.parallel.end() && found->second.chunks > 1 ? &found->second : nullptr;
}

bool Emitter::runsBeside(const Stmt& first, const Stmt& second) const {
  return second.besideLast && sharedPlan(first) != nullptr && sharedPlan(second) != nullptr;
}

void Emitter::sideBySide(const Stmt& first, const Stmt& second) {
  const ParallelPlan *one = sharedPlan(first), *other = sharedPlan(second);
  auto* closures = newSlot(llvm::ArrayType::get(b_.getPtrTy(), 2), "closures");
  const auto place = [&](V* base, uint64_t i) {
    return b_.CreateConstInBoundsGEP1_64(b_.getPtrTy(), base, i);
  };
  b_.CreateStore(closureOf(first, *one), place(closures, 0));
  b_.CreateStore(closureOf(second, *other), place(closures, 1));
  llvm::Function *ofFirst = chunkFunction(first, *one), *ofSecond = chunkFunction(second, *other);
  auto* either = llvm::Function::Create(ofFirst->getFunctionType(), llvm::Function::InternalLinkage,
                                        "rlc_either", module_);
  for (llvm::Function* function : {ofFirst, ofSecond})
    function->addFnAttr(llvm::Attribute::NoInline);
  inFunction(either, [&] {
    V *context = either->getArg(0), *both = either->getArg(1), *chunk = either->getArg(2),
      *scratch = either->getArg(3);
    auto *isFirst = newBlock("first"), *isSecond = newBlock("second"), *done = newBlock("done");
    V* inSecond = b_.CreateSub(chunk, i64(one->chunks));
    b_.CreateCondBr(b_.CreateICmpSLT(inSecond, i64(0)), isFirst, isSecond);
    const auto run = [&](llvm::BasicBlock* block, llvm::Function* function, uint64_t closure,
                         V* number) {
      b_.SetInsertPoint(block);
      V* own = b_.CreateLoad(b_.getPtrTy(), place(both, closure));
      b_.CreateCall(function, {context, own, number, scratch});
      b_.CreateBr(done);
    };
    run(isFirst, ofFirst, 0, chunk);
    run(isSecond, ofSecond, 1, inSecond);
    b_.SetInsertPoint(done);
  });
  callChunks(either, closures, one->chunks + other->chunks, *one);
  combineCopies(first, *one);
  combineCopies(second, *other);
}

// host::Extents of the arena.
llvm::Constant* Emitter::extentsOf(const std::vector<loops::BufferId>& buffers) {
  if (buffers.empty()) return llvm::ConstantPointerNull::get(b_.getPtrTy());
  std::vector<uint64_t> words;
  for (loops::BufferId id : buffers) {
    const loops::Buffer& buffer = bufferAt(id);
    words.push_back(static_cast<uint64_t>(buffer.offset));
    words.push_back(static_cast<uint64_t>(bytesOf(buffer)));
  }
  auto* values = llvm::ConstantDataArray::get(module_.getContext(), words);
  return new llvm::GlobalVariable(module_, values->getType(), true,
                                  llvm::GlobalValue::InternalLinkage, values, "shared");
}

void Emitter::leaveIfOver() {
  auto* running = newBlock("running");
  V* pointer = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), f_.context,
                                             offsetof(host::KernelContext, status));
  V* status = b_.CreateAlignedLoad(b_.getInt32Ty(), pointer, llvm::Align(4));
  b_.CreateCondBr(b_.CreateICmpEQ(status, b_.getInt32(0)), running, f_.leave);
  b_.SetInsertPoint(running);
}

void Emitter::inFunction(llvm::Function* function, const std::function<void()>& body) {
  const auto outerPoint = b_.saveIP();
  const Function outerFunction = std::move(f_);
  const auto outerVars = vars_;
  const auto outerOpen = std::move(open_);
  const auto outerPartials = std::move(partials_);
  const int outerDepth = loopDepth_;
  open_.clear();
  partials_.clear();
  beginFunction(function);
  body();
  endFunction();
  f_ = outerFunction;
  vars_ = outerVars;
  open_ = outerOpen;
  partials_ = outerPartials;
  loopDepth_ = outerDepth;
  b_.restoreIP(outerPoint);
}

llvm::Function* Emitter::chunkFunction(const Stmt& stmt, const ParallelPlan& plan) {
  llvm::Type *ptr = b_.getPtrTy(), *word = b_.getInt64Ty();
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {ptr, ptr, word, ptr}, false);
  auto* function =
      llvm::Function::Create(type, llvm::Function::InternalLinkage, chunkName(stmt), module_);
  function->addParamAttr(1, llvm::Attribute::NoAlias);
  function->addParamAttr(3, llvm::Attribute::NoAlias);
  functionScratch_ = 0;
  inFunction(function, [&] { chunk(stmt, plan); });
  return function;
}

void Emitter::chunk(const Stmt& stmt, const ParallelPlan& plan) {
  llvm::Function* function = f_.function;
  llvm::Type* word = b_.getInt64Ty();
  f_.parallel = true;
  V* closure = function->getArg(1);
  V* chunk = f_.chunk = function->getArg(2);
  f_.threadScratch = function->getArg(3);
  const auto captured = [&](uint64_t i, llvm::Type* valueType) -> V* {
    V* from = b_.CreateConstInBoundsGEP1_64(word, closure, i);
    if (valueType->isIntegerTy(1))
      return b_.CreateTrunc(b_.CreateAlignedLoad(b_.getInt8Ty(), from, llvm::Align(8)), valueType);
    return b_.CreateAlignedLoad(valueType, from, llvm::Align(8));
  };
  V *lo = captured(0, word), *hi = captured(1, word);
  for (size_t i = 0; i < plan.captures.size(); ++i) {
    const VarId var = plan.captures[i];
    vars_[static_cast<size_t>(var)] = {
        Value{captured(2 + i, registerType(plan_.types[static_cast<size_t>(var)]))}};
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
    const llvm::Align align(byteSize(buffer.type));
    V* neutral = toMemory(buffer.type, constant(identity(reduction.combine, buffer.type)));
    if (llvm::cast<llvm::Constant>(neutral)->isNullValue()) {
      b_.CreateMemSet(place, b_.getInt8(0),
                      static_cast<uint64_t>(buffer.elements * byteSize(buffer.type)), align);
    } else {
      auto* exit = newBlock("copy.ready");
      countedLoop(i64(0), i64(buffer.elements), 1, false, exit, [&](V* i) {
        b_.CreateAlignedStore(neutral, b_.CreateInBoundsGEP(element, place, i), align);
      });
      b_.SetInsertPoint(exit);
    }
    f_.copies[reduction.buffer] = place;
  }

  V* trip = b_.CreateSub(hi, lo);
  const auto bound = [&](V* number) {
    return b_.CreateAdd(lo, b_.CreateSDiv(b_.CreateMul(trip, number), i64(plan.chunks)));
  };
  V* begin = bound(chunk);
  V* end = bound(b_.CreateAdd(chunk, i64(1)));
  auto* exit = newBlock("chunk.end");
  ++loopDepth_;
  stripLoop(stmt, begin, end, 1, false, exit, [&](V* i) {
    vars_[static_cast<size_t>(stmt.var)] = {Value{i}};
    block(stmt.body);
  });
  b_.SetInsertPoint(exit);
  for (const auto& [place, reduction] : locals) {
    const DType localType = plan_.types[static_cast<size_t>(reduction->local)];
    auto* slot = vars_[static_cast<size_t>(reduction->local)].slot;
    b_.CreateStore(toMemory(localType, b_.CreateLoad(slot->getAllocatedType(), slot)), place);
  }
}

// (c0 + c1) + (c2 + c3): a fixed tree, whoever computed the chunks.
llvm::Value* Emitter::sumOfCopies(loops::Combine how, DType type, const std::vector<V*>& places) {
  std::vector<V*> values;
  for (V* place : places)
    values.push_back(fromMemory(
        type, b_.CreateAlignedLoad(memoryType(type), place, llvm::Align(byteSize(type)))));
  while (values.size() > 1) {
    std::vector<V*> next;
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      next.push_back(combine(how, type, values[i], values[i + 1]));
    if (values.size() % 2 == 1) next.push_back(values.back());
    values = std::move(next);
  }
  return values[0];
}

// void(context, target, copies, elements, stride): one function for all buffers of a type, of which
// a network has hundreds.
llvm::Function* Emitter::copiesAdder(loops::Combine how, DType type, int64_t chunks) {
  const std::string id = "rlc.add_copies." + std::to_string(static_cast<int>(how)) + "." +
                         std::string(name(type)) + "." + std::to_string(chunks);
  if (const auto known = formulas_.find(id); known != formulas_.end()) return known->second;
  llvm::Type *ptr = b_.getPtrTy(), *word = b_.getInt64Ty();
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(b_.getVoidTy(), {ptr, ptr, ptr, word, word}, false),
      llvm::Function::InternalLinkage, id, module_);
  for (unsigned pointer : {1U, 2U}) function->addParamAttr(pointer, llvm::Attribute::NoAlias);
  function->addFnAttr(llvm::Attribute::NoInline);
  inFunction(function, [&] {
    V *target = function->getArg(1), *copies = function->getArg(2), *elements = function->getArg(3),
      *stride = function->getArg(4);
    const llvm::Align align(byteSize(type));
    llvm::Type* element = memoryType(type);
    for (int64_t first = 0; first < chunks; first += kCopiesAtOnce) {
      std::vector<V*> rows;
      for (int64_t chunk = first; chunk < std::min(first + kCopiesAtOnce, chunks); ++chunk)
        rows.push_back(
            b_.CreateInBoundsGEP(b_.getInt8Ty(), copies, b_.CreateNSWMul(stride, i64(chunk))));
      auto* exit = newBlock("combined");
      countedLoop(i64(0), elements, 1, false, exit, [&](V* i) {
        std::vector<V*> places;
        for (V* row : rows) places.push_back(b_.CreateInBoundsGEP(element, row, i));
        V* pointer = b_.CreateInBoundsGEP(element, target, i);
        V* old = fromMemory(type, b_.CreateAlignedLoad(element, pointer, align));
        b_.CreateAlignedStore(
            toMemory(type, combine(how, type, old, sumOfCopies(how, type, places))), pointer,
            align);
      });
      b_.SetInsertPoint(exit);
    }
  });
  return formulas_[id] = function;
}

// Adds what each chunk has reduced to where the loop reduces into, kCopiesAtOnce chunks at a time.
void Emitter::combineCopies(const Stmt& stmt, const ParallelPlan& plan) {
  for (const auto& copy : plan.copies) {
    const auto& reduction = stmt.reductions[static_cast<size_t>(copy.reduction)];
    const auto placeOf = [&](int64_t chunk) {
      return b_.CreateConstInBoundsGEP1_64(
          b_.getInt8Ty(), f_.scratch, static_cast<uint64_t>(copy.offset + chunk * copy.stride));
    };
    if (reduction.local < 0) {
      const loops::Buffer& buffer = bufferAt(reduction.buffer);
      b_.CreateCall(copiesAdder(reduction.combine, buffer.type, plan.chunks),
                    {f_.context, address(reduction.buffer, i64(0)), placeOf(0),
                     i64(buffer.elements), i64(copy.stride)});
      continue;
    }
    const DType type = plan_.types[static_cast<size_t>(reduction.local)];
    auto* slot = vars_[static_cast<size_t>(reduction.local)].slot;
    for (int64_t first = 0; first < plan.chunks; first += kCopiesAtOnce) {
      std::vector<V*> places;
      for (int64_t chunk = first; chunk < std::min(first + kCopiesAtOnce, plan.chunks); ++chunk)
        places.push_back(placeOf(chunk));
      V* old = b_.CreateLoad(registerType(type), slot);
      b_.CreateStore(
          combine(reduction.combine, type, old, sumOfCopies(reduction.combine, type, places)),
          slot);
    }
  }
}

}  // namespace rlc::cpu
