#include "jit/gpu/host_values.h"

#include <algorithm>
#include <array>

namespace rlc::gpu {

using loops::Expr;
using loops::ExprNode;

namespace {

int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace

std::optional<int64_t> evaluate(const Expr& e, const HostScope& scope) {
  if (isFloat(e->type)) return std::nullopt;
  switch (e->kind) {
    case ExprNode::Kind::Literal:
      return e->literal.i;
    case ExprNode::Kind::Variable: {
      const auto value = scope.variable ? scope.variable(e->var) : std::nullopt;
      return value ? std::optional(Scalar::ofInt(e->type, *value).i) : std::nullopt;
    }
    case ExprNode::Kind::Load: {
      const auto index = evaluate(e->args[0], scope);
      return index && scope.element ? scope.element(e->buffer, *index) : std::nullopt;
    }
    case ExprNode::Kind::Op:
      break;
    case ExprNode::Kind::Fma:
    case ExprNode::Kind::Factor:
    case ExprNode::Kind::Pair:
    case ExprNode::Kind::PairFma:
    case ExprNode::Kind::Random:
      return std::nullopt;
  }
  std::array<int64_t, 3> a{};
  if (e->args.size() > a.size()) return std::nullopt;
  for (size_t k = 0; k < e->args.size(); ++k) {
    const auto value = evaluate(e->args[k], scope);
    if (!value) return std::nullopt;
    a[k] = *value;
  }
  const auto wrapped = [&](int64_t value) { return Scalar::ofInt(e->type, value).i; };
  const auto word = [](int64_t value) { return static_cast<uint64_t>(value); };
  switch (e->op) {
    case ScalarOp::Add:
      return wrapped(static_cast<int64_t>(word(a[0]) + word(a[1])));
    case ScalarOp::Sub:
      return wrapped(static_cast<int64_t>(word(a[0]) - word(a[1])));
    case ScalarOp::Mul:
      return wrapped(static_cast<int64_t>(word(a[0]) * word(a[1])));
    case ScalarOp::Neg:
      return wrapped(static_cast<int64_t>(0 - word(a[0])));
    case ScalarOp::FloorDiv:
      return a[1] <= 0 ? std::nullopt : std::optional(floorDivide(a[0], a[1]));
    case ScalarOp::Mod:
      return a[1] <= 0 ? std::nullopt : std::optional(a[0] - a[1] * floorDivide(a[0], a[1]));
    case ScalarOp::Min:
      return std::min(a[0], a[1]);
    case ScalarOp::Max:
      return std::max(a[0], a[1]);
    case ScalarOp::Lt:
      return a[0] < a[1];
    case ScalarOp::Le:
      return a[0] <= a[1];
    case ScalarOp::Eq:
      return a[0] == a[1];
    case ScalarOp::Ne:
      return a[0] != a[1];
    case ScalarOp::And:
      return a[0] != 0 && a[1] != 0;
    case ScalarOp::Or:
      return a[0] != 0 || a[1] != 0;
    case ScalarOp::Not:
      return a[0] == 0;
    case ScalarOp::Select:
      return a[0] != 0 ? a[1] : a[2];
    case ScalarOp::Cast:
      return wrapped(a[0]);
    default:
      return std::nullopt;
  }
}

}  // namespace rlc::gpu
