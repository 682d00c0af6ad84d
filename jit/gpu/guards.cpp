#include "jit/gpu/guards.h"

#include <algorithm>
#include <optional>

#include "jit/cpu/walk.h"
#include "jit/gpu/windows.h"

namespace rlc::gpu {

namespace {

using loops::Block;
using loops::Expr;
using loops::ExprNode;
using loops::Program;
using loops::Stmt;
using loops::StmtPtr;
using loops::VarId;

using Guards = std::optional<std::vector<Expr>>;  // none: does nothing in any case

bool has(const std::vector<Expr>& list, const Expr& e) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Expr& other) { return cpu::sameExpr(other, e); });
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

// Whether it can be evaluated wherever the variables are known.
bool plain(const Expr& e, const std::vector<VarId>& variables) {
  bool all = true;
  cpu::forEachNode(e, [&](const ExprNode& node) {
    const bool divides = node.kind == ExprNode::Kind::Op &&
                         (node.op == ScalarOp::FloorDiv || node.op == ScalarOp::Mod);
    all &= (node.kind == ExprNode::Kind::Op && !divides) ||
           (divides && cpu::constantOf(node.args[1]).value_or(0) != 0) ||
           node.kind == ExprNode::Kind::Literal ||
           (node.kind == ExprNode::Kind::Variable &&
            std::find(variables.begin(), variables.end(), node.var) != variables.end());
  });
  return all;
}

Expr allOf(const std::vector<Expr>& parts) {
  Expr all = parts.front();
  for (size_t k = 1; k < parts.size(); ++k) all = loops::op(ScalarOp::And, {all, parts[k]});
  return all;
}

class Hoisting {
 public:
  explicit Hoisting(cpu::Ranges ranges, std::vector<Expr> held = {})
      : ranges_(std::move(ranges)), held_(std::move(held)) {}

  Block block(const Block& source) {
    Block result;
    for (const auto& stmt : source) append(*stmt, result);
    return result;
  }

  void append(const Stmt& stmt, Block& out) {
    if (stmt.kind == Stmt::Kind::If) return appendIf(stmt, out);
    StmtPtr copy = cpu::copyHead(stmt, same_);
    if (stmt.kind != Stmt::Kind::For) return out.push_back(std::move(copy));
    std::vector<Expr> guards = commonGuards({&stmt}, around_);
    std::erase_if(guards, [&](const Expr& e) { return has(held_, e); });
    const size_t held = held_.size();
    held_.insert(held_.end(), guards.begin(), guards.end());
    const bool known = ranges_.count(stmt.var) != 0;
    if (known) around_.push_back(stmt.var);
    copy->body = block(stmt.body);
    if (known) around_.pop_back();
    held_.resize(held);
    if (!guards.empty()) copy = when(stmt, allOf(guards), std::move(copy));
    out.push_back(std::move(copy));
  }

 private:
  void appendIf(const Stmt& stmt, Block& out) {
    std::vector<Expr> parts;
    addParts(stmt.value, parts);
    std::erase_if(parts, [&](const Expr& e) { return has(held_, e); });
    Block body = block(stmt.body), otherwise = block(stmt.otherwise);
    if (parts.empty()) {
      for (StmtPtr& inner : body) out.push_back(std::move(inner));
      return;
    }
    StmtPtr copy = cpu::copyHead(stmt, same_);
    copy->value = allOf(parts);
    copy->body = std::move(body);
    copy->otherwise = std::move(otherwise);
    out.push_back(std::move(copy));
  }

  static StmtPtr when(const Stmt& of, Expr condition, StmtPtr body) {
    auto result = std::make_unique<Stmt>();
    result->kind = Stmt::Kind::If;
    result->span = of.span;
    result->value = std::move(condition);
    result->body.push_back(std::move(body));
    return result;
  }

  cpu::Ranges ranges_;
  cpu::Renaming same_;
  std::vector<VarId> around_;  // loops with known ranges
  std::vector<Expr> held_;     // conditions that hold
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

Block under(const std::vector<Expr>& guards, const std::vector<const Stmt*>& statements) {
  Hoisting hoisting({}, guards);
  Block result;
  for (const Stmt* stmt : statements) hoisting.append(*stmt, result);
  return result;
}

Program hoistGuards(const Program& program) {
  Program result = cpu::copyHead(program);
  result.body = Hoisting(loopRanges(program.body)).block(program.body);
  return result;
}

}  // namespace rlc::gpu
