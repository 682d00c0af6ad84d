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
  const bool literals = a->kind == ExprNode::Kind::Literal && b->kind == ExprNode::Kind::Literal;
  const int64_t x = a->literal.i, y = b->literal.i;
  switch (op) {
    case ScalarOp::Add:
      if (literals) return index(x + y);
      if (isIndexLiteral(a, 0)) return b;
      return isIndexLiteral(b, 0) ? a : nullptr;
    case ScalarOp::Sub:
      if (literals) return index(x - y);
      return isIndexLiteral(b, 0) ? a : nullptr;
    case ScalarOp::Mul:
      if (literals) return index(x * y);
      if (isIndexLiteral(a, 0) || isIndexLiteral(b, 0)) return index(0);
      if (isIndexLiteral(a, 1)) return b;
      return isIndexLiteral(b, 1) ? a : nullptr;
    case ScalarOp::FloorDiv:
      if (literals && y != 0) return index(floorDivide(x, y));
      return isIndexLiteral(b, 1) ? a : nullptr;
    case ScalarOp::Mod:
      if (literals && y != 0) return index(x - y * floorDivide(x, y));
      return isIndexLiteral(b, 1) ? index(0) : nullptr;
    case ScalarOp::Min: return literals ? index(std::min(x, y)) : nullptr;
    case ScalarOp::Max: return literals ? index(std::max(x, y)) : nullptr;
    default: return nullptr;
  }
}

}  // namespace

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
  if (isComparison(op) || op == ScalarOp::IsNan || op == ScalarOp::IsInf || op == ScalarOp::IsFinite)
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

Expr operator+(Expr a, Expr b) { return op(ScalarOp::Add, {std::move(a), std::move(b)}); }
Expr operator-(Expr a, Expr b) { return op(ScalarOp::Sub, {std::move(a), std::move(b)}); }
Expr operator*(Expr a, Expr b) { return op(ScalarOp::Mul, {std::move(a), std::move(b)}); }

}  // namespace rlc::loops
