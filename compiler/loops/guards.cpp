#include "compiler/loops/guards.h"

#include <algorithm>
#include <optional>

#include "compiler/loops/expressions.h"
#include "compiler/types/lists.h"

namespace rlc::loops {

namespace {

using Guards = std::optional<std::vector<Expr>>;  // none: does nothing in any case

bool has(const std::vector<Expr>& list, const Expr& e) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Expr& other) { return sameExpr(other, e); });
}

void addParts(const Expr& condition, std::vector<Expr>& parts) {
  if (condition->kind == ExprNode::Kind::Op && condition->op == ScalarOp::And) {
    for (const Expr& part : condition->args) addParts(part, parts);
  } else if (!has(parts, condition)) {
    parts.push_back(condition);
  }
}

Guards both(Guards a, const Guards& b) {
  if (!a) return b;
  if (b) std::erase_if(*a, [&](const Expr& e) { return !has(*b, e); });
  return a;
}

Guards of(const Stmt& stmt);

Guards of(const Block& block) {
  Guards common;
  for (const auto& stmt : block) common = both(std::move(common), of(*stmt));
  return common;
}

Guards of(const Stmt& stmt) {
  switch (stmt.kind) {
    case Stmt::Kind::Let:
    case Stmt::Kind::Declare:
      return std::nullopt;
    case Stmt::Kind::For:
      return of(stmt.body);
    case Stmt::Kind::If: {
      Guards inside = of(stmt.body);
      if (inside) addParts(stmt.value, *inside);
      return both(std::move(inside), of(stmt.otherwise));
    }
    default:
      return std::vector<Expr>();
  }
}

bool isNonZero(const Expr& e) {
  return e->kind == ExprNode::Kind::Literal && !isFloat(e->type) && e->literal.i != 0;
}

// Whether it can be evaluated wherever the variables are known.
bool plain(const Expr& e, const std::vector<VarId>& variables) {
  bool all = true;
  forEachNode(e, [&](const ExprNode& node) {
    const bool divides = node.kind == ExprNode::Kind::Op &&
                         (node.op == ScalarOp::FloorDiv || node.op == ScalarOp::Mod);
    all &= (node.kind == ExprNode::Kind::Op && !divides) || (divides && isNonZero(node.args[1])) ||
           node.kind == ExprNode::Kind::Literal ||
           (node.kind == ExprNode::Kind::Variable && contains(variables, node.var));
  });
  return all;
}

// a of a condition 0 <= a.
std::optional<Linear> atLeastZero(const Expr& condition) {
  const bool is = condition->kind == ExprNode::Kind::Op && condition->op == ScalarOp::Le &&
                  condition->args[0]->kind == ExprNode::Kind::Literal &&
                  condition->args[0]->type == DType::I64 && condition->args[0]->literal.i == 0;
  return is ? linearOf(condition->args[1]) : std::nullopt;
}

Linear sumOf(Linear a, const Linear& b) {
  for (const auto& [var, coefficient] : b.coefficients) a.coefficients[var] += coefficient;
  a.constant += b.constant;
  return a;
}

bool isNegative(const Linear& a) {
  return a.constant < 0 && std::all_of(
                               a.coefficients.begin(), a.coefficients.end(),
                               [](const auto& entry) { return entry.second == 0; });
}

Expr allOf(const std::vector<Expr>& parts) {
  Expr all = parts.front();
  for (size_t k = 1; k < parts.size(); ++k) all = op(ScalarOp::And, {all, parts[k]});
  return all;
}

StmtPtr when(Expr condition, Block body) {
  auto result = std::make_unique<Stmt>();
  result->kind = Stmt::Kind::If;
  result->span = body.front()->span;
  result->value = std::move(condition);
  result->body = std::move(body);
  return result;
}

class Hoisting {
 public:
  Hoisting(const GuardHoisting& which, std::vector<Expr> held)
      : which_(which), held_(std::move(held)) {}

  void visit(Block& block) {
    Block result;
    for (StmtPtr& stmt : block) {
      if (stmt->kind == Stmt::Kind::For)
        result.push_back(visitLoop(std::move(stmt)));
      else if (stmt->kind == Stmt::Kind::If)
        visitIf(std::move(stmt), result);
      else
        result.push_back(std::move(stmt));
    }
    block = std::move(result);
  }

 private:
  StmtPtr visitLoop(StmtPtr loop) {
    std::vector<Expr> guards;
    if (which_.from(*loop, around_)) guards = commonGuards({loop.get()}, known_);
    std::erase_if(guards, [&](const Expr& e) { return has(held_, e); });
    const size_t held = held_.size();
    held_.insert(held_.end(), guards.begin(), guards.end());
    const bool known = which_.about(*loop);
    around_.push_back(loop.get());
    if (known) known_.push_back(loop->var);
    visit(loop->body);
    if (known) known_.pop_back();
    around_.pop_back();
    held_.resize(held);
    if (guards.empty()) return loop;
    Block guarded;
    guarded.push_back(std::move(loop));
    return when(allOf(guards), std::move(guarded));
  }

  void visitIf(StmtPtr stmt, Block& out) {
    std::vector<Expr> parts;
    addParts(stmt->value, parts);
    std::erase_if(parts, [&](const Expr& e) { return has(held_, e); });
    visit(stmt->body);
    if (parts.empty()) {
      for (StmtPtr& inner : stmt->body) out.push_back(std::move(inner));
      return;
    }
    visit(stmt->otherwise);
    stmt->value = allOf(parts);
    out.push_back(std::move(stmt));
  }

  const GuardHoisting& which_;
  std::vector<const Stmt*> around_;
  std::vector<VarId> known_;  // variables of loops around it that guards may be about
  std::vector<Expr> held_;    // conditions that hold
};

}  // namespace

std::vector<Expr> commonGuards(const std::vector<const Stmt*>& statements,
                               const std::vector<VarId>& variables) {
  Guards common;
  for (const Stmt* stmt : statements) {
    // What it defines may be used behind the statements.
    if (stmt->kind == Stmt::Kind::Let || stmt->kind == Stmt::Kind::Declare) return {};
    common = both(std::move(common), of(*stmt));
  }
  if (!common) return {};
  std::erase_if(*common, [&](const Expr& e) { return !plain(e, variables); });
  return *common;
}

std::vector<Expr> commonGuardsOf(const Block& block, const std::vector<VarId>& variables) {
  std::vector<const Stmt*> statements;
  for (const StmtPtr& stmt : block) statements.push_back(stmt.get());
  return commonGuards(statements, variables);
}

bool excludeEachOther(const Stmt& a, const Stmt& b) {
  const auto partsOf = [](const Stmt& stmt) {
    std::vector<Expr> parts;
    if (stmt.kind == Stmt::Kind::If && stmt.otherwise.empty()) addParts(stmt.value, parts);
    return parts;
  };
  const std::vector<Expr> others = partsOf(b);
  for (const Expr& part : partsOf(a))
    if (const auto one = atLeastZero(part))
      for (const Expr& other : others)
        if (const auto two = atLeastZero(other); two && isNegative(sumOf(*one, *two))) return true;
  return false;
}

void guardAll(Block& block, const std::vector<Expr>& guards) {
  if (block.empty() || guards.empty()) return;
  Block guarded;
  guarded.push_back(when(allOf(guards), std::move(block)));
  block = std::move(guarded);
}

void dropGuards(Block& block, const std::vector<Expr>& held) {
  const GuardHoisting none{[](const Stmt&, const std::vector<const Stmt*>&) { return false; },
                           [](const Stmt&) { return false; }};
  Hoisting(none, held).visit(block);
}

void hoistGuards(Block& block, const GuardHoisting& which) { Hoisting(which, {}).visit(block); }

}  // namespace rlc::loops
