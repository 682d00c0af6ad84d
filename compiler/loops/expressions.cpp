#include "compiler/loops/expressions.h"

#include <unordered_set>

namespace rlc::loops {

namespace {

void visitNode(const Expr& e, std::unordered_set<const ExprNode*>& seen,
               const std::function<void(const ExprNode&)>& visit) {
  if (!seen.insert(e.get()).second) return;
  visit(*e);
  for (const Expr& arg : e->args) visitNode(arg, seen, visit);
}

Linear combined(const Linear& x, int64_t p, const Linear& y, int64_t q) {
  Linear sum;
  sum.constant = p * x.constant + q * y.constant;
  for (const auto& [var, c] : x.coefficients) sum.coefficients[var] += p * c;
  for (const auto& [var, c] : y.coefficients) sum.coefficients[var] += q * c;
  return sum;
}

}  // namespace

void forEachNode(const Expr& e, const std::function<void(const ExprNode&)>& visit) {
  std::unordered_set<const ExprNode*> seen;
  visitNode(e, seen, visit);
}

bool mentionsAny(const Expr& e, const std::function<bool(VarId)>& which) {
  bool found = false;
  forEachNode(e, [&](const ExprNode& node) {
    found |= node.kind == ExprNode::Kind::Variable && which(node.var);
  });
  return found;
}

bool mentions(const Expr& e, VarId var) {
  return mentionsAny(e, [&](VarId other) { return other == var; });
}

std::optional<Linear> linearOf(const Expr& e) {
  if (e->type != DType::I64) return std::nullopt;
  Linear result;
  if (e->kind == ExprNode::Kind::Literal) {
    result.constant = e->literal.i;
    return result;
  }
  if (e->kind == ExprNode::Kind::Variable) {
    result.coefficients[e->var] = 1;
    return result;
  }
  if (e->kind != ExprNode::Kind::Op || e->args.size() != 2) return std::nullopt;
  const auto a = linearOf(e->args[0]), b = linearOf(e->args[1]);
  if (!a || !b) return std::nullopt;
  if (e->op == ScalarOp::Add) return combined(*a, 1, *b, 1);
  if (e->op == ScalarOp::Sub) return combined(*a, 1, *b, -1);
  if (e->op == ScalarOp::Mul && a->coefficients.empty())
    return combined(*b, a->constant, Linear{}, 0);
  if (e->op == ScalarOp::Mul && b->coefficients.empty())
    return combined(*a, b->constant, Linear{}, 0);
  return std::nullopt;
}

std::optional<Linear> linearIn(const Expr& e, const std::function<bool(VarId)>& moves) {
  if (!mentionsAny(e, moves)) return Linear{};
  if (e->kind == ExprNode::Kind::Variable) return linearOf(e);
  if (e->kind != ExprNode::Kind::Op || e->args.size() != 2 || e->type != DType::I64)
    return std::nullopt;
  const auto a = linearIn(e->args[0], moves), b = linearIn(e->args[1], moves);
  if (!a || !b) return std::nullopt;
  if (e->op == ScalarOp::Add) return combined(*a, 1, *b, 1);
  if (e->op == ScalarOp::Sub) return combined(*a, 1, *b, -1);
  if (e->op != ScalarOp::Mul) return std::nullopt;
  for (size_t k : {0, 1})
    if (e->args[k]->kind == ExprNode::Kind::Literal)
      return combined(k == 0 ? *b : *a, e->args[k]->literal.i, Linear{}, 0);
  return std::nullopt;
}

bool sameExpr(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind || a->type != b->type || a->args.size() != b->args.size())
    return false;
  switch (a->kind) {
    case ExprNode::Kind::Literal:
      if (!identical(a->literal, b->literal)) return false;
      break;
    case ExprNode::Kind::Variable:
      if (a->var != b->var) return false;
      break;
    case ExprNode::Kind::Load:
      if (a->buffer != b->buffer) return false;
      break;
    case ExprNode::Kind::Op:
      if (a->op != b->op) return false;
      break;
    case ExprNode::Kind::Fma:
    case ExprNode::Kind::Factor:
    case ExprNode::Kind::Pair:
    case ExprNode::Kind::PairFma:
      break;
    case ExprNode::Kind::Random:
      return false;
  }
  for (size_t i = 0; i < a->args.size(); ++i)
    if (!sameExpr(a->args[i], b->args[i])) return false;
  return true;
}

}  // namespace rlc::loops
