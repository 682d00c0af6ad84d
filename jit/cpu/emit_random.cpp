// Random draws: jit/runtime/random_core.h's layout, a function of the module for each kind of draw
// and width.
#include <cstddef>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/draws.h"
#include "jit/cpu/emitter.h"
#include "jit/host/abi.h"

namespace rlc::cpu {

using Shape = Value::Shape;

namespace {

llvm::Value* draw(ExprNode::Draw kind, DType type, const runtime::Place<Word, Word>& place, Word lo,
                  Word hi) {
  const bool wide = type == DType::F64;
  switch (kind) {
    case ExprNode::Draw::Uniform01:
      return wide ? runtime::uniformF64(place).v : runtime::uniformF32(place).v;
    case ExprNode::Draw::StandardNormal:
      return wide ? runtime::normalF64(place).v : runtime::normalF32(place).v;
    case ExprNode::Draw::UniformInt:
      return runtime::uniformInt(place, lo, hi).v;
    case ExprNode::Draw::StandardGamma:
      break;
  }
  throw InternalError("code generation: an unknown draw");
}

// Lane l's word j is word `words * l + j` of the blocks, in order.
std::vector<Word> distribute(const std::array<Word, 4>& blocks, int words, int width) {
  llvm::IRBuilder<>& b = *blocks[0].b;
  const int count = width * words / 4;
  std::vector<int> joined;
  for (int i = 0; i < 2 * count; ++i) joined.push_back(i);
  llvm::Value* low = b.CreateShuffleVector(blocks[0].v, blocks[1].v, joined);
  llvm::Value* high = b.CreateShuffleVector(blocks[2].v, blocks[3].v, joined);
  std::vector<Word> result;
  for (int j = 0; j < words; ++j) {
    std::vector<int> from;
    for (int lane = 0; lane < width; ++lane)
      from.push_back((words * lane + j) % 4 * count + (words * lane + j) / 4);
    result.push_back(Word{&b, b.CreateShuffleVector(low, high, from)});
  }
  return result;
}

}  // namespace

// As runtime::streamKey, once for each function.
llvm::Value* Emitter::streamKey(uint64_t stream) {
  V*& key = f_.streamKeys[stream];
  if (key != nullptr) return key;
  const llvm::IRBuilderBase::InsertPointGuard guard(b_);
  b_.SetInsertPoint(f_.allocas->getTerminator());
  const auto mix = [&](V* z) {
    z = b_.CreateMul(b_.CreateXor(z, b_.CreateLShr(z, 30)), b_.getInt64(0xBF58476D1CE4E5B9u));
    z = b_.CreateMul(b_.CreateXor(z, b_.CreateLShr(z, 27)), b_.getInt64(0x94D049BB133111EBu));
    return b_.CreateXor(z, b_.CreateLShr(z, 31));
  };
  V* seed = contextField(offsetof(host::KernelContext, seed) / 8, b_.getInt64Ty());
  return key = mix(b_.CreateXor(mix(b_.CreateAdd(seed, b_.getInt64(0x9E3779B97F4A7C15u))),
                                b_.getInt64(stream)));
}

Value Emitter::random(const ExprNode& e) {
  std::vector<Value> args;
  bool vector = false;
  for (const auto& arg : e.args) {
    args.push_back(expr(arg));
    vector |= !args.back().uniform() && lanes_.width > 1;
  }
  const Shape shape = vector ? Shape::Varying : Shape::Uniform;
  if (e.draw == ExprNode::Draw::StandardGamma) return {gamma(e, args), shape, 0};
  if (const auto kept = keptDraw(e, args)) return *kept;

  const auto shaped = [&](const Value& value) { return vector ? vectorValue(value) : value.v; };
  const auto spread = [&](V* scalar) { return vector ? splat(scalar) : scalar; };
  V* key = streamKey(e.stream);
  runtime::Key<Word> words{
      Word{&b_, spread(b_.CreateTrunc(key, b_.getInt32Ty()))},
      Word{&b_, spread(b_.CreateTrunc(b_.CreateLShr(key, 32), b_.getInt32Ty()))}};
  std::vector<Word> coordinates;
  for (int i = 0; i < e.coordinates; ++i)
    coordinates.push_back(Word{&b_, shaped(args[static_cast<size_t>(i)])});
  const Word elements{&b_, spread(i64(e.elementCount))};
  const Word element{&b_, shaped(args[static_cast<size_t>(e.coordinates)])};
  const auto place =
      runtime::placeOf<Word, Word>(words, coordinates.data(), e.coordinates, elements, element);
  V* lo = spread(b_.getInt32(0));
  V* hi = lo;
  if (e.draw == ExprNode::Draw::UniformInt) {
    lo = shaped(args[static_cast<size_t>(e.coordinates) + 1]);
    hi = shaped(args[static_cast<size_t>(e.coordinates) + 2]);
  }

  const std::string functionName = "rlc.draw" + std::to_string(static_cast<int>(e.draw)) + "." +
                                   std::string(rlc::name(e.type)) + "x" +
                                   std::to_string(vector ? lanes_.width : 1);
  llvm::Function*& function = formulas_[functionName];
  V* values[] = {
      place.key[0].v, place.key[1].v, place.number.v, place.outer[0].v, place.outer[1].v, lo, hi};
  if (function == nullptr) {
    std::vector<llvm::Type*> types;
    for (V* value : values) types.push_back(value->getType());
    llvm::Type* result = vector ? vectorOf(registerType(e.type)) : registerType(e.type);
    function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                      llvm::Function::InternalLinkage, functionName, module_);
    B builder(llvm::BasicBlock::Create(llvm_, "entry", function));
    const auto arg = [&](unsigned i) { return Word{&builder, function->getArg(i)}; };
    const runtime::Place<Word, Word> inner{{arg(0), arg(1)}, arg(2), {arg(3), arg(4)}};
    builder.CreateRet(draw(e.draw, e.type, inner, arg(5), arg(6)));
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  // Lanes with consecutive numbers that start a block share its words: a quarter or half of the
  // work.
  const Value& last = args[static_cast<size_t>(std::max(0, e.coordinates - 1))];
  const Value& own = args[static_cast<size_t>(e.coordinates)];
  const int64_t stride =
      (e.coordinates > 0 && last.shape == Shape::Linear ? last.stride * e.elementCount : 0) +
      (own.shape == Shape::Linear ? own.stride : 0);
  bool shareable = vector && stride == 1 && e.coordinates <= 3 && sharedWords(e.draw, e.type) > 0 &&
                   lanes_.width * sharedWords(e.draw, e.type) >= 16;
  for (int i = 0; i <= e.coordinates; ++i)
    shareable &= i >= e.coordinates - 1 ? args[static_cast<size_t>(i)].shape != Shape::Varying
                                        : args[static_cast<size_t>(i)].uniform();
  if (!shareable) return {b_.CreateCall(function, values), shape, 0};

  const int words1 = sharedWords(e.draw, e.type), perBlock = 4 / words1;
  V* first =
      e.coordinates > 0 ? b_.CreateAdd(b_.CreateMul(last.v, i64(e.elementCount)), own.v) : own.v;
  auto* together = newBlock("draw.shared");
  auto* apart = newBlock("draw.apart");
  auto* done = newBlock("draw.end");
  b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateAnd(first, i64(perBlock - 1)), i64(0)), together, apart);
  b_.SetInsertPoint(together);
  const auto outer = [&](int back) {
    return e.coordinates > back
               ? b_.CreateTrunc(args[static_cast<size_t>(e.coordinates - 1 - back)].v,
                                b_.getInt32Ty())
               : static_cast<V*>(b_.getInt32(0));
  };
  V* shared =
      b_.CreateCall(sharedDraw(e, words1),
                    {b_.CreateTrunc(key, b_.getInt32Ty()),
                     b_.CreateTrunc(b_.CreateLShr(key, 32), b_.getInt32Ty()),
                     b_.CreateAShr(first, perBlock == 4 ? 2 : 1), outer(1), outer(2), lo, hi});
  b_.CreateBr(done);
  b_.SetInsertPoint(apart);
  auto* general = b_.CreateCall(function, values);
  general->addFnAttr(llvm::Attribute::NoInline);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
  auto* result = b_.CreatePHI(shared->getType(), 2);
  result->addIncoming(shared, together);
  result->addIncoming(general, apart);
  return varyingOf(result);
}

llvm::Function* Emitter::sharedDraw(const ExprNode& e, int words) {
  const std::string functionName = "rlc.draws" + std::to_string(static_cast<int>(e.draw)) + "." +
                                   std::string(rlc::name(e.type)) + "x" +
                                   std::to_string(lanes_.width);
  llvm::Function*& function = formulas_[functionName];
  if (function != nullptr) return function;
  const int count = lanes_.width * words / 4;
  llvm::Type *narrow = b_.getInt32Ty(), *wide = b_.getInt64Ty(), *bounds = vectorOf(narrow);
  function = llvm::Function::Create(
      llvm::FunctionType::get(vectorOf(registerType(e.type)),
                              {narrow, narrow, wide, narrow, narrow, bounds, bounds}, false),
      llvm::Function::InternalLinkage, functionName, module_);
  B builder(llvm::BasicBlock::Create(llvm_, "entry", function));
  const auto spread = [&](unsigned i) {
    return Word{&builder,
                builder.CreateVectorSplat(static_cast<unsigned>(count), function->getArg(i))};
  };
  std::vector<llvm::Constant*> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i64(i));
  const Word blocks = spread(2) + Word{&builder, llvm::ConstantVector::get(numbers)};
  const Word outer[2] = {spread(3), spread(4)};
  const auto drawn = distribute(runtime::blockAt<Word, Word>({spread(0), spread(1)}, blocks, outer),
                                words, lanes_.width);
  builder.CreateRet(numberOf(e.draw, e.type, drawn, Word{&builder, function->getArg(5)},
                             Word{&builder, function->getArg(6)}));
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return function;
}

// Rejection sampling takes a different number of attempts in each lane: one call a lane.
llvm::Value* Emitter::gamma(const ExprNode& e, const std::vector<Value>& args) {
  llvm::Type *word = b_.getInt64Ty(), *number = b_.getFloatTy();
  auto callee =
      runtimeFunction("rlc_gamma_f32", number, {word, b_.getPtrTy(), word, word, word, number});
  V* key = streamKey(e.stream);
  const auto once = [&](V* lane) {
    std::vector<V*> coordinates;
    for (int i = 0; i < e.coordinates; ++i)
      coordinates.push_back(laneOf(args[static_cast<size_t>(i)], lane));
    const auto n = static_cast<size_t>(e.coordinates);
    return b_.CreateCall(
        callee, {key, coordinateArray(coordinates), i64(e.coordinates), i64(e.elementCount),
                 laneOf(args[n], lane), laneOf(args[n + 1], lane)});
  };
  bool vector = false;
  for (const Value& arg : args) vector |= !arg.uniform() && lanes_.width > 1;
  if (!vector) return once(i64(0));
  auto* result = newSlot(vectorOf(number), "gamma");
  b_.CreateStore(llvm::Constant::getNullValue(vectorOf(number)), result);
  forEachActiveLane(
      [&](V* lane) { b_.CreateStore(once(lane), b_.CreateInBoundsGEP(number, result, lane)); });
  return b_.CreateLoad(vectorOf(number), result);
}

}  // namespace rlc::cpu
