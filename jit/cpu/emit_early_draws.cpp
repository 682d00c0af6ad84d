// Draws for the next iteration (early_draws.h): the chain of their rounds runs beside the rest of
// the iteration. A processor sees some hundred instructions at once, and of those that wait about a
// hundred: so the two are mixed here, instruction by instruction.
#include <algorithm>

#include "jit/cpu/emitter.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

using Instructions = std::vector<llvm::Instruction*>;

// From the one behind `first`, null: from the beginning, to the end of the block.
void addInstructions(Instructions& to, llvm::BasicBlock& block, llvm::Instruction* first) {
  const auto begin =
      first != nullptr ? std::next(first->getIterator()) : block.getFirstInsertionPt();
  for (llvm::Instruction& each : llvm::make_range(begin, block.end()))
    if (!each.isTerminator()) to.push_back(&each);
}

// Moves a chain in among the instructions behind it, evenly from the tenth part of them on.
void mix(const Instructions& chain, const Instructions& among) {
  if (among.empty()) return;
  for (size_t k = 0; k < chain.size(); ++k)
    chain[k]->moveBefore(among[among.size() * (chain.size() + 9 * k) / (10 * chain.size())]);
}

}  // namespace

void Emitter::drawNext(const EarlyDraws& draws, const Stmt& loop, V* asked, Early::Stage stage) {
  Variable& variable = vars_[static_cast<size_t>(loop.var)];
  const Variable now = variable;
  const Lanes outer = lanes_;
  cache_.clear();
  variable.value = Value{b_.CreateAdd(now.value.v, i64(1))};
  lanes_.asked = asked;
  early_.stage = stage;
  scaledKeptDraw(*draws.draw);
  early_.stage = Early::Stage::None;
  lanes_ = outer;
  variable = now;
  cache_.clear();
}

// What follows the condition is there twice: for an iteration in which lanes draw, and without
// that.
void Emitter::iterationWithDraws(const EarlyDraws& draws, const Stmt& loop) {
  const auto stored = std::ranges::find_if(draws.order, [&](const Stmt* stmt) {
    return stmt->kind == Stmt::Kind::Store && stmt->buffer == draws.condition;
  });
  early_ = {};
  early_.stream = draws.stream;
  const auto emit = [&](auto from, auto to) {
    for (const Stmt* stmt : std::ranges::subrange(from, to)) statement(*stmt);
  };
  emit(draws.order.begin(), stored + 1);
  cache_.clear();
  V* const asked = vectorValue(expr(loops::load(draws.condition, DType::Bool, (*stored)->index)));
  V* const bits = laneBits(asked);
  auto *some = newBlock("draws"), *none = newBlock("drawless"), *done = newBlock("drawn");
  b_.CreateCondBr(b_.CreateICmpEQ(bits, llvm::Constant::getNullValue(bits->getType())), none, some);

  b_.SetInsertPoint(some);
  drawNext(draws, loop, asked, Early::Stage::Most);
  emit(stored + 1, draws.order.end());
  if (!early_.chain.empty()) {  // empty: the lanes can't be gathered, and draw when they need it
    Instructions among;
    addInstructions(among, *some, early_.chain.back());
    if (b_.GetInsertBlock() != some) addInstructions(among, *b_.GetInsertBlock(), nullptr);
    mix(early_.chain, among);
    drawNext(draws, loop, b_.CreateBitCast(early_.rest, vectorOf(b_.getInt1Ty())),
             Early::Stage::Rest);
  }
  b_.CreateBr(done);

  b_.SetInsertPoint(none);
  emit(stored + 1, draws.order.end());
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
  cache_.clear();
  early_ = {};
}

// The first eight lanes' words, without a branch. The others' places get any.
void Emitter::drawMost(const KeptBlock& kept, V* asked, const Blocks& blockOf) {
  llvm::BasicBlock& block = *b_.GetInsertBlock();
  llvm::Instruction* const before = block.empty() ? nullptr : &block.back();
  const Gathered gathered = gatherByBytes(asked);
  early_.rest = gathered.rest;
  spreadGathered(kept, gathered, blockOf(gathered.lanes), nullptr);
  addInstructions(early_.chain, block, before);
}

void Emitter::drawRest(const KeptBlock& kept, const Blocks& blockOf) {
  auto *some = newBlock("draw.rest"), *drawn = newBlock("draw.early");
  V* const none = llvm::Constant::getNullValue(early_.rest->getType());
  b_.CreateCondBr(b_.CreateICmpEQ(early_.rest, none), drawn, some);
  b_.SetInsertPoint(some);
  drawGathered(kept, early_.rest, blockOf, drawn);
  b_.SetInsertPoint(drawn);
}

}  // namespace rlc::cpu
