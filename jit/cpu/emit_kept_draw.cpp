// Draws whose neighbours follow one after another in a loop: they share a block of random words,
// which is kept until the loop comes to the next. `noise[b, t]` with `b` in lanes and `t` in the
// loop computes a block every four steps.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "compiler/types/lists.h"
#include "jit/cpu/draws.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

using Shape = Value::Shape;

namespace {

constexpr int64_t kNoBlock = std::numeric_limits<int64_t>::min();

// Whether an expression keeps its value while the loop runs.
bool invariant(const loops::Expr& e, const Stmt& loop) {
  std::vector<loops::VarId> changed{loop.var};
  forEachStmt(loop.body, [&](const Stmt& stmt) {
    if (stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::Let ||
        stmt.kind == Stmt::Kind::Declare || stmt.kind == Stmt::Kind::Assign)
      changed.push_back(stmt.var);
  });
  bool same = true;
  forEachNode(e, [&](const ExprNode& node) {
    same &= node.kind != ExprNode::Kind::Load && node.kind != ExprNode::Kind::Random;
    if (node.kind == ExprNode::Kind::Variable) same &= !contains(changed, node.var);
  });
  return same;
}

// Whether each iteration draws from other blocks than the one before, so that nothing need be kept.
bool drawsAnew(const ExprNode& e, const Stmt& loop) {
  if (e.coordinates == 0) return false;
  const auto last = loops::linearOf(e.args[static_cast<size_t>(e.coordinates - 1)]);
  const auto element = loops::linearOf(e.args[static_cast<size_t>(e.coordinates)]);
  if (!last || !element || element->coefficients.count(loop.var) != 0) return false;
  const auto found = last->coefficients.find(loop.var);
  const int words = sharedWords(e.draw, e.type);
  return found != last->coefficients.end() && words > 0 &&
         std::abs(found->second) * e.elementCount >= 4 / words;
}

llvm::Value* wordSlot(llvm::IRBuilder<>& b, llvm::AllocaInst* words, unsigned i) {
  return b.CreateConstInBoundsGEP2_64(words->getAllocatedType(), words, 0, i);
}

// Of the bits that are set.
llvm::Value* withoutFirst(llvm::IRBuilder<>& b, llvm::Value* bits) {
  return b.CreateAnd(bits, b.CreateSub(bits, llvm::ConstantInt::get(bits->getType(), 1)));
}

constexpr int kGatheredFrom = 16;  // lanes of a register

// first, first + 1, ...
llvm::Constant* numbersFrom(llvm::FixedVectorType* type, int first) {
  std::vector<llvm::Constant*> numbers;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    numbers.push_back(
        llvm::ConstantInt::get(type->getElementType(), static_cast<unsigned>(first) + i));
  return llvm::ConstantVector::get(numbers);
}

// Elements first, first + 1, ...; past the end they are whatever is there.
llvm::Value* fewLanes(llvm::IRBuilder<>& b, llvm::Value* v, int first, int count) {
  const auto has =
      static_cast<int>(llvm::cast<llvm::FixedVectorType>(v->getType())->getNumElements());
  std::vector<int> from;
  for (int i = 0; i < count; ++i) from.push_back(first + i < has ? first + i : -1);
  return b.CreateShuffleVector(v, from);
}

// The first lanes' numbers, as subscripts.
llvm::Value* lanesOf(llvm::IRBuilder<>& b, llvm::Value* numbers, int count) {
  return b.CreateZExt(fewLanes(b, numbers, 0, count),
                      llvm::FixedVectorType::get(b.getInt64Ty(), static_cast<unsigned>(count)));
}

}  // namespace

// The outermost open loop in which only the last coordinate and the element's number change.
const Emitter::OpenLoop* Emitter::keepingLoop(const ExprNode& e) const {
  for (const OpenLoop& open : open_) {
    bool same = true;
    for (int i = 0; i + 1 < e.coordinates; ++i)
      same &= invariant(e.args[static_cast<size_t>(i)], *open.loop);
    if (same) return &open;
  }
  return nullptr;
}

Emitter::KeptBlock& Emitter::keptBlock(const ExprNode& e, const OpenLoop& loop, int lanes) {
  const std::vector<loops::Expr> outer(e.args.begin(),
                                       e.args.begin() + std::max(0, e.coordinates - 1));
  const bool asked = lanes > 1 && lanes_.asked != nullptr;
  // What few lanes draw becomes numbers where it is drawn.
  const bool numbers = asked && e.type == DType::F32 && e.draw != ExprNode::Draw::UniformInt;
  for (KeptBlock& kept : f_.keptBlocks)
    if (kept.stream == e.stream && kept.before == loop.before && kept.lanes == lanes &&
        kept.asked == asked && kept.draw == e.draw && kept.type == e.type &&
        std::equal(outer.begin(), outer.end(), kept.outer.begin(), kept.outer.end(), sameExpr))
      return kept;
  KeptBlock kept{e.stream, e.draw,  e.type,  loop.before, lanes,  outer,
                 asked,    numbers, nullptr, nullptr,     nullptr};
  llvm::Type* word = b_.getInt32Ty();
  kept.number = newSlot(b_.getInt64Ty(), "block");
  kept.words = newSlot(llvm::ArrayType::get(lanes > 1 ? vectorOf(word) : word, 4), "words");
  kept.words->setAlignment(llvm::Align(64));
  B(loop.before->getTerminator()).CreateStore(i64(kNoBlock), kept.number);
  if (asked) kept.drawn = newSlot(b_.getIntNTy(static_cast<unsigned>(lanes)), "drawn");
  if (asked && early_.stream != e.stream && open_.back().inside != nullptr &&
      drawsAnew(e, *open_.back().loop)) {
    B begin(open_.back().inside, open_.back().inside->getFirstInsertionPt());
    begin.CreateStore(i64(kNoBlock), kept.number);
    for (llvm::AllocaInst* slot : {kept.words, kept.drawn})
      begin.CreateStore(llvm::Constant::getNullValue(slot->getAllocatedType()), slot);
  }
  f_.keptBlocks.push_back(std::move(kept));
  return f_.keptBlocks.back();
}

// The words of block `number` in the lanes that ask for them and don't have them yet. They are few
// as a rule, and a vector's rounds cost as much for one lane as for all: so a few are computed at
// once, gathered from all registers of the block.
void Emitter::drawForAsked(const KeptBlock& kept, V* number, const Blocks& blockOf, bool gathers) {
  auto* const bits = kept.drawn->getAllocatedType();
  if (early_.stage == Early::Stage::Most) {
    if (!gathers) return;
    V* const asked = laneBits(lanes_.asked);
    b_.CreateStore(number, kept.number);
    b_.CreateStore(asked, kept.drawn);
    return drawMost(kept, asked, blockOf);
  }
  if (early_.stage == Early::Stage::Rest) return drawRest(kept, blockOf);
  V* const none = llvm::ConstantInt::get(bits, 0);
  V* const same = b_.CreateICmpEQ(b_.CreateLoad(b_.getInt64Ty(), kept.number), number);
  V* const have = b_.CreateSelect(same, b_.CreateLoad(bits, kept.drawn), none);
  V* const missing = b_.CreateAnd(laneBits(lanes_.asked), b_.CreateNot(have));
  b_.CreateStore(number, kept.number);
  // On each way that follows the same lanes get theirs, so that the next draw from this block, for
  // the same lanes, is seen to miss none.
  b_.CreateStore(b_.CreateOr(have, missing), kept.drawn);
  auto *some = newBlock("draw.some"), *drawn = newBlock("draw.kept");
  b_.CreateCondBr(b_.CreateICmpEQ(missing, none), drawn, some);
  b_.SetInsertPoint(some);
  if (gathers)
    drawGathered(kept, missing, blockOf, drawn);
  else
    drawOneByOne(kept, missing, blockOf, drawn);
  b_.SetInsertPoint(drawn);
}

// One lane after the other, by the scalar units, which have little else to do.
void Emitter::drawOneByOne(const KeptBlock& kept, V* missing, const Blocks& blockOf,
                           llvm::BasicBlock* drawn) {
  // By the instructions of a block, a vector of 16 lanes takes about as long as two or three single
  // lanes.
  const int lanesOfOneVectorDraw = std::max(1, lanes_.width / 8);
  llvm::Type* const bits = missing->getType();
  auto *all = newBlock("draw.all"), *few = newBlock("draw.few");
  V* const count = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, missing);
  auto* const before = b_.GetInsertBlock();
  b_.CreateCondBr(b_.CreateICmpULE(count, llvm::ConstantInt::get(
                                              bits, static_cast<uint64_t>(lanesOfOneVectorDraw))),
                  few, all);

  b_.SetInsertPoint(all);
  const auto words = blockOf(nullptr);
  for (unsigned i = 0; i < words.size(); ++i) b_.CreateStore(words[i], wordSlot(b_, kept.words, i));
  b_.CreateBr(drawn);

  b_.SetInsertPoint(few);
  auto* const left = b_.CreatePHI(bits, 2);
  left->addIncoming(missing, before);
  V* const lane = b_.CreateZExtOrTrunc(
      b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, b_.getTrue()), b_.getInt64Ty());
  const auto own = blockOf(lane);
  llvm::Type* const vector = vectorOf(b_.getInt32Ty());
  V* const here =
      b_.CreateICmpEQ(iota(b_.getInt32Ty()), splat(b_.CreateTrunc(lane, b_.getInt32Ty())));
  for (unsigned i = 0; i < own.size(); ++i) {
    V* const slot = wordSlot(b_, kept.words, i);
    b_.CreateStore(b_.CreateSelect(here, splat(own[i]), b_.CreateLoad(vector, slot)), slot);
  }
  V* const rest = withoutFirst(b_, left);
  left->addIncoming(rest, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpEQ(rest, llvm::ConstantInt::get(bits, 0)), drawn, few);
}

// As many lanes of each register, by AVX-512's instructions for that.
Emitter::Gathered Emitter::gatherByRegisters(V* left) {
  const int registers = lanes_.width / kGatheredFrom, gathered = std::max(4, lanes_.width / 8),
            each = gathered / registers;
  llvm::Type* const bits = left->getType();
  auto* const vector = llvm::FixedVectorType::get(b_.getInt32Ty(), kGatheredFrom);
  auto* const mask = llvm::FixedVectorType::get(b_.getInt1Ty(), kGatheredFrom);
  const auto shift = [](int r) { return static_cast<uint64_t>(r * kGatheredFrom); };
  std::vector<V*> masks;
  V* lanes = nullptr;
  for (int r = 0; r < registers; ++r) {
    V* const own = b_.CreateTrunc(b_.CreateLShr(left, shift(r)), b_.getIntNTy(kGatheredFrom));
    masks.push_back(b_.CreateBitCast(own, mask));
    V* const first = b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {vector},
                                        {numbersFrom(vector, r * kGatheredFrom),
                                         llvm::Constant::getNullValue(vector), masks.back()});
    if (lanes == nullptr) {
      lanes = first;
      continue;
    }
    std::vector<int> joined;
    for (int i = 0; i < kGatheredFrom; ++i)
      joined.push_back(i < r * each ? i : i < (r + 1) * each ? kGatheredFrom + i - r * each : -1);
    lanes = b_.CreateShuffleVector(lanes, first, joined);
  }
  Gathered result{lanesOf(b_, lanes, gathered), {}, left, llvm::ConstantInt::get(bits, 0)};
  for (int r = 0; r < registers; ++r) {
    V* const own = masks[static_cast<size_t>(r)];
    result.places.push_back(b_.CreateIntrinsic(
        llvm::Intrinsic::x86_avx512_mask_expand, {vector},
        {numbersFrom(vector, r * each), llvm::Constant::getNullValue(vector), own}));
    V* others = b_.CreateBitCast(own, b_.getIntNTy(kGatheredFrom));
    for (int i = 0; i < each; ++i) others = withoutFirst(b_, others);
    result.rest = b_.CreateOr(result.rest, b_.CreateShl(b_.CreateZExt(others, bits), shift(r)));
  }
  return result;
}

// The first lanes of all registers together, whose numbers are bytes.
Emitter::Gathered Emitter::gatherByBytes(V* left) {
  constexpr int kTogether = 8;
  auto* const bytes = llvm::FixedVectorType::get(b_.getInt8Ty(), 64);
  auto* const vector = llvm::FixedVectorType::get(b_.getInt32Ty(), kGatheredFrom);
  V* const mask = b_.CreateBitCast(left, llvm::FixedVectorType::get(b_.getInt1Ty(), 64));
  V* const none = llvm::Constant::getNullValue(bytes);
  V* const numbers = numbersFrom(bytes, 0);
  V* const front =
      b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {bytes}, {numbers, none, mask});
  V* const ranks =
      b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_expand, {bytes}, {numbers, none, mask});
  V* const chosen = b_.CreateIntrinsic(llvm::Intrinsic::x86_bmi_pdep_64, {},
                                       {b_.getInt64((1 << kTogether) - 1), left});
  Gathered result{lanesOf(b_, front, kTogether), {}, chosen, b_.CreateXor(left, chosen)};
  for (int first = 0; first < 64; first += kGatheredFrom)
    result.places.push_back(b_.CreateZExt(fewLanes(b_, ranks, first, kGatheredFrom), vector));
  return result;
}

// A few lanes at once, moved to the front of a vector, and their words to the lanes. One chain of
// rounds serves all registers.
void Emitter::drawGathered(const KeptBlock& kept, V* missing, const Blocks& blockOf,
                           llvm::BasicBlock* drawn) {
  auto* const next = newBlock("draw.next");
  auto* const before = b_.GetInsertBlock();
  b_.CreateBr(next);
  b_.SetInsertPoint(next);
  auto* const left = b_.CreatePHI(missing->getType(), 2);
  left->addIncoming(missing, before);
  const Gathered gathered =
      compressesBytes_ && lanes_.width == 64 ? gatherByBytes(left) : gatherByRegisters(left);
  const auto own = blockOf(gathered.lanes);
  spreadGathered(kept, gathered, own, b_.CreateBitCast(gathered.chosen, vectorOf(b_.getInt1Ty())));
  left->addIncoming(gathered.rest, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpEQ(gathered.rest, llvm::Constant::getNullValue(missing->getType())),
                  drawn, next);
}

// The words of the gathered lanes, to these; null: to all, of which the others get any.
void Emitter::spreadGathered(const KeptBlock& kept, const Gathered& gathered,
                             const std::vector<V*>& own, V* chosen) {
  llvm::Type* const whole = vectorOf(b_.getInt32Ty());
  for (unsigned i = 0; i < own.size(); ++i) {
    V* const wide = fewLanes(b_, own[i], 0, kGatheredFrom);
    std::vector<V*> spread;
    for (V* place : gathered.places)
      spread.push_back(
          b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_si_512, {}, {wide, place}));
    V* const slot = wordSlot(b_, kept.words, i);
    V* words = llvm::concatenateVectors(b_, spread);
    if (chosen != nullptr) words = b_.CreateSelect(chosen, words, b_.CreateLoad(whole, slot));
    b_.CreateStore(words, slot);
  }
}

// Where few lanes draw and all draws of the stream are scaled alike: scaled when they are drawn.
std::optional<Value> Emitter::scaledKeptDraw(const ExprNode& e) {
  if (lanes_.asked == nullptr || scaledStreams_.empty()) return std::nullopt;
  const auto scaled = scaledDraw(e);
  if (!scaled || scaledStreams_.count(scaled->draw->stream) == 0) return std::nullopt;
  std::vector<Value> args;
  for (const auto& arg : scaled->draw->args) args.push_back(expr(arg));
  return keptDraw(*scaled->draw, args, &*scaled);
}

// Whether an expression of open loops' variables lies in 0..limit.
bool Emitter::staysBelow(const loops::Expr& e, int64_t limit) const {
  Ranges ranges;
  for (const OpenLoop& open : open_) noteRange(*open.loop, ranges);
  const auto range = rangeOf(e, ranges);
  return range && range->lo >= 0 && range->hi < limit;
}

std::optional<Value> Emitter::keptDraw(const ExprNode& e, const std::vector<Value>& args,
                                       const ScaledDraw* scaled) {
  const int words = sharedWords(e.draw, e.type);
  if (words == 0) return std::nullopt;
  const auto coordinates = static_cast<size_t>(e.coordinates);
  const Value& element = args[coordinates];
  if (!element.uniform() || (coordinates > 0 && !args[coordinates - 1].uniform()))
    return std::nullopt;
  const OpenLoop* loop = keepingLoop(e);
  if (loop == nullptr) return std::nullopt;

  bool vector = false;
  for (size_t i = 0; i < coordinates; ++i) vector |= !args[i].uniform();
  KeptBlock& kept = keptBlock(e, *loop, vector ? lanes_.width : 1);
  V* number =
      coordinates > 0
          ? b_.CreateAdd(b_.CreateMul(args[coordinates - 1].v, i64(e.elementCount)), element.v)
          : element.v;
  const int perBlock = 4 / words;
  V* block = b_.CreateAShr(number, perBlock == 4 ? 2 : 1);
  // A block's number whose high word is known to be 0: two rounds then are the same for all blocks.
  const int64_t few = std::min(int64_t{1} << 28, (int64_t{1} << 33) / e.elementCount);
  if (coordinates > 0 && staysBelow(e.args[coordinates - 1], few) &&
      staysBelow(e.args[coordinates], e.elementCount))
    block = b_.CreateZExt(b_.CreateTrunc(block, b_.getInt32Ty()), b_.getInt64Ty());
  const auto inScale = [&](V* drawn) {
    if (scaled == nullptr) return drawn;
    const auto like = [&](const Scalar& value) {
      return llvm::ConstantFP::get(drawn->getType(), value.f);
    };
    return b_.CreateFAdd(like(scaled->shift), b_.CreateFMul(like(scaled->scale), drawn));
  };
  const Blocks blockOf = [&](V* lane) {
    const bool all = vector && lane == nullptr;
    auto* const some =
        lane == nullptr ? nullptr : llvm::dyn_cast<llvm::FixedVectorType>(lane->getType());
    const auto spreadOne = [&](V* scalar) {
      return some != nullptr ? b_.CreateVectorSplat(some->getElementCount(), scalar)
             : all           ? splat(scalar)
                             : scalar;
    };
    const auto spread = [&](V* scalar) { return Word{&b_, spreadOne(scalar)}; };
    V* key = streamKey(e.stream);
    std::vector<Word> at;
    for (size_t i = 0; i < coordinates; ++i) {
      const Value& arg = args[i];
      V* v = arg.v;
      if (all)
        v = vectorValue(arg);
      else if (some != nullptr && arg.shape == Shape::Linear)
        v = b_.CreateAdd(spreadOne(v), b_.CreateMul(lane, spreadOne(i64(arg.stride))));
      else if (some != nullptr)
        v = spreadOne(v);
      else if (vector)
        v = laneOf(arg, lane);
      at.push_back(Word{&b_, v});
    }
    const auto place = runtime::placeOf<Word, Word>(
        {spread(b_.CreateTrunc(key, b_.getInt32Ty())),
         spread(b_.CreateTrunc(b_.CreateLShr(key, 32), b_.getInt32Ty()))},
        at.data(), e.coordinates, spread(i64(e.elementCount)), spread(element.v));
    const auto drawn = runtime::blockAt<Word, Word>(place.key, spread(block), place.outer);
    std::vector<V*> result;
    if (!kept.numbers) {
      for (const Word& each : drawn) result.push_back(each.v);
      return result;
    }
    for (size_t i = 0; i < drawn.size(); i += static_cast<size_t>(words)) {
      const std::vector<Word> own(drawn.begin() + static_cast<std::ptrdiff_t>(i),
                                  drawn.begin() + static_cast<std::ptrdiff_t>(i) + words);
      V* const number = inScale(numberOf(e.draw, e.type, own, drawn[0], drawn[0]));
      result.push_back(b_.CreateBitCast(number, drawn[0].v->getType()));
    }
    return result;
  };
  if (kept.asked) {
    bool gathers =
        vectorBytes_ == 64 && lanes_.width >= kGatheredFrom && lanes_.width <= 4 * kGatheredFrom;
    for (size_t i = 0; i < coordinates; ++i) gathers &= args[i].shape != Shape::Varying;
    drawForAsked(kept, block, blockOf, gathers);
  } else {
    auto* next = newBlock("draw.next");
    auto* drawn = newBlock("draw.kept");
    b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateLoad(b_.getInt64Ty(), kept.number), block), drawn,
                    next);
    b_.SetInsertPoint(next);
    const auto all = blockOf(nullptr);
    for (unsigned i = 0; i < all.size(); ++i) b_.CreateStore(all[i], wordSlot(b_, kept.words, i));
    b_.CreateStore(block, kept.number);
    b_.CreateBr(drawn);
    b_.SetInsertPoint(drawn);
  }
  V* const place = b_.CreateAnd(number, i64(perBlock - 1));
  llvm::Type* word = vector ? vectorOf(b_.getInt32Ty()) : b_.getInt32Ty();
  if (kept.numbers) {
    V* const drawn = b_.CreateLoad(word, b_.CreateInBoundsGEP(word, kept.words, place));
    return varyingOf(b_.CreateBitCast(drawn, vectorOf(b_.getFloatTy())));
  }
  V* first = b_.CreateMul(place, i64(words));
  std::vector<Word> own;
  for (int i = 0; i < words; ++i)
    own.push_back(Word{
        &b_,
        b_.CreateLoad(word, b_.CreateInBoundsGEP(word, kept.words, b_.CreateAdd(first, i64(i))))});
  // What is drawn may be uniform while its bounds are not.
  bool bounds = false;
  for (size_t i = coordinates + 1; i < args.size(); ++i) bounds |= !args[i].uniform();
  const bool varying = vector || bounds;
  if (varying && !vector)
    for (Word& each : own) each.v = splat(each.v);
  const auto bound = [&](size_t i) {
    if (args.size() <= i) return Word{&b_, varying ? splat(b_.getInt32(0)) : b_.getInt32(0)};
    return Word{&b_, varying ? vectorValue(args[i]) : args[i].v};
  };
  V* result =
      inScale(numberOf(e.draw, e.type, own, bound(coordinates + 1), bound(coordinates + 2)));
  return Value{result, varying ? Shape::Varying : Shape::Uniform, 0};
}

}  // namespace rlc::cpu
