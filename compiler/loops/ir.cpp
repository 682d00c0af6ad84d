#include "compiler/loops/ir.h"

#include <algorithm>

#include "compiler/diagnostics/internal_error.h"

namespace rlc::loops {

namespace {

std::shared_ptr<ExprNode> make(ExprNode::Kind kind, DType type) {
  auto node = std::make_shared<ExprNode>();
  node->kind = kind;
  node->type = type;
  return node;
}

bool isIndexLiteral(const Expr& e, int64_t value) {
  return e->kind == ExprNode::Kind::Literal && e->type == DType::I64 && e->literal.i == value;
}

int64_t floorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// Index arithmetic on literals and neutral elements; null when nothing applies.
Expr foldIndex(ScalarOp op, const Expr& a, const Expr& b) {
  if (a->kind == ExprNode::Kind::Literal && b->kind == ExprNode::Kind::Literal) {
    const auto value = indexValue(op, a->literal.i, b->literal.i);
    return value ? index(*value) : nullptr;
  }
  switch (op) {
    case ScalarOp::Add:
      if (isIndexLiteral(a, 0)) return b;
      return isIndexLiteral(b, 0) ? a : nullptr;
    case ScalarOp::Sub:
      return isIndexLiteral(b, 0) ? a : nullptr;
    case ScalarOp::Mul:
      if (isIndexLiteral(a, 0) || isIndexLiteral(b, 0)) return index(0);
      if (isIndexLiteral(a, 1)) return b;
      return isIndexLiteral(b, 1) ? a : nullptr;
    case ScalarOp::FloorDiv:
      return isIndexLiteral(b, 1) ? a : nullptr;
    case ScalarOp::Mod:
      return isIndexLiteral(b, 1) ? index(0) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

bool binds(const Stmt& stmt) {
  return stmt.kind == Stmt::Kind::Let || stmt.kind == Stmt::Kind::Declare ||
         stmt.kind == Stmt::Kind::Assign;
}

std::optional<int64_t> indexValue(ScalarOp op, int64_t a, int64_t b) {
  switch (op) {
    case ScalarOp::Add:
      return a + b;
    case ScalarOp::Sub:
      return a - b;
    case ScalarOp::Mul:
      return a * b;
    case ScalarOp::FloorDiv:
      return b == 0 ? std::nullopt : std::optional(floorDivide(a, b));
    case ScalarOp::Mod:
      return b == 0 ? std::nullopt : std::optional(a - b * floorDivide(a, b));
    case ScalarOp::Min:
      return std::min(a, b);
    case ScalarOp::Max:
      return std::max(a, b);
    default:
      return std::nullopt;
  }
}

Expr literal(const Scalar& value) {
  auto node = make(ExprNode::Kind::Literal, value.type);
  node->literal = value;
  return node;
}

Expr index(int64_t value) { return literal(Scalar::ofInt(DType::I64, value)); }

Expr variable(VarId var, DType type) {
  auto node = make(ExprNode::Kind::Variable, type);
  node->var = var;
  return node;
}

Expr load(BufferId buffer, DType type, Expr at) {
  auto node = make(ExprNode::Kind::Load, type);
  node->buffer = buffer;
  node->args = {std::move(at)};
  return node;
}

Expr op(ScalarOp op, std::vector<Expr> args) {
  if (static_cast<int>(args.size()) != arity(op) || op == ScalarOp::Cast)
    throw InternalError("loop IR: wrong operands of " + std::string(name(op)));
  if (args.size() == 2 && args[0]->type == DType::I64 && args[1]->type == DType::I64)
    if (Expr folded = foldIndex(op, args[0], args[1])) return folded;
  DType type = args.back()->type;
  if (isComparison(op) || op == ScalarOp::IsNan || op == ScalarOp::IsInf ||
      op == ScalarOp::IsFinite)
    type = DType::Bool;
  auto node = make(ExprNode::Kind::Op, type);
  node->op = op;
  node->args = std::move(args);
  return node;
}

Expr cast(DType type, Expr arg) {
  if (arg->type == type) return arg;
  auto node = make(ExprNode::Kind::Op, type);
  node->op = ScalarOp::Cast;
  node->args = {std::move(arg)};
  return node;
}

Expr fma(Expr a, Expr b, Expr c) {
  auto node = make(ExprNode::Kind::Fma, c->type);
  node->args = {std::move(a), std::move(b), std::move(c)};
  return node;
}

Expr factor(Expr number) {
  auto node = make(ExprNode::Kind::Factor, DType::BF16);
  node->args = {std::move(number)};
  return node;
}

Expr pair(Expr low, Expr high) {
  auto node = make(ExprNode::Kind::Pair, DType::I32);
  node->args = {std::move(low), std::move(high)};
  return node;
}

Expr pairFma(Expr a, Expr b, Expr c) {
  auto node = make(ExprNode::Kind::PairFma, DType::F32);
  node->args = {std::move(a), std::move(b), std::move(c)};
  return node;
}

Expr operator+(Expr a, Expr b) { return op(ScalarOp::Add, {std::move(a), std::move(b)}); }
Expr operator-(Expr a, Expr b) { return op(ScalarOp::Sub, {std::move(a), std::move(b)}); }
Expr operator*(Expr a, Expr b) { return op(ScalarOp::Mul, {std::move(a), std::move(b)}); }

}  // namespace rlc::loops
