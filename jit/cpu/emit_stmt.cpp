// Statements other than loops.
#include <cstddef>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/walk.h"
#include "jit/host/abi.h"

namespace rlc::cpu {

using Shape = Value::Shape;

namespace {

constexpr double kWorthBranch = 24;  // operations that are worth skipping where no lane needs them

}  // namespace

void Emitter::block(const Block& block) {
  for (size_t at = 0; at < block.size(); ++at) {
    const bool both = at + 1 < block.size() && runsBeside(*block[at], *block[at + 1]);
    statement(*block[at], both ? block[at + 1].get() : nullptr);
    at += both ? 1 : 0;
  }
}

// `beside`: a parallel loop that runs at the same time.
void Emitter::statement(const Stmt& stmt, const Stmt* beside) {
  cache_.clear();
  if (stmt.root >= 0 && !f_.parallel) {
    markProgress(offsetof(host::KernelContext, root), i64(stmt.root));
    markProgress(offsetof(host::KernelContext, iteration), i64(host::kNoIteration));
  }
  const bool timed = plan_.timeRegions && stmt.region >= 0 && !f_.parallel && lanes_.width == 1;
  if (timed) enterRegion(stmt.region);
  switch (stmt.kind) {
    case Stmt::Kind::For:
      beside != nullptr ? sideBySide(stmt, *beside) : forStmt(stmt);
      break;
    case Stmt::Kind::If:
      ifStmt(stmt);
      break;
    case Stmt::Kind::Let:
      vars_[static_cast<size_t>(stmt.var)] = {expr(stmt.value)};
      break;
    case Stmt::Kind::Declare:
      declare(stmt);
      break;
    case Stmt::Kind::Assign:
      assign(stmt);
      break;
    case Stmt::Kind::Store:
      store(stmt.buffer, stmt.index, expr(stmt.value));
      break;
    case Stmt::Kind::Accumulate:
      accumulate(stmt);
      break;
    case Stmt::Kind::Check:
      check(stmt);
      break;
    case Stmt::Kind::Exit:
      exitStmt(stmt);
      break;
    case Stmt::Kind::Emit:
      emit(stmt);
      break;
    case Stmt::Kind::Call:
      call(stmt);
      break;
  }
  cache_.clear();
  if (timed) enterRegion(-1);
}

void Emitter::enterRegion(int64_t region) {
  auto callee = runtimeFunction("rlc_region", b_.getVoidTy(), {b_.getPtrTy(), b_.getInt64Ty()});
  b_.CreateCall(callee, {f_.context, i64(region)});
}

void Emitter::ifStmt(const Stmt& stmt) {
  const Value condition = expr(stmt.value);
  cache_.clear();
  if (lanes_.width == 1 || condition.uniform()) {
    auto* then = newBlock("then");
    auto* after = newBlock("endif");
    auto* otherwise = stmt.otherwise.empty() ? after : newBlock("else");
    b_.CreateCondBr(condition.v, then, otherwise);
    b_.SetInsertPoint(then);
    const Lanes outer = lanes_;
    block(stmt.body);
    b_.CreateBr(after);
    lanes_ = outer;
    if (!stmt.otherwise.empty()) {
      b_.SetInsertPoint(otherwise);
      block(stmt.otherwise);
      b_.CreateBr(after);
      lanes_ = outer;
    }
    b_.SetInsertPoint(after);
  } else {
    const Lanes outer = lanes_;
    const auto branch = [&](const Block& body, V* taken) {
      if (body.empty()) return;
      lanes_ = outer;
      setMask(andMask(taken), true);
      llvm::BasicBlock* after = nullptr;
      bool simple = countOperations(body) < kWorthBranch;
      for (const auto& inner : body)
        simple &= inner->kind == Stmt::Kind::Let || inner->kind == Stmt::Kind::Declare ||
                  inner->kind == Stmt::Kind::Assign || inner->kind == Stmt::Kind::Store ||
                  inner->kind == Stmt::Kind::Exit;
      if (!simple) {
        auto* active = newBlock("active");
        after = newBlock("joined");
        b_.CreateCondBr(lanes_.any, active, after);
        b_.SetInsertPoint(active);
        lanes_.any = nullptr;
      }
      block(body);
      if (after != nullptr) {
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
      }
    };
    V* taken = vectorValue(condition);
    branch(stmt.body, taken);
    branch(stmt.otherwise, b_.CreateNot(taken));
    lanes_ = outer;
  }
  if (lanes_.width == 1) return;
  bool exits = false;
  const auto look = [&](const Stmt& inner) { exits |= inner.kind == Stmt::Kind::Exit; };
  forEachStmt(stmt.body, look);
  forEachStmt(stmt.otherwise, look);
  if (exits) refreshMask();
}

void Emitter::declare(const Stmt& stmt) {
  Variable& var = vars_[static_cast<size_t>(stmt.var)];
  const Value value = expr(stmt.value);
  var = Variable();
  var.varying = lanes_.width > 1 && plan_.varying[static_cast<size_t>(stmt.var)];
  llvm::Type* type = registerType(stmt.type);
  var.slot = newSlot(var.varying ? vectorOf(type) : type, "local");
  b_.CreateStore(var.varying ? vectorValue(value) : scalarValue(value), var.slot);
}

void Emitter::assign(const Stmt& stmt) {
  const Variable& var = vars_[static_cast<size_t>(stmt.var)];
  if (var.slot == nullptr)
    throw InternalError("code generation: an assignment to an undeclared local");
  const Value value = expr(stmt.value);
  if (!var.varying || lanes_.width == 1) {
    b_.CreateStore(scalarValue(value), var.slot);
    return;
  }
  V* v = vectorValue(value);
  if (lanes_.mask != nullptr && (lanes_.conditional || var.partial))
    v = b_.CreateSelect(lanes_.mask, v, b_.CreateLoad(v->getType(), var.slot));
  b_.CreateStore(v, var.slot);
}

// ---- accumulation -------------------------------------------------------------------------------

LaneSum Emitter::laneSum(const Stmt& stmt) const {
  const LaneSum sum = lanes_.plan->sums.at(&stmt);
  // Chunks add to the same buffer only at different elements; whole arrays of partial results would
  // touch all.
  const bool shared = f_.parallel && f_.copies.count(stmt.buffer) == 0;
  return sum == LaneSum::Expanded && shared ? LaneSum::Horizontal : sum;
}

void Emitter::accumulate(const Stmt& stmt) {
  const DType type = bufferAt(stmt.buffer).type;
  const Value value = expr(stmt.value);
  const llvm::Align align(byteSize(type));
  const auto update = [&](V* pointer, V* with, bool partial) {
    llvm::Type* memory = memoryType(type);
    if (with->getType()->isVectorTy()) memory = vectorOf(memory);
    auto* old = b_.CreateAlignedLoad(memory, pointer, align);
    auto* stored = b_.CreateAlignedStore(
        toMemory(type, combine(stmt.combine, type, fromMemory(type, old), with)), pointer, align);
    if (!partial) tagged(old, stmt.buffer), tagged(stored, stmt.buffer);
  };
  if (lanes_.width == 1) return update(address(stmt.buffer, expr(stmt.index).v), value.v, false);
  const LaneSum sum = laneSum(stmt);
  if (sum == LaneSum::Direct) return accumulateDirect(stmt, value);
  V* lanes = activeOr(vectorValue(value), splat(constant(identity(stmt.combine, type))));
  if (sum == LaneSum::Register) {
    V* slot = partials_.at(&stmt);
    b_.CreateStore(combine(stmt.combine, type, b_.CreateLoad(lanes->getType(), slot), lanes), slot);
    return;
  }
  const Value index = expr(stmt.index);
  V* at = scalarValue(index);
  if (sum == LaneSum::Expanded) {
    if (lanes_.any != nullptr && !llvm::isa<llvm::Constant>(at))
      at = b_.CreateSelect(lanes_.any, at, i64(0));
    return update(b_.CreateInBoundsGEP(vectorOf(memoryType(type)), partials_.at(&stmt), at), lanes,
                  true);
  }
  V* total = reduceLanes(stmt.combine, type, lanes);
  whereAnyIsActive([&] { update(address(stmt.buffer, at), total, false); });
}

// Each lane adds to an element of its own, or, where the addresses are unrelated, one lane after
// the other.
void Emitter::accumulateDirect(const Stmt& stmt, const Value& value) {
  const DType type = bufferAt(stmt.buffer).type;
  const Value index = expr(stmt.index);
  if (laneOwned(stmt.buffer) || index.shape == Shape::Linear) {
    V* old = vectorValue(load(stmt.buffer, stmt.index));
    store(stmt.buffer, stmt.index, varyingOf(combine(stmt.combine, type, old, vectorValue(value))));
    return;
  }
  const llvm::Align align(byteSize(type));
  forEachActiveLane([&](V* lane) {
    V* pointer = address(stmt.buffer, laneOf(index, lane));
    auto* old = tagged(b_.CreateAlignedLoad(memoryType(type), pointer, align), stmt.buffer);
    V* sum = combine(stmt.combine, type, fromMemory(type, old), laneOf(value, lane));
    tagged(b_.CreateAlignedStore(toMemory(type, sum), pointer, align), stmt.buffer);
  });
}

void Emitter::forEachActiveLane(const std::function<void(V* lane)>& body) {
  auto* done = newBlock("lanes.done");
  V* bits = lanes_.mask != nullptr ? laneBits(lanes_.mask) : nullptr;
  countedLoop(
      i64(0), i64(lanes_.width), 1, false, done,
      [&](V* lane) {
        llvm::BasicBlock* next = nullptr;
        if (bits != nullptr) {
          auto* active = newBlock("lane");
          next = newBlock("lane.next");
          V* wide = b_.CreateZExt(bits, b_.getInt64Ty());
          b_.CreateCondBr(b_.CreateTrunc(b_.CreateLShr(wide, lane), b_.getInt1Ty()), active, next);
          b_.SetInsertPoint(active);
        }
        body(lane);
        if (next != nullptr) {
          b_.CreateBr(next);
          b_.SetInsertPoint(next);
        }
      },
      false);
  b_.SetInsertPoint(done);
}

llvm::Value* Emitter::laneOf(const Value& value, V* lane) {
  if (value.uniform() || lanes_.width == 1) return value.v;
  if (value.shape == Shape::Linear)
    return b_.CreateAdd(value.v, b_.CreateMul(lane, i64(value.stride)));
  return b_.CreateExtractElement(value.v, lane);
}

// ---- faults, sinks, exits -----------------------------------------------------------------------

void Emitter::check(const Stmt& stmt) {
  const Value condition = expr(stmt.value);
  auto* fail = newBlock("fault");
  auto* pass = newBlock("checked");
  V* bits = nullptr;
  if (lanes_.width > 1 && !(condition.uniform() && lanes_.mask == nullptr)) {
    V* failing = andMask(b_.CreateNot(vectorValue(condition)));
    bits = laneBits(failing);
    b_.CreateCondBr(anyOf(failing), fail, pass);
  } else {
    b_.CreateCondBr(condition.v, pass, fail);
  }
  b_.SetInsertPoint(fail);
  V* lane = bits == nullptr
                ? i64(0)
                : b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz,
                                           b_.CreateZExt(bits, b_.getInt64Ty()), b_.getTrue());
  std::vector<V*> values;
  for (const auto& arg : stmt.args) values.push_back(laneOf(expr(arg), lane));
  cache_.clear();
  auto callee = runtimeFunction(
      "rlc_fault", b_.getVoidTy(),
      {b_.getPtrTy(), b_.getInt64Ty(), b_.getInt32Ty(), b_.getInt64Ty(), b_.getPtrTy()});
  auto* call =
      b_.CreateCall(callee, {f_.context, f_.chunk != nullptr ? f_.chunk : i64(0),
                             b_.getInt32(static_cast<uint32_t>(stmt.fault)),
                             i64(static_cast<int64_t>(values.size())), coordinateArray(values)});
  call->addFnAttr(llvm::Attribute::Cold);
  b_.CreateBr(f_.leave);
  b_.SetInsertPoint(pass);
}

void Emitter::exitStmt(const Stmt& stmt) {
  const OpenLoop* loop = nullptr;
  for (const OpenLoop& open : open_)
    if (open.var == stmt.var) loop = &open;
  if (loop == nullptr)
    throw InternalError("code generation: an exit from no enclosing sequential loop");
  const Value condition = expr(stmt.value);
  if (lanes_.width == 1 || (condition.uniform() && !lanes_.conditional)) {
    auto* stay = newBlock("stay");
    b_.CreateCondBr(condition.v, loop->exit, stay);
    b_.SetInsertPoint(stay);
    return;
  }
  if (loop->alive == nullptr)
    throw InternalError("code generation: lanes leave a loop that they must leave together");
  V* leaving = andMask(vectorValue(condition));
  V* alive = b_.CreateLoad(leaving->getType(), loop->alive);
  b_.CreateStore(b_.CreateAnd(alive, b_.CreateNot(leaving)), loop->alive);
  refreshMask();
}

void Emitter::emit(const Stmt& stmt) {
  if (lanes_.width > 1 || f_.parallel)
    throw InternalError("code generation: an emitted value inside parallel code");
  std::vector<V*> values;
  for (const auto& arg : stmt.args) values.push_back(expr(arg).v);
  auto callee = runtimeFunction("rlc_emit", b_.getVoidTy(),
                                {b_.getPtrTy(), b_.getInt32Ty(), b_.getInt64Ty(), b_.getPtrTy()});
  b_.CreateCall(callee, {f_.context, b_.getInt32(static_cast<uint32_t>(stmt.sink)),
                         i64(static_cast<int64_t>(values.size())), coordinateArray(values)});
}

// ---- runtime functions over buffers -------------------------------------------------------------

void Emitter::prefetch(const Stmt& stmt) {
  for (const auto& place : stmt.places) {
    const Value index = expr(place.index);
    for (int64_t lane = 0; lane < (index.uniform() ? 1 : lanes_.width); ++lane)
      b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {b_.getPtrTy()},
                         {address(place.buffer, laneOf(index, i64(lane))), b_.getInt32(0),
                          b_.getInt32(3), b_.getInt32(1)});
  }
}

void Emitter::call(const Stmt& stmt) {
  if (stmt.function == Stmt::Function::Prefetch) return prefetch(stmt);
  std::vector<Value> args, places;
  for (const auto& arg : stmt.args) args.push_back(expr(arg));
  for (const auto& place : stmt.places) places.push_back(expr(place.index));
  const auto once = [&](V* lane) {
    std::vector<V*> values, pointers, factors;
    for (const Value& arg : args) values.push_back(laneOf(arg, lane));
    for (size_t i = 0; i < places.size(); ++i) {
      const loops::BufferId id = stmt.places[i].buffer;
      V* pointer = address(id, laneOf(places[i], lane));
      if (laneOwned(id))
        pointer = b_.CreateInBoundsGEP(memoryType(bufferAt(id).type), pointer, lane);
      pointers.push_back(pointer);
      factors.push_back(i64(laneOwned(id) ? lanes_.width : 1));
    }
    llvm::Type *ptr = b_.getPtrTy(), *word = b_.getInt64Ty();
    if (stmt.function == Stmt::Function::Permutation) {
      // args: coordinates..., n, stride
      const size_t coordinates = values.size() - 2;
      V* array = coordinateArray(
          {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(coordinates)});
      V *n = values[coordinates], *stride = b_.CreateMul(values[coordinates + 1], factors[0]);
      auto callee = runtimeFunction("rlc_permutation", b_.getVoidTy(),
                                    {word, ptr, word, word, word, word, word, ptr});
      b_.CreateCall(callee, {streamKey(stmt.stream), array, i64(static_cast<int64_t>(coordinates)),
                             n, i64(0), n, stride, pointers[0]});
      return;
    }
    if (stmt.function == Stmt::Function::TreeUpdate) {
      auto callee = runtimeFunction("rlc_tree_update", b_.getVoidTy(),
                                    {ptr, word, word, word, ptr, ptr, ptr, ptr});
      V* sharing = f_.parallel ? llvm::ConstantPointerNull::get(b_.getPtrTy()) : f_.context;
      b_.CreateCall(callee, {sharing, values[0], values[1], values[2], pointers[0], pointers[1],
                             pointers[2], pointers[3]});
      return;
    }
    const char* name = stmt.function == Stmt::Function::Sort ? "rlc_sort" : "rlc_argsort";
    auto callee =
        runtimeFunction(name, b_.getVoidTy(), {b_.getInt32Ty(), ptr, word, ptr, word, word, word});
    const auto type = static_cast<uint32_t>(bufferAt(stmt.places[0].buffer).type);
    b_.CreateCall(callee, {b_.getInt32(type), pointers[0], b_.CreateMul(values[1], factors[0]),
                           pointers[1], b_.CreateMul(values[2], factors[1]), values[0], values[3]});
  };
  if (lanes_.width == 1)
    once(i64(0));
  else
    forEachActiveLane(once);
}

}  // namespace rlc::cpu
