// Scalar operations on registers, one lane or a vector of them: the LLVM types tell.
#include <llvm/IR/PatternMatch.h>

#include <cmath>
#include <limits>
#include <optional>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/reciprocal.h"
#include "jit/runtime/math.h"

namespace rlc::cpu {

using llvm::Intrinsic::ID;

llvm::Value* Emitter::apply(ScalarOp op, DType operand, DType result, const std::vector<V*>& args) {
  V* a = args[0];
  V* b = args.size() > 1 ? args[1] : nullptr;
  switch (op) {
    case ScalarOp::Lt:
    case ScalarOp::Le:
    case ScalarOp::Eq:
    case ScalarOp::Ne:
      return comparison(op, operand, a, b);
    case ScalarOp::IsNan:
      return b_.CreateFCmpUNO(a, a);
    case ScalarOp::IsInf:
    case ScalarOp::IsFinite: {
      V* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
      V* infinity = llvm::ConstantFP::getInfinity(a->getType());
      return op == ScalarOp::IsInf ? b_.CreateFCmpOEQ(magnitude, infinity)
                                   : b_.CreateFCmpOLT(magnitude, infinity);
    }
    case ScalarOp::And:
      return b_.CreateAnd(a, b);
    case ScalarOp::Or:
      return b_.CreateOr(a, b);
    case ScalarOp::Not:
      return b_.CreateNot(a);
    case ScalarOp::Select:
      return b_.CreateSelect(a, b, args[2]);
    case ScalarOp::Cast:
      return castTo(operand, result, a);
    default:
      break;
  }
  if (!isFloat(operand)) return integerOp(op, operand, a, b);
  V* value = floatOp(op, operand, a, b);
  const bool exact =
      op == ScalarOp::Neg || op == ScalarOp::Abs || op == ScalarOp::Min || op == ScalarOp::Max;
  return operand == DType::BF16 && !exact ? roundToBf16(value) : value;
}

llvm::Value* Emitter::comparison(ScalarOp op, DType type, V* a, V* b) {
  using P = llvm::CmpInst::Predicate;
  P predicate = P::ICMP_EQ;
  if (isFloat(type)) {
    predicate = op == ScalarOp::Lt   ? P::FCMP_OLT
                : op == ScalarOp::Le ? P::FCMP_OLE
                : op == ScalarOp::Eq ? P::FCMP_OEQ
                                     : P::FCMP_UNE;
    return b_.CreateFCmp(predicate, a, b);
  }
  const bool isUnsigned = type == DType::Bool || type == DType::U8;
  switch (op) {
    case ScalarOp::Lt:
      predicate = isUnsigned ? P::ICMP_ULT : P::ICMP_SLT;
      break;
    case ScalarOp::Le:
      predicate = isUnsigned ? P::ICMP_ULE : P::ICMP_SLE;
      break;
    case ScalarOp::Ne:
      predicate = P::ICMP_NE;
      break;
    default:
      break;
  }
  return b_.CreateICmp(predicate, a, b);
}

// Never undefined: a zero divisor (which a Check reports) counts as 1, the least number divided by
// -1 wraps.
llvm::Value* Emitter::integerOp(ScalarOp op, DType type, V* a, V* b) {
  llvm::Type* t = a->getType();
  const auto number = [&](int64_t value) {
    return llvm::ConstantInt::get(t, static_cast<uint64_t>(value), true);
  };
  const bool isUnsigned = type == DType::Bool || type == DType::U8;
  switch (op) {
    case ScalarOp::Add:
      return type == DType::Bool ? b_.CreateOr(a, b) : b_.CreateAdd(a, b);
    case ScalarOp::Sub:
      return b_.CreateSub(a, b);
    case ScalarOp::Mul:
      return b_.CreateMul(a, b);
    case ScalarOp::Neg:
      return b_.CreateNeg(a);
    case ScalarOp::Abs:
      return isUnsigned ? a : b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, b_.getFalse());
    case ScalarOp::Sign: {
      V* positive = b_.CreateZExt(b_.CreateICmpNE(a, number(0)), t);
      return isUnsigned ? positive
                        : b_.CreateSelect(b_.CreateICmpSLT(a, number(0)), number(-1), positive);
    }
    case ScalarOp::Min:
      return b_.CreateBinaryIntrinsic(isUnsigned ? llvm::Intrinsic::umin : llvm::Intrinsic::smin, a,
                                      b);
    case ScalarOp::Max:
      return b_.CreateBinaryIntrinsic(isUnsigned ? llvm::Intrinsic::umax : llvm::Intrinsic::smax, a,
                                      b);
    case ScalarOp::Div:
    case ScalarOp::FloorDiv:
    case ScalarOp::Mod: {
      const bool quotient = op != ScalarOp::Mod;
      if (isUnsigned) {
        V* divisor = b_.CreateSelect(b_.CreateICmpEQ(b, number(0)), number(1), b);
        return quotient ? b_.CreateUDiv(a, divisor) : b_.CreateURem(a, divisor);
      }
      const llvm::APInt* power = nullptr;
      if (llvm::PatternMatch::match(b, llvm::PatternMatch::m_Power2(power)) &&
          power->isStrictlyPositive())
        return quotient ? b_.CreateAShr(a, number(power->logBase2()))
                        : b_.CreateAnd(a, number(power->getSExtValue() - 1));
      V* negated = b_.CreateICmpEQ(b, number(-1));
      V* divisor =
          b_.CreateSelect(b_.CreateOr(b_.CreateICmpEQ(b, number(0)), negated), number(1), b);
      V* q = truncatedQuotient(a, divisor);
      V* r = b_.CreateSub(a, b_.CreateMul(q, divisor));
      V* differ = b_.CreateICmpSLT(b_.CreateXor(r, divisor), number(0));
      V* adjust = b_.CreateAnd(differ, b_.CreateICmpNE(r, number(0)));
      if (quotient)
        return b_.CreateSelect(negated, b_.CreateNeg(a), b_.CreateAdd(q, b_.CreateSExt(adjust, t)));
      return b_.CreateSelect(negated, number(0),
                             b_.CreateSelect(adjust, b_.CreateAdd(r, divisor), r));
    }
    case ScalarOp::Pow:
      return integerPower(type, a, b);
    case ScalarOp::Floor:
    case ScalarOp::Ceil:
    case ScalarOp::Round:
    case ScalarOp::Trunc:
      return a;
    default:
      throw InternalError("code generation: not an operation on integers: " +
                          std::string(name(op)));
  }
}

// Processors divide no vectors of integers, but of f64, which tells the quotient of two i32 from
// the next integer: it lies 2^-31 of its size or more apart, the rounding is by 2^-53.
llvm::Value* Emitter::truncatedQuotient(V* a, V* b) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(a->getType());
  if (type == nullptr || type->getScalarSizeInBits() != 32 || llvm::isa<llvm::Constant>(b))
    return b_.CreateSDiv(a, b);
  auto* wide = llvm::FixedVectorType::get(b_.getDoubleTy(), type->getNumElements());
  return b_.CreateFPToSI(b_.CreateFDiv(b_.CreateSIToFP(a, wide), b_.CreateSIToFP(b, wide)), type);
}

// By squaring, wrapping, the exponent's bits one after the other; a negative exponent truncates the
// reciprocal.
llvm::Value* Emitter::integerPower(DType type, V* base, V* exponent) {
  llvm::Type* t = base->getType();
  const auto number = [&](int64_t value) {
    return llvm::ConstantInt::get(t, static_cast<uint64_t>(value), true);
  };
  const bool isUnsigned = type == DType::U8 || type == DType::Bool;
  auto* loop = newBlock("power");
  auto* done = newBlock("power.done");
  auto* before = b_.GetInsertBlock();
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  auto* square = b_.CreatePHI(t, 2);
  auto* rest = b_.CreatePHI(t, 2);
  auto* result = b_.CreatePHI(t, 2);
  V* odd = b_.CreateICmpNE(b_.CreateAnd(rest, number(1)), number(0));
  V* next = b_.CreateSelect(odd, b_.CreateMul(result, square), result);
  V* nextRest = b_.CreateLShr(rest, number(1));
  square->addIncoming(base, before);
  square->addIncoming(b_.CreateMul(square, square), loop);
  rest->addIncoming(exponent, before);
  rest->addIncoming(nextRest, loop);
  result->addIncoming(number(1), before);
  result->addIncoming(next, loop);
  V* more = b_.CreateICmpNE(nextRest, number(0));
  b_.CreateCondBr(t->isVectorTy() ? b_.CreateOrReduce(more) : more, loop, done);
  b_.SetInsertPoint(done);
  if (isUnsigned) return next;
  V* oddExponent = b_.CreateICmpNE(b_.CreateAnd(exponent, number(1)), number(0));
  V* ofMinusOne = b_.CreateSelect(oddExponent, number(-1), number(1));
  V* reciprocal =
      b_.CreateSelect(b_.CreateICmpEQ(base, number(1)), number(1),
                      b_.CreateSelect(b_.CreateICmpEQ(base, number(-1)), ofMinusOne, number(0)));
  return b_.CreateSelect(b_.CreateICmpSLT(exponent, number(0)), reciprocal, next);
}

// Vectors are divided by a number known now with its reciprocal, in two fused operations where
// these are proved to give the correctly rounded quotient, in three and a comparison otherwise
// (Markstein 1990; Brisebarre, Muller and Raina 2004): a sixteenth or an eighth of a vector
// division's time. The remainder of a dividend below 2^-90 (f64: 2^-900) is subnormal: its quotient
// may be off by the last bit.
llvm::Value* Emitter::quotient(V* a, V* b) {
  const llvm::APFloat* divisor = nullptr;
  if (!b->getType()->isVectorTy() ||
      !llvm::PatternMatch::match(b, llvm::PatternMatch::m_APFloat(divisor)))
    return b_.CreateFDiv(a, b);
  const auto inverse = reciprocalOf(*divisor);
  if (!inverse) return b_.CreateFDiv(a, b);
  const auto spread = [&](const llvm::APFloat& value) {
    return llvm::ConstantFP::get(a->getType(), value);
  };
  const auto fma = [&](V* x, V* y, V* z) {
    return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
  };
  if (const auto parts = reciprocalParts(*divisor))
    return fma(a, spread((*parts)[0]), b_.CreateFMul(a, spread((*parts)[1])));
  V* reciprocal = spread(*inverse);
  V* near = b_.CreateFMul(a, reciprocal);
  V* rest = fma(b_.CreateFNeg(near), b, a);
  // None of zeros (whose sign stays) and of infinities (for which it is no number).
  V* inexact = b_.CreateFCmpONE(rest, llvm::Constant::getNullValue(a->getType()));
  return b_.CreateSelect(inexact, fma(rest, reciprocal, near), near);
}

// C's fmod: exact, with the sign of `a`. LLVM calls the C library for each lane; where the quotient
// is small enough for its whole part to be exact, or one too far, what it leaves is found by one
// fused step, without rounding.
llvm::Value* Emitter::remainder(V* a, V* b) {
  llvm::Type* type = a->getType();
  if (!type->isVectorTy()) return b_.CreateFRem(a, b);
  V* zero = llvm::Constant::getNullValue(type);
  const double largest = type->getScalarType()->isDoubleTy() ? 0x1p50 : 0x1p21;
  V* whole = b_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, quotient(a, b));
  V* rest = b_.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {b_.CreateFNeg(whole), b, a});
  // One too far: the rest has the other sign.
  V* opposite = b_.CreateXor(b_.CreateFCmpOLT(rest, zero), b_.CreateFCmpOLT(a, zero));
  V* tooFar = b_.CreateAnd(opposite, b_.CreateFCmpONE(rest, zero));
  V* step = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, b, a);
  V* mended = b_.CreateSelect(tooFar, b_.CreateFAdd(rest, step), rest);
  V* fast = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, mended, a);
  // Not for infinities and NaN, whose rest is no number.
  V* small = b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, whole),
                              llvm::ConstantFP::get(type, largest));
  V* slow = b_.CreateNot(b_.CreateAnd(small, b_.CreateFCmpORD(rest, rest)));
  auto *before = b_.GetInsertBlock(), *library = newBlock("fmod"), *done = newBlock("fmod.end");
  b_.CreateCondBr(b_.CreateOrReduce(slow), library, done);
  b_.SetInsertPoint(library);
  V* exact = b_.CreateFRem(a, b);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
  auto* result = b_.CreatePHI(type, 2);
  result->addIncoming(fast, before);
  result->addIncoming(exact, library);
  return result;
}

llvm::Value* Emitter::floatOp(ScalarOp op, DType type, V* a, V* b) {
  llvm::Type* t = a->getType();
  const auto number = [&](double value) { return llvm::ConstantFP::get(t, value); };
  const auto unary = [&](ID id) { return b_.CreateUnaryIntrinsic(id, a); };
  switch (op) {
    case ScalarOp::Add:
      return b_.CreateFAdd(a, b);
    case ScalarOp::Sub:
      return b_.CreateFSub(a, b);
    case ScalarOp::Mul:
      return b_.CreateFMul(a, b);
    case ScalarOp::Div:
      return quotient(a, b);
    case ScalarOp::Neg:
      return b_.CreateFNeg(a);
    case ScalarOp::Abs:
      return unary(llvm::Intrinsic::fabs);
    case ScalarOp::Sign: {
      V* rest = b_.CreateSelect(b_.CreateFCmpOLT(a, number(0)), number(-1), a);
      return b_.CreateSelect(b_.CreateFCmpOLT(number(0), a), number(1), rest);
    }
    case ScalarOp::Min:
    case ScalarOp::Max: {
      V* other = op == ScalarOp::Min ? b_.CreateFCmpOLT(b, a) : b_.CreateFCmpOLT(a, b);
      V* chosen = b_.CreateSelect(other, b, a);
      return b_.CreateSelect(b_.CreateFCmpUNO(a, b), llvm::ConstantFP::getQNaN(t), chosen);
    }
    case ScalarOp::FloorDiv: {
      V* mod = remainder(a, b);
      V* div = b_.CreateFDiv(b_.CreateFSub(a, mod), b);
      V* differ = b_.CreateXor(b_.CreateFCmpOLT(b, number(0)), b_.CreateFCmpOLT(mod, number(0)));
      V* adjust = b_.CreateAnd(differ, b_.CreateFCmpUNE(mod, number(0)));
      div = b_.CreateSelect(adjust, b_.CreateFSub(div, number(1)), div);
      V* plain = b_.CreateFDiv(a, b);
      V* floored = b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, div);
      V* up = b_.CreateFCmpOGT(b_.CreateFSub(div, floored), number(0.5));
      V* result = b_.CreateSelect(up, b_.CreateFAdd(floored, number(1)), floored);
      V* zero = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, number(0), plain);
      result = b_.CreateSelect(b_.CreateFCmpOEQ(div, number(0)), zero, result);
      return b_.CreateSelect(b_.CreateFCmpOEQ(b, number(0)), plain, result);
    }
    case ScalarOp::Mod: {
      V* mod = remainder(a, b);
      V* differ = b_.CreateXor(b_.CreateFCmpOLT(b, number(0)), b_.CreateFCmpOLT(mod, number(0)));
      V* result = b_.CreateSelect(differ, b_.CreateFAdd(mod, b), mod);
      V* zero = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, number(0), b);
      result = b_.CreateSelect(b_.CreateFCmpOEQ(mod, number(0)), zero, result);
      return b_.CreateSelect(b_.CreateFCmpOEQ(b, number(0)), mod, result);
    }
    case ScalarOp::Floor:
      return unary(llvm::Intrinsic::floor);
    case ScalarOp::Ceil:
      return unary(llvm::Intrinsic::ceil);
    case ScalarOp::Round:
      return unary(llvm::Intrinsic::roundeven);
    case ScalarOp::Trunc:
      return unary(llvm::Intrinsic::trunc);
    case ScalarOp::Sqrt:
      return unary(llvm::Intrinsic::sqrt);
    default:
      if (runtime::math::isTranscendental(op)) return formula(op, type, a, b);
      throw InternalError("code generation: not an operation on floats: " + std::string(name(op)));
  }
}

// To nearest, ties to even; NaN stays NaN.
llvm::Value* Emitter::roundToBf16(V* v) {
  llvm::Type* word = b_.getInt32Ty();
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(v->getType()))
    word = llvm::VectorType::get(word, vector->getElementCount());
  const auto number = [&](uint32_t value) { return llvm::ConstantInt::get(word, value); };
  V* bits = b_.CreateBitCast(v, word);
  V* last = b_.CreateAnd(b_.CreateLShr(bits, number(16)), number(1));
  V* rounded =
      b_.CreateAnd(b_.CreateAdd(bits, b_.CreateAdd(last, number(0x7fff))), number(0xffff0000u));
  V* quiet = b_.CreateAnd(b_.CreateOr(bits, number(0x00400000u)), number(0xffff0000u));
  return b_.CreateBitCast(b_.CreateSelect(b_.CreateFCmpUNO(v, v), quiet, rounded), v->getType());
}

llvm::Value* Emitter::castTo(DType from, DType to, V* v) {
  if (from == to) return v;
  llvm::Type* target = registerType(to);
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(v->getType()))
    target = llvm::VectorType::get(target, vector->getElementCount());
  if (to == DType::Bool)
    return isFloat(from) ? b_.CreateFCmpUNE(v, llvm::ConstantFP::get(v->getType(), 0.0))
                         : b_.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType()));
  const bool fromUnsigned = from == DType::Bool || from == DType::U8;
  if (isFloat(to)) {
    V* result = v;
    if (!isFloat(from))
      result = fromUnsigned ? b_.CreateUIToFP(v, target) : b_.CreateSIToFP(v, target);
    else if (v->getType() != target)
      result = b_.CreateFPCast(v, target);
    return to == DType::BF16 ? roundToBf16(result) : result;
  }
  if (isFloat(from) && to != DType::U8 && target->isVectorTy()) return saturated(v, target);
  if (isFloat(from))
    return b_.CreateIntrinsic(
        to == DType::U8 ? llvm::Intrinsic::fptoui_sat : llvm::Intrinsic::fptosi_sat,
        {target, v->getType()}, {v});
  return b_.CreateIntCast(v, target, !fromUnsigned);
}

// Floats as integers: the nearest where there is none, 0 for NaN. LLVM's own operation takes
// vectors apart.
llvm::Value* Emitter::saturated(V* v, llvm::Type* integers) {
  const unsigned bits = integers->getScalarSizeInBits();
  const double bound = std::ldexp(1.0, static_cast<int>(bits) - 1);
  V* const tooLarge = b_.CreateFCmpOGE(v, llvm::ConstantFP::get(v->getType(), bound));
  V* const inside = b_.CreateAnd(b_.CreateFCmpOGE(v, llvm::ConstantFP::get(v->getType(), -bound)),
                                 b_.CreateFCmpOLT(v, llvm::ConstantFP::get(v->getType(), bound)));
  V* const tooSmall = b_.CreateFCmpOLT(v, llvm::ConstantFP::get(v->getType(), -bound));
  V* result = b_.CreateFPToSI(
      b_.CreateSelect(inside, v, llvm::Constant::getNullValue(v->getType())), integers);
  const auto limit = [&](const llvm::APInt& value) {
    return llvm::ConstantInt::get(integers, value);
  };
  result = b_.CreateSelect(tooLarge, limit(llvm::APInt::getSignedMaxValue(bits)), result);
  return b_.CreateSelect(tooSmall, limit(llvm::APInt::getSignedMinValue(bits)), result);
}

llvm::Value* Emitter::combine(loops::Combine combine, DType type, V* a, V* b) {
  switch (combine) {
    case loops::Combine::Sum:
      return apply(ScalarOp::Add, type, type, {a, b});
    case loops::Combine::Prod:
      return apply(ScalarOp::Mul, type, type, {a, b});
    case loops::Combine::Max:
      return apply(ScalarOp::Max, type, type, {a, b});
    case loops::Combine::Min:
      return apply(ScalarOp::Min, type, type, {a, b});
    case loops::Combine::All:
      return b_.CreateAnd(a, b);
    case loops::Combine::Any:
      return b_.CreateOr(a, b);
  }
  throw InternalError("code generation: an unknown combination");
}

Scalar Emitter::identity(loops::Combine combine, DType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  const bool wide = type == DType::I64;
  switch (combine) {
    case loops::Combine::Sum:
    case loops::Combine::Any:
      return Scalar::ofInt(type, 0);
    case loops::Combine::Prod:
    case loops::Combine::All:
      return Scalar::ofInt(type, 1);
    case loops::Combine::Max:
      if (isFloat(type)) return Scalar::ofFloat(type, -infinity);
      if (type == DType::U8 || type == DType::Bool) return Scalar::ofInt(type, 0);
      return Scalar::ofInt(
          type, wide ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int32_t>::min());
    case loops::Combine::Min:
      if (isFloat(type)) return Scalar::ofFloat(type, infinity);
      if (type == DType::U8 || type == DType::Bool)
        return Scalar::ofInt(type, type == DType::U8 ? 255 : 1);
      return Scalar::ofInt(
          type, wide ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int32_t>::max());
  }
  throw InternalError("code generation: an unknown combination");
}

}  // namespace rlc::cpu
