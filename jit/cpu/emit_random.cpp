// Random draws: jit/runtime/random_core.h's layout, a function of the module for each kind of draw and width.
#include <cstddef>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/abi.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/formula_value.h"
#include "jit/runtime/random_core.h"

namespace rlc::cpu {

using formulas::Number;
using formulas::Word;
using loops::ExprNode;
using Shape = Value::Shape;

namespace {

llvm::Value* draw(ExprNode::Draw kind, DType type, const runtime::Place<Word, Word>& place, Word lo, Word hi) {
  const bool wide = type == DType::F64;
  switch (kind) {
    case ExprNode::Draw::Uniform01: return wide ? runtime::uniformF64(place).v : runtime::uniformF32(place).v;
    case ExprNode::Draw::StandardNormal: return wide ? runtime::normalF64(place).v : runtime::normalF32(place).v;
    case ExprNode::Draw::UniformInt: return runtime::uniformInt(place, lo, hi).v;
    case ExprNode::Draw::StandardGamma: break;
  }
  throw InternalError("code generation: an unknown draw");
}

}  // namespace

// As runtime::streamKey.
llvm::Value* Emitter::streamKey(uint64_t stream) {
  const auto mix = [&](V* z) {
    z = b_.CreateMul(b_.CreateXor(z, b_.CreateLShr(z, 30)), b_.getInt64(0xBF58476D1CE4E5B9u));
    z = b_.CreateMul(b_.CreateXor(z, b_.CreateLShr(z, 27)), b_.getInt64(0x94D049BB133111EBu));
    return b_.CreateXor(z, b_.CreateLShr(z, 31));
  };
  V* seed = contextField(offsetof(KernelContext, seed) / 8, b_.getInt64Ty());
  return mix(b_.CreateXor(mix(b_.CreateAdd(seed, b_.getInt64(0x9E3779B97F4A7C15u))), b_.getInt64(stream)));
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

  const auto shaped = [&](const Value& value) { return vector ? vectorValue(value) : value.v; };
  const auto spread = [&](V* scalar) { return vector ? splat(scalar) : scalar; };
  V* key = streamKey(e.stream);
  runtime::Key<Word> words{Word{&b_, spread(b_.CreateTrunc(key, b_.getInt32Ty()))},
                           Word{&b_, spread(b_.CreateTrunc(b_.CreateLShr(key, 32), b_.getInt32Ty()))}};
  std::vector<Word> coordinates;
  for (int i = 0; i < e.coordinates; ++i) coordinates.push_back(Word{&b_, shaped(args[static_cast<size_t>(i)])});
  const Word elements{&b_, spread(i64(e.elementCount))};
  const Word element{&b_, shaped(args[static_cast<size_t>(e.coordinates)])};
  const auto place = runtime::placeOf<Word, Word>(words, coordinates.data(), e.coordinates, elements, element);
  V* lo = spread(b_.getInt32(0));
  V* hi = lo;
  if (e.draw == ExprNode::Draw::UniformInt) {
    lo = shaped(args[static_cast<size_t>(e.coordinates) + 1]);
    hi = shaped(args[static_cast<size_t>(e.coordinates) + 2]);
  }

  const std::string functionName = "rlc.draw" + std::to_string(static_cast<int>(e.draw)) + "." + std::string(rlc::name(e.type)) +
                                   "x" + std::to_string(vector ? lanes_.width : 1);
  llvm::Function*& function = formulas_[functionName];
  V* values[] = {place.key[0].v, place.key[1].v, place.number.v, place.outer[0].v, place.outer[1].v, lo, hi};
  if (function == nullptr) {
    std::vector<llvm::Type*> types;
    for (V* value : values) types.push_back(value->getType());
    llvm::Type* result = vector ? vectorOf(registerType(e.type)) : registerType(e.type);
    function = llvm::Function::Create(llvm::FunctionType::get(result, types, false), llvm::Function::InternalLinkage, functionName, module_);
    B builder(llvm::BasicBlock::Create(llvm_, "entry", function));
    const auto arg = [&](unsigned i) { return Word{&builder, function->getArg(i)}; };
    const runtime::Place<Word, Word> inner{{arg(0), arg(1)}, arg(2), {arg(3), arg(4)}};
    builder.CreateRet(draw(e.draw, e.type, inner, arg(5), arg(6)));
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  return {b_.CreateCall(function, values), shape, 0};
}

// Rejection sampling takes a different number of attempts in each lane: one call a lane.
llvm::Value* Emitter::gamma(const ExprNode& e, const std::vector<Value>& args) {
  llvm::Type *word = b_.getInt64Ty(), *number = b_.getFloatTy();
  auto callee = runtimeFunction("rlc_gamma_f32", number, {word, b_.getPtrTy(), word, word, word, number});
  V* key = streamKey(e.stream);
  const auto once = [&](V* lane) {
    std::vector<V*> coordinates;
    for (int i = 0; i < e.coordinates; ++i) coordinates.push_back(laneOf(args[static_cast<size_t>(i)], lane));
    const auto n = static_cast<size_t>(e.coordinates);
    return b_.CreateCall(callee, {key, coordinateArray(coordinates), i64(e.coordinates), i64(e.elementCount),
                                  laneOf(args[n], lane), laneOf(args[n + 1], lane)});
  };
  bool vector = false;
  for (const Value& arg : args) vector |= !arg.uniform() && lanes_.width > 1;
  if (!vector) return once(i64(0));
  auto* result = newSlot(vectorOf(number), "gamma");
  b_.CreateStore(llvm::Constant::getNullValue(vectorOf(number)), result);
  forEachActiveLane([&](V* lane) { b_.CreateStore(once(lane), b_.CreateInBoundsGEP(number, result, lane)); });
  return b_.CreateLoad(vectorOf(number), result);
}

}  // namespace rlc::cpu
