// Expressions: which shape their values have, and how shapes combine.
#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

using Shape = Value::Shape;

Value Emitter::expr(const Expr& e) {
  if (e->kind == ExprNode::Kind::Literal || e->kind == ExprNode::Kind::Variable)
    return exprUncached(*e);
  const auto found = cache_.find(e.get());
  if (found != cache_.end()) return found->second;
  return cache_[e.get()] = exprUncached(*e);
}

Value Emitter::exprUncached(const ExprNode& e) {
  switch (e.kind) {
    case ExprNode::Kind::Literal:
      return {constant(e.literal)};
    case ExprNode::Kind::Variable: {
      const Variable& var = vars_[static_cast<size_t>(e.var)];
      if (var.slot == nullptr) {
        if (var.value.v == nullptr)
          throw InternalError("code generation: a variable is read before its definition");
        return var.value;
      }
      V* v = b_.CreateLoad(var.slot->getAllocatedType(), var.slot);
      return {v, var.varying && lanes_.width > 1 ? Shape::Varying : Shape::Uniform, 0};
    }
    case ExprNode::Kind::Load:
      if (const auto row = rowElements_.find(&e); row != rowElements_.end())
        return varyingOf(row->second);
      return load(e.buffer, e.args[0]);
    case ExprNode::Kind::Op:
      return opExpr(e);
    case ExprNode::Kind::Fma: {
      const Value a = expr(e.args[0]), b = expr(e.args[1]), c = expr(e.args[2]);
      const bool vector = lanes_.width > 1 && !(a.uniform() && b.uniform() && c.uniform());
      const auto get = [&](const Value& v) { return vector ? vectorValue(v) : v.v; };
      V *x = get(a), *y = get(b), *z = get(c);
      V* result;
      if (!isFloat(e.type)) {
        result = b_.CreateAdd(b_.CreateMul(x, y), z);
      } else if (e.type == DType::BF16) {
        // In F64, where the product is exact.
        llvm::Type* wide = b_.getDoubleTy();
        if (vector) wide = vectorOf(wide);
        V* sum = b_.CreateFAdd(b_.CreateFMul(b_.CreateFPExt(x, wide), b_.CreateFPExt(y, wide)),
                               b_.CreateFPExt(z, wide));
        result = roundToBf16(b_.CreateFPTrunc(sum, x->getType()));
      } else {
        result = b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
      }
      return {result, vector ? Shape::Varying : Shape::Uniform, 0};
    }
    case ExprNode::Kind::Factor:
      return factor(e);
    case ExprNode::Kind::Pair:
      return pair(e);
    case ExprNode::Kind::PairFma:
      return pairFma(e);
    case ExprNode::Kind::Random:
      return random(e);
  }
  throw InternalError("code generation: an unknown expression");
}

// What a selection takes where its condition is `chosen`: only there do its draws matter.
Value Emitter::arm(const Expr& e, const Value& condition, bool chosen) {
  bool draws = false;
  if (lanes_.width > 1 && condition.shape == Shape::Varying)
    forEachNode(e, [&](const ExprNode& node) { draws |= node.kind == ExprNode::Kind::Random; });
  if (!draws) return expr(e);
  V* const outside = lanes_.asked;
  V* asked = chosen ? condition.v : b_.CreateNot(condition.v);
  lanes_.asked = outside == nullptr ? asked : b_.CreateAnd(outside, asked);
  const auto known = cache_;  // elsewhere, the same draw may matter in all lanes
  const Value value = expr(e);
  cache_ = known;
  lanes_.asked = outside;
  return value;
}

Value Emitter::opExpr(const ExprNode& e) {
  if (const auto drawn = scaledKeptDraw(e)) return *drawn;
  std::vector<Value> args;
  bool vector = false;
  for (const Expr& arg : e.args) {
    const bool chosen = e.op == ScalarOp::Select && !args.empty();
    args.push_back(chosen ? arm(arg, args[0], args.size() == 1) : expr(arg));
    vector |= !args.back().uniform();
  }
  vector &= lanes_.width > 1;
  const DType operand = e.op == ScalarOp::Select ? e.type : e.args[0]->type;
  if (vector && operand == DType::I64 && args.size() == 2)
    if (auto linear = linearOp(e.op, args[0], args[1])) return *linear;
  if (vector && e.op == ScalarOp::Select && args[0].uniform() && args[1].shape == args[2].shape &&
      args[1].stride == args[2].stride)
    return {b_.CreateSelect(args[0].v, args[1].v, args[2].v), args[1].shape, args[1].stride};
  if (vector && e.op == ScalarOp::Cast && e.type == DType::I32 && args[0].shape == Shape::Linear) {
    // The lanes of a truncated sum are sums of truncated terms.
    V* first = splat(b_.CreateTrunc(args[0].v, b_.getInt32Ty()));
    V* rest = b_.CreateMul(iota(b_.getInt32Ty()),
                           splat(b_.getInt32(static_cast<uint32_t>(args[0].stride))));
    return varyingOf(b_.CreateAdd(first, rest));
  }
  std::vector<V*> values;
  for (const Value& arg : args) {
    // A uniform condition selects whole vectors.
    const bool keep = !vector || (e.op == ScalarOp::Select && &arg == &args[0] && arg.uniform());
    values.push_back(keep ? arg.v : vectorValue(arg));
  }
  return {apply(e.op, operand, e.type, values), vector ? Shape::Varying : Shape::Uniform, 0};
}

// Index arithmetic that keeps a constant distance between lanes; at least one operand is not
// uniform.
std::optional<Value> Emitter::linearOp(ScalarOp op, const Value& a, const Value& b) {
  if (a.shape == Shape::Varying || b.shape == Shape::Varying) return std::nullopt;
  const auto result = [](V* v, int64_t stride) {
    return Value{v, stride == 0 ? Shape::Uniform : Shape::Linear, stride};
  };
  switch (op) {
    case ScalarOp::Add:
      return result(b_.CreateAdd(a.v, b.v), a.stride + b.stride);
    case ScalarOp::Sub:
      return result(b_.CreateSub(a.v, b.v), a.stride - b.stride);
    case ScalarOp::Mul: {
      const Value& linear = a.uniform() ? b : a;
      auto* factor = llvm::dyn_cast<llvm::ConstantInt>(a.uniform() ? a.v : b.v);
      if (factor == nullptr || !(a.uniform() || b.uniform())) return std::nullopt;
      return result(b_.CreateMul(a.v, b.v), linear.stride * factor->getSExtValue());
    }
    default:
      return std::nullopt;
  }
}

}  // namespace rlc::cpu
