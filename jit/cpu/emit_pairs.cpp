// Factors rounded to bf16, and products of pairs of them (factor_pairs.h).
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/cpu/emitter.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

using Shape = Value::Shape;

namespace {

constexpr uint32_t kHighHalf = 0xffff0000u;

}  // namespace

// As processors round factors: to nearest, ties to even, subnormal numbers to 0.
Value Emitter::factor(const ExprNode& e) {
  const Value number = expr(e.args[0]);
  const bool vector = lanes_.width > 1 && !number.uniform();
  V* v = vector ? vectorValue(number) : number.v;
  V* result;
  if (multipliesPairs_ && vector) {
    V* half = b_.CreateFPTrunc(v, vectorOf(b_.getBFloatTy()));
    result = fromMemory(DType::BF16, b_.CreateBitCast(half, vectorOf(b_.getInt16Ty())));
  } else {
    V* zero = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign,
                                       llvm::ConstantFP::get(v->getType(), 0.0), v);
    V* small = b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v),
                                llvm::ConstantFP::get(v->getType(), 0x1p-126));
    result = b_.CreateSelect(small, zero, roundToBf16(v));
  }
  return {result, vector ? Shape::Varying : Shape::Uniform, 0};
}

Value Emitter::pair(const ExprNode& e) {
  if (auto both = loadedPair(e)) return *both;
  const Value low = expr(e.args[0]), high = expr(e.args[1]);
  const bool vector = lanes_.width > 1 && !(low.uniform() && high.uniform());
  const auto bitsOf = [&](const Value& value) {
    V* bits = toMemory(DType::BF16, vector ? vectorValue(value) : value.v);
    return b_.CreateZExt(bits, bits->getType()->getWithNewType(b_.getInt32Ty()));
  };
  V *lowBits = bitsOf(low), *highBits = bitsOf(high);
  V* both =
      b_.CreateOr(lowBits, b_.CreateShl(highBits, llvm::ConstantInt::get(highBits->getType(), 16)));
  return {both, vector ? Shape::Varying : Shape::Uniform, 0};
}

// Two numbers that lie side by side, the same for all lanes.
std::optional<Value> Emitter::loadedPair(const ExprNode& e) {
  const Expr &low = e.args[0], &high = e.args[1];
  if (low->kind != ExprNode::Kind::Load || high->kind != ExprNode::Kind::Load ||
      low->buffer != high->buffer || laneOwned(low->buffer))
    return std::nullopt;
  const auto first = linearOf(low->args[0]), second = linearOf(high->args[0]);
  if (!first || !second || first->coefficients != second->coefficients ||
      second->constant != first->constant + 1)
    return std::nullopt;
  const Value index = expr(low->args[0]);
  if (!index.uniform() || bandsOf(low->buffer)) return std::nullopt;
  return Value{
      tagged(b_.CreateAlignedLoad(b_.getInt32Ty(), address(low->buffer, whereAsked(index.v)),
                                  llvm::Align(byteSize(DType::BF16))),
             low->buffer)};
}

Value Emitter::pairFma(const ExprNode& e) {
  const Value a = expr(e.args[0]), b = expr(e.args[1]), c = expr(e.args[2]);
  const bool vector = lanes_.width > 1 && !(a.uniform() && b.uniform() && c.uniform());
  const auto get = [&](const Value& value) { return vector ? vectorValue(value) : value.v; };
  V *x = get(a), *y = get(b), *sum = get(c);
  if (vector && multipliesPairs_ && lanes_.width >= 4) return varyingOf(multipliedPairs(x, y, sum));
  const auto halves = [&](V* pairs) {
    llvm::Type *word = pairs->getType(), *number = word->getWithNewType(b_.getFloatTy());
    return std::pair(
        b_.CreateBitCast(b_.CreateShl(pairs, llvm::ConstantInt::get(word, 16)), number),
        b_.CreateBitCast(b_.CreateAnd(pairs, llvm::ConstantInt::get(word, kHighHalf)), number));
  };
  const auto [xLow, xHigh] = halves(x);
  const auto [yLow, yHigh] = halves(y);
  sum = b_.CreateIntrinsic(llvm::Intrinsic::fma, {sum->getType()}, {xHigh, yHigh, sum});
  sum = b_.CreateIntrinsic(llvm::Intrinsic::fma, {sum->getType()}, {xLow, yLow, sum});
  return {sum, vector ? Shape::Varying : Shape::Uniform, 0};
}

// By the processor's instruction, a register at a time.
llvm::Value* Emitter::multipliedPairs(V* x, V* y, V* sum) {
  const int length = std::min(lanes_.width, vectorBytes_ / 4);
  const llvm::Intrinsic::ID instruction =
      length >= 16  ? llvm::Intrinsic::x86_avx512bf16_dpbf16ps_512
      : length == 8 ? llvm::Intrinsic::x86_avx512bf16_dpbf16ps_256
                    : llvm::Intrinsic::x86_avx512bf16_dpbf16ps_128;
  llvm::Type* halves =
      llvm::FixedVectorType::get(b_.getBFloatTy(), static_cast<unsigned>(2 * length));
  std::vector<V*> results;
  for (int first = 0; first < lanes_.width; first += length) {
    const auto piece = [&](V* v) {
      if (length == lanes_.width) return v;
      std::vector<int> lanes(static_cast<size_t>(length));
      for (int i = 0; i < length; ++i) lanes[static_cast<size_t>(i)] = first + i;
      return b_.CreateShuffleVector(v, lanes);
    };
    results.push_back(b_.CreateIntrinsic(
        instruction, {},
        {piece(sum), b_.CreateBitCast(piece(x), halves), b_.CreateBitCast(piece(y), halves)}));
  }
  return results.size() == 1 ? results[0] : llvm::concatenateVectors(b_, results);
}

}  // namespace rlc::cpu
