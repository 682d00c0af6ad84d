// Sequential loops, and the masks of lanes that take part in them.
#include <algorithm>
#include <cstddef>

#include "compiler/types/lists.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/walk.h"
#include "jit/host/abi.h"

namespace rlc::cpu {

using Shape = Value::Shape;

namespace {

// Whether the body holds an exit from a loop around this one.
bool leavesOuterLoop(const Stmt& loop) {
  bool leaves = false;
  std::vector<loops::VarId> own{loop.var};
  forEachStmt(loop.body, [&](const Stmt& inner) {
    if (inner.kind == Stmt::Kind::For) own.push_back(inner.var);
    if (inner.kind == Stmt::Kind::Exit) leaves |= !contains(own, inner.var);
  });
  return leaves;
}

}  // namespace

// ---- masks --------------------------------------------------------------------------------------

llvm::Value* Emitter::laneBits(V* mask) {
  return b_.CreateBitCast(mask, b_.getIntNTy(static_cast<unsigned>(lanes_.width)));
}

llvm::Value* Emitter::anyOf(V* mask) {
  V* bits = laneBits(mask);
  return b_.CreateICmpNE(bits, llvm::Constant::getNullValue(bits->getType()));
}

void Emitter::setMask(V* mask, bool conditional) {
  lanes_.mask = mask;
  lanes_.conditional = conditional;
  lanes_.any = conditional ? anyOf(mask) : nullptr;
}

llvm::Value* Emitter::andMask(V* mask) {
  return lanes_.mask == nullptr ? mask : b_.CreateAnd(lanes_.mask, mask);
}

void Emitter::refreshMask() {
  V* mask = lanes_.mask;
  bool changed = false;
  for (const OpenLoop& loop : open_) {
    if (loop.alive == nullptr) continue;
    V* alive = b_.CreateLoad(loop.alive->getAllocatedType(), loop.alive);
    mask = mask == nullptr ? alive : b_.CreateAnd(mask, alive);
    changed = true;
  }
  if (changed) setMask(mask, true);
}

llvm::Value* Emitter::activeOr(V* vector, V* inactive) {
  return lanes_.mask == nullptr ? vector : b_.CreateSelect(lanes_.mask, vector, inactive);
}

// ---- loops --------------------------------------------------------------------------------------

void Emitter::countedLoop(V* lo, V* hi, int64_t step, bool descending, llvm::BasicBlock* exit,
                          const std::function<void(V*)>& body, bool vectorizable) {
  V* first = descending ? b_.CreateSub(hi, i64(step)) : lo;
  auto* start = newBlock("loop");
  auto* before = b_.GetInsertBlock();
  auto* constantLo = llvm::dyn_cast<llvm::ConstantInt>(lo);
  auto* constantHi = llvm::dyn_cast<llvm::ConstantInt>(hi);
  if (constantLo != nullptr && constantHi != nullptr) {
    if (constantLo->getSExtValue() >= constantHi->getSExtValue()) {
      b_.CreateBr(exit);
      start->eraseFromParent();
      return;
    }
    b_.CreateBr(start);
  } else {
    b_.CreateCondBr(b_.CreateICmpSLT(lo, hi), start, exit);
  }
  b_.SetInsertPoint(start);
  auto* i = b_.CreatePHI(b_.getInt64Ty(), 2, "i");
  i->addIncoming(first, before);
  body(i);
  V* next = descending ? b_.CreateNSWSub(i, i64(step)) : b_.CreateNSWAdd(i, i64(step));
  V* more = descending ? b_.CreateICmpSGE(next, lo) : b_.CreateICmpSLT(next, hi);
  auto* latch = b_.GetInsertBlock();
  auto* back = b_.CreateCondBr(more, start, exit);
  i->addIncoming(next, latch);
  if (!vectorizable) {
    const auto property = [&](const char* name, bool withFalse) -> llvm::Metadata* {
      std::vector<llvm::Metadata*> parts{llvm::MDString::get(llvm_, name)};
      if (withFalse) parts.push_back(llvm::ConstantAsMetadata::get(b_.getFalse()));
      return llvm::MDNode::get(llvm_, parts);
    };
    llvm::Metadata* parts[] = {nullptr, property("llvm.loop.vectorize.enable", true),
                               property("llvm.loop.unroll.runtime.disable", false)};
    auto* id = llvm::MDNode::getDistinct(llvm_, parts);
    id->replaceOperandWith(0, id);
    back->setMetadata(llvm::LLVMContext::MD_loop, id);
  }
}

void Emitter::forStmt(const Stmt& stmt) {
  if (const ParallelPlan* plan = sharedPlan(stmt)) return parallel(stmt, *plan);
  if (const auto found = plan_.lanes.find(&stmt);
      found != plan_.lanes.end() && found->second.width > 1)
    return lanes(stmt, found->second);
  sequential(stmt);
}

void Emitter::markProgress(size_t offset, V* value) {
  b_.CreateAlignedStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), f_.context, offset),
                        llvm::Align(8));
}

void Emitter::pollStop(const Stmt& stmt, V* next) {
  const bool ordered =
      stmt.loop == Stmt::Loop::Sequential && loopDepth_ == 1 && !f_.parallel && lanes_.width == 1;
  if (stmt.rootLoop && ordered) markProgress(offsetof(host::KernelContext, iteration), next);
  auto* stopped = newBlock("stopped");
  auto* running = newBlock("running");
  V* flag = contextField(offsetof(host::KernelContext, stop) / 8, b_.getPtrTy());
  auto* value = b_.CreateAlignedLoad(b_.getInt8Ty(), flag, llvm::Align(1));
  value->setAtomic(llvm::AtomicOrdering::Monotonic);
  b_.CreateCondBr(b_.CreateICmpEQ(value, b_.getInt8(0)), running, stopped);
  b_.SetInsertPoint(stopped);
  // Another thread's fault stands.
  V* status = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), f_.context,
                                            offsetof(host::KernelContext, status));
  const auto order = llvm::AtomicOrdering::Monotonic;
  b_.CreateAtomicCmpXchg(status, b_.getInt32(static_cast<uint32_t>(host::Status::Running)),
                         b_.getInt32(static_cast<uint32_t>(host::Status::Stopped)), llvm::Align(4),
                         order, order);
  b_.CreateBr(f_.leave);
  b_.SetInsertPoint(running);
}

void Emitter::stripLoop(const Stmt& stmt, V* lo, V* hi, int64_t step, bool descending,
                        llvm::BasicBlock* exit, const std::function<void(V*)>& body,
                        bool vectorizable) {
  const auto found = plan_.polls.find(&stmt);
  const bool polls = found != plan_.polls.end();
  const LoopFetches* fetches = fetchesOf(stmt);
  if (!polls && fetches == nullptr)
    return countedLoop(lo, hi, step, descending, exit, body, vectorizable);
  // Iterations of a strip; powers of two, as `step` is.
  int64_t every = polls ? found->second : fetches->every;
  if (fetches != nullptr) every = std::min(every, fetches->every);
  if (fetches != nullptr) fetchStrips(stmt, *fetches, lo, hi, i64(0));
  const auto begin = [&](V* next, V* done) {
    if (polls) pollStop(stmt, next);
    if (fetches != nullptr) fetchStrips(stmt, *fetches, lo, hi, b_.CreateAdd(done, i64(every)));
  };
  if (every <= step)
    return countedLoop(
        lo, hi, step, descending, exit,
        [&](V* i) {
          begin(i, descending ? b_.CreateSub(b_.CreateSub(hi, i64(1)), i) : b_.CreateSub(i, lo));
          body(i);
        },
        vectorizable);
  // The loop itself remains as it is.
  V* strips = b_.CreateAShr(b_.CreateAdd(b_.CreateSub(hi, lo), i64(every - 1)),
                            i64(llvm::Log2_64(static_cast<uint64_t>(every))));
  countedLoop(
      i64(0), strips, 1, false, exit,
      [&](V* strip) {
        V* done = b_.CreateMul(strip, i64(every));
        V* from = descending ? b_.CreateSub(hi, done) : b_.CreateAdd(lo, done);
        begin(descending ? b_.CreateSub(from, i64(1)) : from, done);
        V* to = descending ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax,
                                                      b_.CreateSub(from, i64(every)), lo)
                           : b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                                      b_.CreateAdd(from, i64(every)), hi);
        auto* stripDone = newBlock("strip.end");
        countedLoop(descending ? to : from, descending ? from : to, step, descending, stripDone,
                    body, vectorizable);
        b_.SetInsertPoint(stripDone);
      },
      false);
}

void Emitter::sequential(const Stmt& stmt) {
  const Value lo = expr(stmt.lo), hi = expr(stmt.hi);
  cache_.clear();
  if (lanes_.width > 1) {
    if (unitVectors(stmt) || outerProduct(stmt) || rowSums(stmt) || loopOverRows(stmt) ||
        transposedStore(stmt))
      return;
    if (!lo.uniform() || !hi.uniform() || plan_.leftByLane.count(&stmt) != 0 ||
        leavesOuterLoop(stmt))
      return sequentialMasked(stmt, lo, hi);
  }
  auto* exit = newBlock("endloop");
  ++loopDepth_;
  open_.push_back({stmt.var, exit, nullptr, &stmt, b_.GetInsertBlock(), nullptr});
  stripLoop(
      stmt, lo.v, hi.v, 1, stmt.descending, exit,
      [&](V* i) {
        open_.back().inside = b_.GetInsertBlock();
        vars_[static_cast<size_t>(stmt.var)] = {Value{i}};
        const auto early = compressesBytes_ && lanes_.width == 64 && lanes_.mask == nullptr
                               ? earlyDraws(program_, stmt)
                               : std::nullopt;
        if (early && !stmt.descending && scaledStreams_.count(early->stream) != 0)
          iterationWithDraws(*early, stmt);
        else
          block(stmt.body);
      },
      lanes_.width == 1);
  open_.pop_back();
  --loopDepth_;
  b_.SetInsertPoint(exit);
}

// Lanes have bounds of their own or leave one by one. Wherever one bound is shared the variable is,
// too, and lanes take part while it is in their range; else each lane counts from its own bound.
void Emitter::sequentialMasked(const Stmt& stmt, const Value& lo, const Value& hi) {
  V *first = lo.v, *last = hi.v, *from = nullptr,
    *to = nullptr;  // lanes take part where from <= i < to
  Value::Shape shape = Shape::Uniform;
  int64_t stride = 0;
  V *counts = nullptr, *starts = nullptr;
  const auto extreme = [&](V* vector, bool most) {
    return most ? b_.CreateIntMaxReduce(vector, true) : b_.CreateIntMinReduce(vector, true);
  };
  if (lo.uniform() && hi.uniform()) {
  } else if (lo.shape == Shape::Linear && hi.shape == Shape::Linear && lo.stride == hi.stride) {
    shape = Shape::Linear;
    stride = lo.stride;
  } else if (lo.uniform()) {
    to = vectorValue(hi);
    last = extreme(activeOr(to, splat(lo.v)), true);
  } else if (hi.uniform()) {
    from = vectorValue(lo);
    first = extreme(activeOr(from, splat(hi.v)), false);
  } else {
    shape = Shape::Varying;
    starts = stmt.descending ? vectorValue(hi) : vectorValue(lo);
    counts = activeOr(b_.CreateSub(vectorValue(hi), vectorValue(lo)),
                      llvm::Constant::getNullValue(vectorOf(b_.getInt64Ty())));
    first = i64(0);
    last = extreme(counts, true);
  }
  llvm::AllocaInst* alive = nullptr;
  if (plan_.leftByLane.count(&stmt) != 0) {
    alive = newSlot(vectorOf(b_.getInt1Ty()), "alive");
    b_.CreateStore(lanes_.mask != nullptr ? lanes_.mask : splat(b_.getTrue()), alive);
  }
  const bool leavesOuter = leavesOuterLoop(stmt);
  auto* exit = newBlock("endloop");
  const Lanes outer = lanes_;
  ++loopDepth_;
  open_.push_back({stmt.var, exit, alive, &stmt, b_.GetInsertBlock(), nullptr});
  const bool down = stmt.descending && shape != Shape::Varying;
  stripLoop(
      stmt, first, last, 1, down, exit,
      [&](V* i) {
        open_.back().inside = b_.GetInsertBlock();
        V* taking = nullptr;
        const auto also = [&](V* mask) {
          taking = taking == nullptr ? mask : b_.CreateAnd(taking, mask);
        };
        if (from != nullptr) also(b_.CreateICmpSLE(from, splat(i)));
        if (to != nullptr) also(b_.CreateICmpSLT(splat(i), to));
        Value var{i, shape, stride};
        if (shape == Shape::Varying) {
          also(b_.CreateICmpSLT(splat(i), counts));
          var.v = stmt.descending ? b_.CreateSub(b_.CreateSub(starts, splat(i)), splat(i64(1)))
                                  : b_.CreateAdd(starts, splat(i));
        }
        vars_[static_cast<size_t>(stmt.var)] = {var};
        lanes_ = outer;
        if (taking != nullptr) setMask(andMask(taking), true);
        if (alive != nullptr || leavesOuter) refreshMask();
        block(stmt.body);
        if (alive != nullptr) {
          auto* rest = newBlock("remaining");
          b_.CreateCondBr(anyOf(b_.CreateLoad(alive->getAllocatedType(), alive)), rest, exit);
          b_.SetInsertPoint(rest);
        }
      },
      false);
  open_.pop_back();
  --loopDepth_;
  lanes_ = outer;
  b_.SetInsertPoint(exit);
  if (leavesOuter) refreshMask();
}

}  // namespace rlc::cpu
