// Draws whose neighbours follow one after another in a loop: they share a block of random words,
// which is kept until the loop comes to the next. `noise[b, t]` with `b` in lanes and `t` in the
// loop computes a block every four steps.
#include <algorithm>
#include <limits>

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
    if (node.kind == ExprNode::Kind::Variable)
      same &= std::find(changed.begin(), changed.end(), node.var) == changed.end();
  });
  return same;
}

llvm::Value* wordSlot(llvm::IRBuilder<>& b, llvm::AllocaInst* words, unsigned i) {
  return b.CreateConstInBoundsGEP2_64(words->getAllocatedType(), words, 0, i);
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
  for (KeptBlock& kept : f_.keptBlocks)
    if (kept.stream == e.stream && kept.before == loop.before && kept.lanes == lanes &&
        kept.asked == asked &&
        std::equal(outer.begin(), outer.end(), kept.outer.begin(), kept.outer.end(), sameExpr))
      return kept;
  KeptBlock kept{e.stream, loop.before, lanes, outer, asked, nullptr, nullptr, nullptr};
  llvm::Type* word = b_.getInt32Ty();
  kept.number = newSlot(b_.getInt64Ty(), "block");
  kept.words = newSlot(llvm::ArrayType::get(lanes > 1 ? vectorOf(word) : word, 4), "words");
  kept.words->setAlignment(llvm::Align(64));
  B(loop.before->getTerminator()).CreateStore(i64(kNoBlock), kept.number);
  if (asked) kept.drawn = newSlot(b_.getIntNTy(static_cast<unsigned>(lanes)), "drawn");
  f_.keptBlocks.push_back(std::move(kept));
  return f_.keptBlocks.back();
}

// The words of block `number` in the lanes that ask for them and don't have them yet. A few are
// computed one by one, by the scalar units, which have little else to do: a vector's rounds cost as
// much for one lane as for all.
void Emitter::drawForAsked(const KeptBlock& kept, V* number, const Blocks& blockOf) {
  // By the instructions of a block, a vector of 16 lanes takes about as long as two or three single
  // lanes.
  const int lanesOfOneVectorDraw = std::max(1, lanes_.width / 8);
  auto* const bits = kept.drawn->getAllocatedType();
  V* const same = b_.CreateICmpEQ(b_.CreateLoad(b_.getInt64Ty(), kept.number), number);
  V* const have =
      b_.CreateSelect(same, b_.CreateLoad(bits, kept.drawn), llvm::ConstantInt::get(bits, 0));
  V* const missing = b_.CreateAnd(laneBits(lanes_.asked), b_.CreateNot(have));
  b_.CreateStore(number, kept.number);
  // On each way that follows the same lanes get theirs, so that the next draw from this block, for
  // the same lanes, is seen to miss none.
  b_.CreateStore(b_.CreateOr(have, missing), kept.drawn);
  auto *some = newBlock("draw.some"), *all = newBlock("draw.all"), *few = newBlock("draw.few"),
       *drawn = newBlock("draw.kept");
  b_.CreateCondBr(b_.CreateICmpEQ(missing, llvm::ConstantInt::get(bits, 0)), drawn, some);
  b_.SetInsertPoint(some);
  V* const count = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, missing);
  auto* const before = b_.GetInsertBlock();
  b_.CreateCondBr(b_.CreateICmpULE(count, llvm::ConstantInt::get(
                                              bits, static_cast<uint64_t>(lanesOfOneVectorDraw))),
                  few, all);

  b_.SetInsertPoint(all);
  const auto words = blockOf(nullptr);
  for (unsigned i = 0; i < 4; ++i) b_.CreateStore(words[i], wordSlot(b_, kept.words, i));
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
  for (unsigned i = 0; i < 4; ++i) {
    V* const slot = wordSlot(b_, kept.words, i);
    b_.CreateStore(b_.CreateSelect(here, splat(own[i]), b_.CreateLoad(vector, slot)), slot);
  }
  V* const rest = b_.CreateAnd(left, b_.CreateSub(left, llvm::ConstantInt::get(bits, 1)));
  left->addIncoming(rest, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpEQ(rest, llvm::ConstantInt::get(bits, 0)), drawn, few);
  b_.SetInsertPoint(drawn);
}

std::optional<Value> Emitter::keptDraw(const ExprNode& e, const std::vector<Value>& args) {
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
  const Blocks blockOf = [&](V* lane) {
    const bool each = vector && lane == nullptr;
    const auto spread = [&](V* scalar) { return Word{&b_, each ? splat(scalar) : scalar}; };
    V* key = streamKey(e.stream);
    std::vector<Word> at;
    for (size_t i = 0; i < coordinates; ++i)
      at.push_back(Word{&b_, each     ? vectorValue(args[i])
                             : vector ? laneOf(args[i], lane)
                                      : args[i].v});
    const auto place = runtime::placeOf<Word, Word>(
        {spread(b_.CreateTrunc(key, b_.getInt32Ty())),
         spread(b_.CreateTrunc(b_.CreateLShr(key, 32), b_.getInt32Ty()))},
        at.data(), e.coordinates, spread(i64(e.elementCount)), spread(element.v));
    const auto words = runtime::blockAt<Word, Word>(place.key, spread(block), place.outer);
    return std::array{words[0].v, words[1].v, words[2].v, words[3].v};
  };
  if (kept.asked) {
    drawForAsked(kept, block, blockOf);
  } else {
    auto* next = newBlock("draw.next");
    auto* drawn = newBlock("draw.kept");
    b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateLoad(b_.getInt64Ty(), kept.number), block), drawn,
                    next);
    b_.SetInsertPoint(next);
    const auto all = blockOf(nullptr);
    for (unsigned i = 0; i < 4; ++i) b_.CreateStore(all[i], wordSlot(b_, kept.words, i));
    b_.CreateStore(block, kept.number);
    b_.CreateBr(drawn);
    b_.SetInsertPoint(drawn);
  }
  V* first = b_.CreateMul(b_.CreateAnd(number, i64(perBlock - 1)), i64(words));
  llvm::Type* word = vector ? vectorOf(b_.getInt32Ty()) : b_.getInt32Ty();
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
  V* result = numberOf(e.draw, e.type, own, bound(coordinates + 1), bound(coordinates + 2));
  return Value{result, varying ? Shape::Varying : Shape::Uniform, 0};
}

}  // namespace rlc::cpu
