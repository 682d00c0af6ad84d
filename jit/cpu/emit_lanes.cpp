// Lanes loops: blocks of lanes, the remainder under a mask, and partial results that are combined
// at the end.
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

#include "jit/cpu/emitter.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

using Shape = Value::Shape;

void Emitter::lanes(const Stmt& stmt, const LanesPlan& plan) {
  V *lo = scalarValue(expr(stmt.lo)), *hi = scalarValue(expr(stmt.hi));
  cache_.clear();
  auto* done = newBlock("lanes.end");
  if (!tripCount(stmt)) {
    auto* some = newBlock("lanes");
    b_.CreateCondBr(b_.CreateICmpSLT(lo, hi), some, done);
    b_.SetInsertPoint(some);
  } else if (*tripCount(stmt) == 0) {
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
    return;
  }
  const Lanes outer = lanes_;
  const auto outerOpen = std::move(open_);
  open_.clear();
  lanes_ = Lanes();
  lanes_.width = plan.width;
  lanes_.loop = &stmt;
  lanes_.plan = &plan;
  ++loopDepth_;
  // Locals that the lanes reduce into become vectors of partial results.
  std::vector<std::pair<Stmt::Reduction, Variable>> locals;
  for (const auto& reduction : stmt.reductions) {
    if (reduction.local < 0) continue;
    Variable& var = vars_[static_cast<size_t>(reduction.local)];
    if (var.slot == nullptr || var.varying) continue;
    locals.emplace_back(reduction, var);
    const DType type = plan_.types[static_cast<size_t>(reduction.local)];
    var.slot = newSlot(vectorOf(registerType(type)), "partial");
    var.varying = var.partial = true;
    b_.CreateStore(splat(constant(identity(reduction.combine, type))), var.slot);
  }
  beginPartials(stmt, plan);
  laneBlocks(stmt, plan, lo, hi);
  endPartials(stmt);
  for (const auto& [reduction, var] : locals) {
    const DType type = plan_.types[static_cast<size_t>(reduction.local)];
    Variable& partial = vars_[static_cast<size_t>(reduction.local)];
    V* total = reduceLanes(reduction.combine, type,
                           b_.CreateLoad(partial.slot->getAllocatedType(), partial.slot));
    partial = var;
    b_.CreateStore(
        combine(reduction.combine, type, b_.CreateLoad(registerType(type), var.slot), total),
        var.slot);
  }
  --loopDepth_;
  lanes_ = outer;
  open_ = outerOpen;
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void Emitter::laneBlocks(const Stmt& stmt, const LanesPlan& plan, V* lo, V* hi) {
  const int64_t width = plan.width;
  const auto maskFrom = [&](V* first) {
    // At least one lane is active, so the difference is positive.
    V* left = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b_.CreateSub(hi, first), i64(width));
    return b_.CreateICmpULT(iota(b_.getInt32Ty()), splat(b_.CreateTrunc(left, b_.getInt32Ty())));
  };
  const auto trip = tripCount(stmt);
  fetchBand(stmt, lo);
  if (plan.tail == LanesPlan::Tail::MaskedBlocks) {
    if (trip && *trip <= width) return laneBlock(stmt, lo, maskFrom(lo));
    auto* exit = newBlock("blocks.end");
    stripLoop(
        stmt, lo, hi, width, false, exit,
        [&](V* first) {
          fetchNextBand(stmt, first, hi);
          laneBlock(stmt, first, maskFrom(first));
        },
        false);
    b_.SetInsertPoint(exit);
    return;
  }
  V* whole = b_.CreateAnd(b_.CreateSub(hi, lo), i64(-width));
  V* end = trip ? b_.CreateAdd(lo, i64(*trip / width * width)) : b_.CreateAdd(lo, whole);
  if (trip && *trip == width) {
    laneBlock(stmt, lo, nullptr);
  } else {
    auto* exit = newBlock("blocks.end");
    stripLoop(
        stmt, lo, end, width, false, exit,
        [&](V* first) {
          fetchNextBand(stmt, first, hi);
          laneBlock(stmt, first, nullptr);
        },
        false);
    b_.SetInsertPoint(exit);
  }
  if (plan.tail == LanesPlan::Tail::None) return;
  auto* rest = newBlock("rest");
  auto* done = newBlock("rest.end");
  b_.CreateCondBr(b_.CreateICmpSLT(end, hi), rest, done);
  b_.SetInsertPoint(rest);
  laneBlock(stmt, end, maskFrom(end));
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void Emitter::laneBlock(const Stmt& stmt, V* first, V* mask) {
  dropLeftOver(stmt);
  vars_[static_cast<size_t>(stmt.var)] = {Value{first, Shape::Linear, 1}};
  lanes_.mask = mask;
  lanes_.conditional = false;
  lanes_.any = nullptr;
  block(stmt.body);
  lanes_.mask = nullptr;
  lanes_.conditional = false;
  lanes_.any = nullptr;
}

llvm::Value* Emitter::valueOrZeros(const loops::Expr& e) {
  cache_.clear();
  V* value =
      activeOr(vectorValue(expr(e)), llvm::Constant::getNullValue(vectorOf(b_.getFloatTy())));
  cache_.clear();
  return value;
}

void Emitter::whereAnyIsActive(const std::function<void()>& body) {
  if (lanes_.any == nullptr) return body();
  auto* some = newBlock("active");
  auto* end = newBlock("active.end");
  b_.CreateCondBr(lanes_.any, some, end);
  b_.SetInsertPoint(some);
  body();
  b_.CreateBr(end);
  b_.SetInsertPoint(end);
}

// A bit a lane, set where `vector` is 1, if it is 0 in all others.
static llvm::Value* bitsOf(llvm::IRBuilder<>& b, llvm::Value* vector) {
  using namespace llvm::PatternMatch;
  llvm::Value *truths = nullptr, *mask = nullptr;
  const auto number = m_ZExt(m_Value(truths));
  if (!match(vector, number) && !match(vector, m_Select(m_Value(mask), number, m_Zero())))
    return nullptr;
  if (!truths->getType()->isIntOrIntVectorTy(1)) return nullptr;
  const auto lanes = truths->getType()->getPrimitiveSizeInBits().getFixedValue();
  if (mask != nullptr && !mask->getType()->isVectorTy())
    mask = b.CreateVectorSplat(static_cast<unsigned>(lanes), mask);
  if (mask != nullptr) truths = b.CreateAnd(mask, truths);
  return b.CreateBitCast(truths, b.getIntNTy(static_cast<unsigned>(lanes)));
}

// In halves: the order is fixed. Truths are counted, which gives the same integer.
llvm::Value* Emitter::reduceLanes(loops::Combine combineKind, DType type, V* vector) {
  if (V* bits = combineKind == loops::Combine::Sum ? bitsOf(b_, vector) : nullptr)
    return b_.CreateZExtOrTrunc(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits),
                                vector->getType()->getScalarType());
  auto width = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  while (width > 1) {
    width /= 2;
    std::vector<int> low, high;
    for (unsigned i = 0; i < width; ++i)
      low.push_back(static_cast<int>(i)), high.push_back(static_cast<int>(i + width));
    vector = combine(combineKind, type, b_.CreateShuffleVector(vector, low),
                     b_.CreateShuffleVector(vector, high));
  }
  return b_.CreateExtractElement(vector, i64(0));
}

void Emitter::beginPartials(const Stmt& stmt, const LanesPlan& plan) {
  partials_.clear();
  std::unordered_map<loops::BufferId, V*> arrays;
  forEachStmt(stmt.body, [&](const Stmt& inner) {
    if (inner.kind != Stmt::Kind::Accumulate) return;
    const loops::Buffer& buffer = bufferAt(inner.buffer);
    const Scalar neutral = identity(inner.combine, buffer.type);
    const LaneSum sum = laneSum(inner);
    if (sum == LaneSum::Register) {
      auto* slot = newSlot(vectorOf(registerType(buffer.type)), "partial");
      b_.CreateStore(splat(constant(neutral)), slot);
      partials_[&inner] = slot;
    } else if (sum == LaneSum::Expanded) {
      V*& array = arrays[inner.buffer];
      if (array == nullptr) {
        llvm::Type* vector = vectorOf(memoryType(buffer.type));
        const int64_t bytes =
            buffer.elements * plan.width * static_cast<int64_t>(byteSize(buffer.type));
        if (f_.stackBytes + bytes <= kStackLimit) {
          f_.stackBytes += bytes;
          auto* slot = newSlot(llvm::ArrayType::get(vector, static_cast<uint64_t>(buffer.elements)),
                               "partials");
          slot->setAlignment(llvm::Align(64));
          array = slot;
        } else {
          array = scratchPiece(bytes);
        }
        auto* exit = newBlock("partials");
        countedLoop(
            i64(0), i64(buffer.elements), 1, false, exit,
            [&](V* i) {
              b_.CreateAlignedStore(toMemory(buffer.type, splat(constant(neutral))),
                                    b_.CreateInBoundsGEP(vector, array, i),
                                    llvm::Align(byteSize(buffer.type)));
            },
            false);
        b_.SetInsertPoint(exit);
      }
      partials_[&inner] = array;
    }
  });
}

// Whether each iteration of `loop` adds: where none does, there may be no such place in memory.
bool Emitter::runsAlways(const Stmt& loop, const Stmt& accumulate) {
  return std::any_of(loop.body.begin(), loop.body.end(),
                     [&](const auto& stmt) { return stmt.get() == &accumulate; });
}

// Where some lane holds more than what it began with.
void Emitter::ifAnyAdded(const Stmt& accumulate, V* lanes, const std::function<void()>& body) {
  const DType type = bufferAt(accumulate.buffer).type;
  V* const begun = splat(constant(identity(accumulate.combine, type)));
  llvm::Type* bits =
      b_.getIntNTy(static_cast<unsigned>(lanes->getType()->getPrimitiveSizeInBits()));
  auto* added = newBlock("added");
  auto* done = newBlock("added.end");
  b_.CreateCondBr(b_.CreateICmpNE(b_.CreateBitCast(lanes, bits), b_.CreateBitCast(begun, bits)),
                  added, done);
  b_.SetInsertPoint(added);
  body();
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void Emitter::endPartials(const Stmt& stmt) {
  std::unordered_map<loops::BufferId, bool> done;
  const auto add = [&](const Stmt& inner, V* index, V* lanes) {
    const DType type = bufferAt(inner.buffer).type;
    const llvm::Align align(byteSize(type));
    V* pointer = address(inner.buffer, index);
    V* total = reduceLanes(inner.combine, type, lanes);
    V* old = fromMemory(type, b_.CreateAlignedLoad(memoryType(type), pointer, align));
    b_.CreateAlignedStore(toMemory(type, combine(inner.combine, type, old, total)), pointer, align);
  };
  forEachStmt(stmt.body, [&](const Stmt& inner) {
    if (inner.kind != Stmt::Kind::Accumulate) return;
    cache_.clear();
    const LaneSum sum = laneSum(inner);
    if (sum == LaneSum::Register) {
      V* slot = partials_.at(&inner);
      V* lanes = b_.CreateLoad(vectorOf(registerType(bufferAt(inner.buffer).type)), slot);
      const auto addLanes = [&] { add(inner, scalarValue(expr(inner.index)), lanes); };
      if (runsAlways(stmt, inner))
        addLanes();
      else
        ifAnyAdded(inner, lanes, addLanes);
    } else if (sum == LaneSum::Expanded && !done[inner.buffer]) {
      done[inner.buffer] = true;
      const loops::Buffer& buffer = bufferAt(inner.buffer);
      llvm::Type* vector = vectorOf(memoryType(buffer.type));
      auto* exit = newBlock("partials.end");
      countedLoop(
          i64(0), i64(buffer.elements), 1, false, exit,
          [&](V* i) {
            V* stored =
                b_.CreateAlignedLoad(vector, b_.CreateInBoundsGEP(vector, partials_.at(&inner), i),
                                     llvm::Align(byteSize(buffer.type)));
            add(inner, i, fromMemory(buffer.type, stored));
          },
          false);
      b_.SetInsertPoint(exit);
    }
  });
  cache_.clear();
  partials_.clear();
}

}  // namespace rlc::cpu
