// The number types that jit/runtime's formulas are instantiated with here: LLVM values, scalars or
// vectors alike, of f32 or f64 (Number), i32 or i64 (Word) and i1 (Truth). The operations are those
// of jit/runtime/math_ops.h.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <array>
#include <string>

#include "jit/runtime/math_trig.h"

namespace rlc::cpu::formulas {

struct Held {
  llvm::IRBuilder<>* b = nullptr;
  llvm::Value* v = nullptr;
};
struct Number : Held {};
struct Word : Held {};
struct Truth : Held {};

inline llvm::Type* ofWidth(llvm::Value* like, llvm::Type* scalar) {
  auto* vector = llvm::dyn_cast<llvm::VectorType>(like->getType());
  return vector == nullptr ? scalar : llvm::VectorType::get(scalar, vector->getElementCount());
}

inline Number constant(Number like, double value) {
  return {like.b, llvm::ConstantFP::get(like.v->getType(), value)};
}
inline Word wordConstant(Word like, int64_t value) {
  return {like.b, llvm::ConstantInt::get(like.v->getType(), static_cast<uint64_t>(value))};
}

inline Number operator+(Number x, Number y) { return {x.b, x.b->CreateFAdd(x.v, y.v)}; }
inline Number operator-(Number x, Number y) { return {x.b, x.b->CreateFSub(x.v, y.v)}; }
inline Number operator*(Number x, Number y) { return {x.b, x.b->CreateFMul(x.v, y.v)}; }
inline Number operator/(Number x, Number y) { return {x.b, x.b->CreateFDiv(x.v, y.v)}; }
inline Number operator-(Number x) { return {x.b, x.b->CreateFNeg(x.v)}; }
inline Truth operator<(Number x, Number y) { return {x.b, x.b->CreateFCmpOLT(x.v, y.v)}; }
inline Truth operator<=(Number x, Number y) { return {x.b, x.b->CreateFCmpOLE(x.v, y.v)}; }
inline Truth operator==(Number x, Number y) { return {x.b, x.b->CreateFCmpOEQ(x.v, y.v)}; }

inline Word operator+(Word x, Word y) { return {x.b, x.b->CreateAdd(x.v, y.v)}; }
inline Word operator-(Word x, Word y) { return {x.b, x.b->CreateSub(x.v, y.v)}; }
inline Word operator*(Word x, Word y) { return {x.b, x.b->CreateMul(x.v, y.v)}; }
inline Word operator&(Word x, Word y) { return {x.b, x.b->CreateAnd(x.v, y.v)}; }
inline Word operator|(Word x, Word y) { return {x.b, x.b->CreateOr(x.v, y.v)}; }
inline Word operator^(Word x, Word y) { return {x.b, x.b->CreateXor(x.v, y.v)}; }
inline Truth operator==(Word x, Word y) { return {x.b, x.b->CreateICmpEQ(x.v, y.v)}; }
inline Truth operator==(Truth x, Truth y) { return {x.b, x.b->CreateICmpEQ(x.v, y.v)}; }
inline Truth operator!=(Truth x, Truth y) { return {x.b, x.b->CreateICmpNE(x.v, y.v)}; }

inline Word bitcastToInt(Number x) {
  llvm::Type* word = x.b->getIntNTy(x.v->getType()->getScalarSizeInBits());
  return {x.b, x.b->CreateBitCast(x.v, ofWidth(x.v, word))};
}
inline Number bitcastToFloat(Word x) {
  llvm::Type* number =
      x.v->getType()->getScalarSizeInBits() == 32 ? x.b->getFloatTy() : x.b->getDoubleTy();
  return {x.b, x.b->CreateBitCast(x.v, ofWidth(x.v, number))};
}
inline Number widen(Number x) {
  return {x.b, x.b->CreateFPExt(x.v, ofWidth(x.v, x.b->getDoubleTy()))};
}
inline Number narrow(Number x) {
  return {x.b, x.b->CreateFPTrunc(x.v, ofWidth(x.v, x.b->getFloatTy()))};
}
inline Word widenWord(Word x) {
  return {x.b, x.b->CreateZExt(x.v, ofWidth(x.v, x.b->getInt64Ty()))};
}
inline Word narrowWord(Word x) {
  return {x.b, x.b->CreateTrunc(x.v, ofWidth(x.v, x.b->getInt32Ty()))};
}
inline Number signedToFloat(Word x) {
  llvm::Type* number =
      x.v->getType()->getScalarSizeInBits() == 32 ? x.b->getFloatTy() : x.b->getDoubleTy();
  return {x.b, x.b->CreateSIToFP(x.v, ofWidth(x.v, number))};
}
inline Number fma(Number x, Number y, Number z) {
  return {x.b, x.b->CreateIntrinsic(llvm::Intrinsic::fma, {x.v->getType()}, {x.v, y.v, z.v})};
}
inline Number sqrt(Number x) {
  return {x.b, x.b->CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x.v)};
}
inline Number floor(Number x) {
  return {x.b, x.b->CreateUnaryIntrinsic(llvm::Intrinsic::floor, x.v)};
}

inline Truth logicalAnd(Truth x, Truth y) { return {x.b, x.b->CreateAnd(x.v, y.v)}; }
inline Truth logicalOr(Truth x, Truth y) { return {x.b, x.b->CreateOr(x.v, y.v)}; }
inline Truth logicalNot(Truth x) { return {x.b, x.b->CreateNot(x.v)}; }
inline Number select(Truth c, Number x, Number y) {
  return {x.b, x.b->CreateSelect(c.v, x.v, y.v)};
}
inline Word select(Truth c, Word x, Word y) { return {x.b, x.b->CreateSelect(c.v, x.v, y.v)}; }

inline Word shiftLeft(Word x, int n) { return {x.b, x.b->CreateShl(x.v, wordConstant(x, n).v)}; }
inline Word shiftRightLogical(Word x, int n) {
  return {x.b, x.b->CreateLShr(x.v, wordConstant(x, n).v)};
}
inline Word shiftRightArithmetic(Word x, int n) {
  return {x.b, x.b->CreateAShr(x.v, wordConstant(x, n).v)};
}
inline Truth lessUnsigned(Word x, Word y) { return {x.b, x.b->CreateICmpULT(x.v, y.v)}; }

// 32-bit words. Vectors: even and odd lanes by one 64-bit multiplication each, so that nothing
// changes its width.
inline Word multiplyHigh(Word x, Word y) {
  // By a power of two, it is a shift.
  const llvm::APInt* power = nullptr;
  if (llvm::PatternMatch::match(y.v, llvm::PatternMatch::m_Power2(power)) && !power->isOne())
    return shiftRightLogical(x, 32 - static_cast<int>(power->logBase2()));
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x.v->getType());
  if (vector == nullptr || vector->getNumElements() < 2)
    return narrowWord(shiftRightLogical(widenWord(x) * widenWord(y), 32));
  auto* pairs = llvm::FixedVectorType::get(x.b->getInt64Ty(), vector->getNumElements() / 2);
  Word p{x.b, x.b->CreateBitCast(x.v, pairs)}, q{x.b, x.b->CreateBitCast(y.v, pairs)};
  Word low = wordConstant(p, 0xffffffff),
       high = wordConstant(p, static_cast<int64_t>(0xffffffff00000000u));
  Word even = shiftRightLogical((p & low) * (q & low), 32);
  Word odd = shiftRightLogical(p, 32) * shiftRightLogical(q, 32);
  return {x.b, x.b->CreateBitCast((even | (odd & high)).v, vector)};
}

template <size_t N>
Number lookup(Word index, const std::array<double, N>& table) {
  llvm::IRBuilder<>& b = *index.b;
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  llvm::Constant* data =
      llvm::ConstantDataArray::get(b.getContext(), llvm::ArrayRef(table.data(), N));
  auto* global = new llvm::GlobalVariable(module, data->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, data, "table");
  llvm::Value* pointers = b.CreateGEP(b.getDoubleTy(), global, index.v);
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(index.v->getType()))
    return {&b,
            b.CreateMaskedGather(llvm::VectorType::get(b.getDoubleTy(), vector->getElementCount()),
                                 pointers, llvm::Align(8))};
  return {&b, b.CreateAlignedLoad(b.getDoubleTy(), pointers, llvm::Align(8))};
}

template <size_t N, class Slow>
std::array<Number, N> selectRare(Truth condition, const std::array<Number, N>& usual, Slow slow) {
  llvm::IRBuilder<>& b = *condition.b;
  auto* before = b.GetInsertBlock();
  auto* rare = llvm::BasicBlock::Create(b.getContext(), "rare", before->getParent());
  auto* after = llvm::BasicBlock::Create(b.getContext(), "usual", before->getParent());
  llvm::Value* any =
      condition.v->getType()->isVectorTy() ? b.CreateOrReduce(condition.v) : condition.v;
  b.CreateCondBr(any, rare, after);
  b.SetInsertPoint(rare);
  const std::array<Number, N> computed = slow();
  std::array<llvm::Value*, N> chosen;
  for (size_t i = 0; i < N; ++i) chosen[i] = b.CreateSelect(condition.v, computed[i].v, usual[i].v);
  auto* from = b.GetInsertBlock();
  b.CreateBr(after);
  b.SetInsertPoint(after);
  std::array<Number, N> result;
  for (size_t i = 0; i < N; ++i) {
    auto* phi = b.CreatePHI(usual[i].v->getType(), 2);
    phi->addIncoming(usual[i].v, before);
    phi->addIncoming(chosen[i], from);
    result[i] = Number{&b, phi};
  }
  return result;
}

// ---- pieces of formulas that are functions of their own -----------------------------------------

// Marks a function that is inlined only after equal calls have been merged: sine and cosine of one
// angle share its reduction.
inline constexpr const char* kInlineLate = "rlc-inline-late";

// build(x), as a call of a function that is made once for each type.
template <class Build>
std::array<Number, 2> outlined(const char* name, Number x, bool rare, const Build& build) {
  llvm::Module& module = *x.b->GetInsertBlock()->getModule();
  llvm::Type* type = x.v->getType();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const std::string fullName = std::string(name) +
                               (type->getScalarSizeInBits() == 32 ? ".f32x" : ".f64x") +
                               std::to_string(vector != nullptr ? vector->getNumElements() : 1);
  llvm::Function* function = module.getFunction(fullName);
  if (function == nullptr) {
    auto* result = llvm::StructType::get(type, type);
    function = llvm::Function::Create(llvm::FunctionType::get(result, {type}, false),
                                      llvm::Function::InternalLinkage, fullName, module);
    llvm::IRBuilder<> inner(llvm::BasicBlock::Create(module.getContext(), "entry", function));
    const std::array<Number, 2> parts = build(Number{&inner, function->getArg(0)});
    llvm::Value* both = inner.CreateInsertValue(llvm::PoisonValue::get(result), parts[0].v, 0);
    inner.CreateRet(inner.CreateInsertValue(both, parts[1].v, 1));
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    function->addFnAttr(llvm::Attribute::NoInline);
    if (rare)
      function->addFnAttr(llvm::Attribute::Cold);
    else
      function->addFnAttr(kInlineLate);
  }
  llvm::Value* call = x.b->CreateCall(function, {x.v});
  return {Number{x.b, x.b->CreateExtractValue(call, 0)},
          Number{x.b, x.b->CreateExtractValue(call, 1)}};
}

// Found before jit/runtime's templates of the same names, which they call.
inline std::array<Number, 2> reduceLargeF32(Number x) {
  return outlined("rlc.reduce_large", x, true,
                  [](Number y) { return runtime::math::reduceLargeF32<Number>(y); });
}
inline std::array<Number, 2> reduceLargeF64(Number x) {
  return outlined("rlc.reduce_large", x, true,
                  [](Number y) { return runtime::math::reduceLargeF64<Number>(y); });
}
template <class P>
std::array<Number, 2> reduceByQuarterTurns(Number x) {
  return outlined("rlc.quarter_turns", x, false,
                  [](Number y) { return runtime::math::reduceByQuarterTurns<P, Number>(y); });
}

}  // namespace rlc::cpu::formulas
