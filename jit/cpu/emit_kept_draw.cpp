// Draws whose neighbours follow one after another in a loop: they share a block of random words, which is kept until the
// loop comes to the next. `noise[b, t]` with `b` in lanes and `t` in the loop computes a block every four steps.
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
    if (stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::Let || stmt.kind == Stmt::Kind::Declare || stmt.kind == Stmt::Kind::Assign)
      changed.push_back(stmt.var);
  });
  bool same = true;
  forEachNode(e, [&](const ExprNode& node) {
    same &= node.kind != ExprNode::Kind::Load && node.kind != ExprNode::Kind::Random;
    if (node.kind == ExprNode::Kind::Variable) same &= std::find(changed.begin(), changed.end(), node.var) == changed.end();
  });
  return same;
}

}  // namespace

// The outermost open loop in which only the last coordinate and the element's number change.
const Emitter::OpenLoop* Emitter::keepingLoop(const ExprNode& e) const {
  for (const OpenLoop& open : open_) {
    bool same = true;
    for (int i = 0; i + 1 < e.coordinates; ++i) same &= invariant(e.args[static_cast<size_t>(i)], *open.loop);
    if (same) return &open;
  }
  return nullptr;
}

Emitter::KeptBlock& Emitter::keptBlock(const ExprNode& e, const OpenLoop& loop, int lanes) {
  const std::vector<loops::Expr> outer(e.args.begin(), e.args.begin() + std::max(0, e.coordinates - 1));
  for (KeptBlock& kept : f_.keptBlocks)
    if (kept.stream == e.stream && kept.before == loop.before && kept.lanes == lanes &&
        std::equal(outer.begin(), outer.end(), kept.outer.begin(), kept.outer.end(), sameExpr))
      return kept;
  KeptBlock kept{e.stream, loop.before, lanes, outer, nullptr, nullptr};
  llvm::Type* word = b_.getInt32Ty();
  kept.number = newSlot(b_.getInt64Ty(), "block");
  kept.words = newSlot(llvm::ArrayType::get(lanes > 1 ? vectorOf(word) : word, 4), "words");
  kept.words->setAlignment(llvm::Align(64));
  B(loop.before->getTerminator()).CreateStore(i64(kNoBlock), kept.number);
  f_.keptBlocks.push_back(std::move(kept));
  return f_.keptBlocks.back();
}

std::optional<Value> Emitter::keptDraw(const ExprNode& e, const std::vector<Value>& args) {
  const int words = sharedWords(e.draw, e.type);
  if (words == 0) return std::nullopt;
  const auto coordinates = static_cast<size_t>(e.coordinates);
  const Value& element = args[coordinates];
  if (!element.uniform() || (coordinates > 0 && !args[coordinates - 1].uniform())) return std::nullopt;
  const OpenLoop* loop = keepingLoop(e);
  if (loop == nullptr) return std::nullopt;

  bool vector = false;
  for (size_t i = 0; i < coordinates; ++i) vector |= !args[i].uniform();
  KeptBlock& kept = keptBlock(e, *loop, vector ? lanes_.width : 1);
  V* number = coordinates > 0 ? b_.CreateAdd(b_.CreateMul(args[coordinates - 1].v, i64(e.elementCount)), element.v) : element.v;
  const int perBlock = 4 / words;
  V* block = b_.CreateAShr(number, perBlock == 4 ? 2 : 1);
  auto* next = newBlock("draw.next");
  auto* drawn = newBlock("draw.kept");
  b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateLoad(b_.getInt64Ty(), kept.number), block), drawn, next);

  b_.SetInsertPoint(next);
  {
    const auto spread = [&](V* scalar) { return Word{&b_, vector ? splat(scalar) : scalar}; };
    V* key = streamKey(e.stream);
    std::vector<Word> at;
    for (size_t i = 0; i < coordinates; ++i) at.push_back(Word{&b_, vector ? vectorValue(args[i]) : args[i].v});
    const auto place = runtime::placeOf<Word, Word>({spread(b_.CreateTrunc(key, b_.getInt32Ty())), spread(b_.CreateTrunc(b_.CreateLShr(key, 32), b_.getInt32Ty()))},
                                                    at.data(), e.coordinates, spread(i64(e.elementCount)), spread(element.v));
    const auto all = runtime::blockAt<Word, Word>(place.key, spread(block), place.outer);
    for (unsigned i = 0; i < 4; ++i) b_.CreateStore(all[i].v, b_.CreateConstInBoundsGEP2_64(kept.words->getAllocatedType(), kept.words, 0, i));
    b_.CreateStore(block, kept.number);
  }
  b_.CreateBr(drawn);

  b_.SetInsertPoint(drawn);
  V* first = b_.CreateMul(b_.CreateAnd(number, i64(perBlock - 1)), i64(words));
  llvm::Type* word = vector ? vectorOf(b_.getInt32Ty()) : b_.getInt32Ty();
  std::vector<Word> own;
  for (int i = 0; i < words; ++i)
    own.push_back(Word{&b_, b_.CreateLoad(word, b_.CreateInBoundsGEP(word, kept.words, b_.CreateAdd(first, i64(i))))});
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
