// Loads and stores: scalar where all lanes share the address, vectors where lanes are neighbours,
// gathers elsewhere.
#include <algorithm>
#include <cstddef>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/emitter.h"
#include "jit/host/abi.h"

namespace rlc::cpu {

using loops::Buffer;
using loops::BufferId;
using loops::Expr;
using Shape = Value::Shape;

namespace {

constexpr size_t kMostScopes = 96;

llvm::Align elementAlign(DType type) { return llvm::Align(byteSize(type)); }

// Lane-owned vectors start at multiples of their size.
llvm::Align blockAlign(DType type, int width) {
  return llvm::Align(std::min<uint64_t>(64, byteSize(type) * static_cast<uint64_t>(width)));
}

}  // namespace

// ---- aliasing: arena buffers without common bytes never alias -----------------------------------

void Emitter::makeScopes() {
  scopes_.assign(program_.buffers.size(), nullptr);
  noalias_.assign(program_.buffers.size(), nullptr);
  std::vector<BufferId> order;
  for (size_t i = 0; i < program_.buffers.size(); ++i)
    if (program_.buffers[i].kind == Buffer::Kind::Arena) order.push_back(static_cast<BufferId>(i));
  std::sort(order.begin(), order.end(),
            [&](BufferId a, BufferId b) { return bufferAt(a).offset < bufferAt(b).offset; });
  std::vector<size_t> group(program_.buffers.size());
  size_t groups = 0;
  int64_t end = -1;
  for (BufferId id : order) {
    const Buffer& buffer = bufferAt(id);
    if (buffer.offset >= end) ++groups;
    group[static_cast<size_t>(id)] = (groups - 1) % kMostScopes;
    end = std::max(end,
                   buffer.offset + buffer.elements * static_cast<int64_t>(byteSize(buffer.type)));
  }
  groups = std::min(groups, kMostScopes);
  if (groups < 2) return;
  const auto distinct = [&](llvm::Metadata* parent) {
    llvm::Metadata* args[] = {nullptr, parent};
    llvm::MDNode* node = llvm::MDNode::getDistinct(llvm_, llvm::ArrayRef(args, parent ? 2 : 1));
    node->replaceOperandWith(0, node);
    return node;
  };
  llvm::MDNode* domain = distinct(nullptr);
  std::vector<llvm::Metadata*> scopes;
  for (size_t i = 0; i < groups; ++i) scopes.push_back(distinct(domain));
  std::vector<llvm::MDNode*> own, others;
  for (size_t i = 0; i < groups; ++i) {
    own.push_back(llvm::MDNode::get(llvm_, {scopes[i]}));
    std::vector<llvm::Metadata*> rest = scopes;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    others.push_back(llvm::MDNode::get(llvm_, rest));
  }
  for (BufferId id : order) {
    scopes_[static_cast<size_t>(id)] = own[group[static_cast<size_t>(id)]];
    noalias_[static_cast<size_t>(id)] = others[group[static_cast<size_t>(id)]];
  }
}

void Emitter::tag(llvm::Instruction* instruction, BufferId id) {
  if (f_.copies.count(id) != 0) return;
  if (llvm::MDNode* scope = scopes_[static_cast<size_t>(id)]) {
    instruction->setMetadata(llvm::LLVMContext::MD_alias_scope, scope);
    instruction->setMetadata(llvm::LLVMContext::MD_noalias, noalias_[static_cast<size_t>(id)]);
  }
  if (bufferAt(id).kind == Buffer::Kind::Parameter)
    instruction->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(llvm_, {}));
}

// ---- addresses ----------------------------------------------------------------------------------

llvm::Value* Emitter::base(BufferId id) {
  const Buffer& buffer = bufferAt(id);
  const auto at = [&](V* from, int64_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), from, static_cast<uint64_t>(offset));
  };
  if (const auto copy = f_.copies.find(id); copy != f_.copies.end()) return copy->second;
  switch (buffer.kind) {
    case Buffer::Kind::Arena:
      return at(f_.arena, buffer.offset);
    case Buffer::Kind::Parameter:
      return at(contextField(offsetof(host::KernelContext, parameters) / 8, b_.getPtrTy()),
                buffer.offset);
    case Buffer::Kind::Constant: {
      llvm::GlobalVariable*& global = constants_[id];
      if (global != nullptr) return global;
      std::vector<llvm::Constant*> elements;
      for (const Scalar& value : buffer.data) {
        if (buffer.type == DType::BF16) {
          const uint32_t bits =
              llvm::APFloat(static_cast<float>(value.f)).bitcastToAPInt().getZExtValue() >> 16;
          elements.push_back(b_.getInt16(static_cast<uint16_t>(bits)));
        } else if (buffer.type == DType::Bool) {
          elements.push_back(b_.getInt8(value.i != 0));
        } else {
          elements.push_back(constant(value));
        }
      }
      auto* type = llvm::ArrayType::get(memoryType(buffer.type), elements.size());
      global = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage,
                                        llvm::ConstantArray::get(type, elements), buffer.name);
      global->setAlignment(llvm::Align(64));
      return global;
    }
    case Buffer::Kind::Private:
    case Buffer::Kind::Scratch:
    case Buffer::Kind::Thread:
      break;
  }
  const PrivatePlan& plan = plan_.privates[static_cast<size_t>(id)];
  if (plan.owner == PrivatePlan::Owner::Program) return at(f_.scratch, plan.offset);
  V*& place = f_.privates[id];
  if (place != nullptr) return place;
  const int64_t count = buffer.elements * plan.width;
  const int64_t bytes = alignUp(count * static_cast<int64_t>(byteSize(buffer.type)));
  if (f_.stackBytes + bytes <= kStackLimit) {
    f_.stackBytes += bytes;
    auto* slot = newSlot(
        llvm::ArrayType::get(memoryType(buffer.type), static_cast<uint64_t>(count)), "private");
    slot->setAlignment(llvm::Align(64));
    if (program_.readsUnwritten) {
      llvm::IRBuilder<> start(f_.allocas->getTerminator());
      start.CreateMemSet(slot, start.getInt8(0),
                         static_cast<uint64_t>(count) * byteSize(buffer.type), llvm::Align(64));
    }
    return place = slot;
  }
  // At the function's start, so that it dominates every use.
  llvm::IRBuilderBase::InsertPointGuard guard(b_);
  b_.SetInsertPoint(f_.allocas->getTerminator());
  place = scratchPiece(bytes);
  if (plan_.fetches.scratch && f_.parallel) adviseFetched(place, bytes);
  return place;
}

llvm::Value* Emitter::address(BufferId id, V* index) {
  llvm::Type* type = memoryType(bufferAt(id).type);
  if (laneOwned(id)) index = b_.CreateMul(index, i64(lanes_.width));
  index = inBands(bandsOf(id), index);
  return b_.CreateInBoundsGEP(type, base(id), index);
}

// An index that all lanes share; where no lane is active it may be anything, and is 0.
llvm::Value* Emitter::whereAsked(V* index) {
  if (!lanes_.conditional || lanes_.any == nullptr || llvm::isa<llvm::Constant>(index))
    return index;
  return b_.CreateSelect(lanes_.any, index, i64(0));
}

// Of lane 0's element where the block's elements lie one behind the other; else null.
llvm::Value* Emitter::blockPointer(BufferId id, const Expr& indexExpr, const Value& index) {
  if (index.shape != Shape::Linear || index.stride != 1) return nullptr;
  const Bands& bands = bandsOf(id);
  if (!bands) return address(id, index.v);
  if (!staysInBand(bands, indexExpr, *lanes_.loop, lanes_.width)) return nullptr;
  const Expr row = rowIn(plan_.bands, id, indexExpr, *lanes_.loop);
  if (!row) return address(id, index.v);
  kept_.push_back(row);
  V* lane = expr(loops::variable(lanes_.loop->var, DType::I64)).v;
  return b_.CreateInBoundsGEP(memoryType(bufferAt(id).type), base(id),
                              inBands(bands, expr(row).v, lane));
}

// ---- representation in memory -------------------------------------------------------------------

llvm::Value* Emitter::fromMemory(DType type, V* v) {
  if (type == DType::Bool) return b_.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType()));
  if (type != DType::BF16) return v;
  const bool vector = v->getType()->isVectorTy();
  llvm::Type *word = b_.getInt32Ty(), *number = b_.getFloatTy();
  if (vector) word = vectorOf(word), number = vectorOf(number);
  return b_.CreateBitCast(b_.CreateShl(b_.CreateZExt(v, word), llvm::ConstantInt::get(word, 16)),
                          number);
}

llvm::Value* Emitter::toMemory(DType type, V* v) {
  const bool vector = v->getType()->isVectorTy();
  const auto shaped = [&](llvm::Type* scalar) { return vector ? vectorOf(scalar) : scalar; };
  if (type == DType::Bool) return b_.CreateZExt(v, shaped(b_.getInt8Ty()));
  if (type != DType::BF16) return v;
  V* bits = b_.CreateBitCast(v, shaped(b_.getInt32Ty()));
  return b_.CreateTrunc(b_.CreateLShr(bits, llvm::ConstantInt::get(bits->getType(), 16)),
                        shaped(b_.getInt16Ty()));
}

// ---- loads --------------------------------------------------------------------------------------

Value Emitter::load(BufferId id, const Expr& indexExpr) {
  const Buffer& buffer = bufferAt(id);
  const Value index = expr(indexExpr);
  if (laneOwned(id)) return loadLaneOwned(id, index);
  llvm::Type* type = memoryType(buffer.type);
  const llvm::Align align = elementAlign(buffer.type);
  if (lanes_.width == 1 || index.uniform()) {
    V* at = address(id, whereAsked(index.v));
    return {fromMemory(buffer.type, tagged(b_.CreateAlignedLoad(type, at, align), id))};
  }
  llvm::Type* vector = vectorOf(type);
  if (V* pointer = blockPointer(id, indexExpr, index)) {
    llvm::Instruction* loaded =
        lanes_.mask == nullptr
            ? static_cast<llvm::Instruction*>(b_.CreateAlignedLoad(vector, pointer, align))
            : b_.CreateMaskedLoad(vector, pointer, align, lanes_.mask,
                                  llvm::Constant::getNullValue(vector));
    return varyingOf(fromMemory(buffer.type, tagged(loaded, id)));
  }
  V* mask = lanes_.mask != nullptr ? lanes_.mask : splat(b_.getTrue());
  auto* gathered = b_.CreateMaskedGather(vector, lanePointers(id, index), align, mask,
                                         llvm::Constant::getNullValue(vector));
  return varyingOf(fromMemory(buffer.type, tagged(gathered, id)));
}

Value Emitter::loadLaneOwned(BufferId id, const Value& index) {
  const Buffer& buffer = bufferAt(id);
  llvm::Type* type = memoryType(buffer.type);
  llvm::Type* vector = vectorOf(type);
  if (index.uniform()) {
    V* at = address(id, whereAsked(index.v));
    return varyingOf(fromMemory(
        buffer.type, b_.CreateAlignedLoad(vector, at, blockAlign(buffer.type, lanes_.width))));
  }
  V* mask = lanes_.mask != nullptr ? lanes_.mask : splat(b_.getTrue());
  V* pointers = lanePointers(id, index);
  return varyingOf(
      fromMemory(buffer.type, b_.CreateMaskedGather(vector, pointers, elementAlign(buffer.type),
                                                    mask, llvm::Constant::getNullValue(vector))));
}

// The element that each lane addresses. Offsets are kept in 32 bits where they fit: gathers are
// twice as fast.
llvm::Value* Emitter::lanePointers(BufferId id, const Value& index) {
  const Buffer& buffer = bufferAt(id);
  llvm::Type* type = memoryType(buffer.type);
  const bool owned = laneOwned(id);
  const int64_t factor = owned ? lanes_.width : 1;
  const bool narrow = buffer.elements * factor < (int64_t{1} << 31);
  llvm::Type* word = narrow ? b_.getInt32Ty() : b_.getInt64Ty();
  V* start = base(id);
  V* offsets;
  if (const Bands& bands = bandsOf(id)) {
    offsets = inBands(bands, b_.CreateIntCast(vectorValue(index), vectorOf(word), true));
  } else if (index.shape == Shape::Linear) {
    start = b_.CreateGEP(type, start, b_.CreateMul(index.v, i64(factor)));
    offsets = b_.CreateMul(
        iota(word),
        splat(llvm::ConstantInt::get(word, static_cast<uint64_t>(index.stride * factor), true)));
  } else {
    offsets = b_.CreateIntCast(vectorValue(index), vectorOf(word), true);
    offsets =
        b_.CreateMul(offsets, splat(llvm::ConstantInt::get(word, static_cast<uint64_t>(factor))));
  }
  if (owned) offsets = b_.CreateAdd(offsets, iota(word));
  return b_.CreateGEP(type, start, offsets);
}

// ---- stores -------------------------------------------------------------------------------------

void Emitter::store(BufferId id, const Expr& indexExpr, const Value& value) {
  const Value index = expr(indexExpr);
  if (laneOwned(id)) return storeLaneOwned(id, index, vectorValue(value));
  const Buffer& buffer = bufferAt(id);
  const llvm::Align align = elementAlign(buffer.type);
  if (lanes_.width == 1 || index.uniform()) {
    // All lanes store to one place: as if one after the other, so the last active one stays.
    return whereAnyIsActive([&] {
      V* scalar = value.v;
      if (lanes_.width > 1 && !value.uniform()) {
        V* last = b_.getInt32(static_cast<uint32_t>(lanes_.width - 1));
        if (lanes_.mask != nullptr) {
          V* bits = b_.CreateZExt(laneBits(lanes_.mask), b_.getInt64Ty());
          last = b_.CreateSub(i64(63),
                              b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, b_.getFalse()));
        }
        scalar = b_.CreateExtractElement(vectorValue(value), last);
      }
      tagged(b_.CreateAlignedStore(toMemory(buffer.type, scalar), address(id, index.v), align), id);
    });
  }
  V* stored = toMemory(buffer.type, vectorValue(value));
  if (V* pointer = blockPointer(id, indexExpr, index)) {
    if (lanes_.mask == nullptr)
      tagged(b_.CreateAlignedStore(stored, pointer, align), id);
    else
      tagged(b_.CreateMaskedStore(stored, pointer, align, lanes_.mask), id);
    return;
  }
  V* mask = lanes_.mask != nullptr ? lanes_.mask : splat(b_.getTrue());
  tagged(b_.CreateMaskedScatter(stored, lanePointers(id, index), align, mask), id);
}

// A lane past the loop's end has storage of its own, so only conditions need a blend.
void Emitter::storeLaneOwned(BufferId id, const Value& index, V* value) {
  const Buffer& buffer = bufferAt(id);
  V* stored = toMemory(buffer.type, value);
  if (!index.uniform()) {
    V* mask = lanes_.mask != nullptr ? lanes_.mask : splat(b_.getTrue());
    b_.CreateMaskedScatter(stored, lanePointers(id, index), elementAlign(buffer.type), mask);
    return;
  }
  const llvm::Align align = blockAlign(buffer.type, lanes_.width);
  V* pointer = address(id, whereAsked(index.v));
  if (lanes_.conditional) {
    V* old = b_.CreateAlignedLoad(stored->getType(), pointer, align);
    stored = b_.CreateSelect(lanes_.mask, stored, old);
  }
  b_.CreateAlignedStore(stored, pointer, align);
}

}  // namespace rlc::cpu
