#include "jit/cpu/split_loops.h"

#include <algorithm>
#include <optional>
#include <set>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr size_t kMostParts = 4;
constexpr int kLargestBody = 600;  // expressions that are worth emitting several times

int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }

// The value of a condition where it is the same for all that the ranges allow.
std::optional<bool> decided(const Expr& e, const Ranges& ranges) {
  if (e->kind != ExprNode::Kind::Op) return std::nullopt;
  switch (e->op) {
    case ScalarOp::And:
    case ScalarOp::Or: {
      const auto a = decided(e->args[0], ranges), b = decided(e->args[1], ranges);
      const bool settles = e->op == ScalarOp::Or;  // the value that one side alone settles it with
      if ((a && *a == settles) || (b && *b == settles)) return settles;
      return a && b ? std::optional(!settles) : std::nullopt;
    }
    case ScalarOp::Not: {
      const auto a = decided(e->args[0], ranges);
      return a ? std::optional(!*a) : std::nullopt;
    }
    case ScalarOp::Le:
    case ScalarOp::Lt:
    case ScalarOp::Eq:
    case ScalarOp::Ne:
      break;
    default:
      return std::nullopt;
  }
  const auto a = rangeOf(e->args[0], ranges), b = rangeOf(e->args[1], ranges);
  if (!a || !b) return std::nullopt;
  if (e->op == ScalarOp::Le)
    return a->hi <= b->lo  ? std::optional(true)
           : a->lo > b->hi ? std::optional(false)
                           : std::nullopt;
  if (e->op == ScalarOp::Lt)
    return a->hi < b->lo    ? std::optional(true)
           : a->lo >= b->hi ? std::optional(false)
                            : std::nullopt;
  const bool apart = a->hi < b->lo || b->hi < a->lo,
             same = a->lo == a->hi && b->lo == b->hi && a->lo == b->lo;
  if (!apart && !same) return std::nullopt;
  return same == (e->op == ScalarOp::Eq);
}

class Splitter {
 public:
  explicit Splitter(Program& program) : program_(program) {}

  void visit(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      visit(stmt.body);
      visit(stmt.otherwise);
      if (stmt.kind != Stmt::Kind::For || stmt.loop != Stmt::Loop::Sequential) continue;
      Block parts = split(stmt);
      if (parts.empty()) continue;
      parts.front()->root = stmt.root;
      i = putInPlace(block, i, std::move(parts));
    }
  }

 private:
  // The loop's parts in the order in which they run; none where it stays whole.
  Block split(const Stmt& loop) {
    const auto lo = constantOf(loop.lo), hi = constantOf(loop.hi);
    if (!lo || !hi || *hi - *lo < 2) return {};
    std::set<int64_t> cuts;
    findCuts(loop.body, loop.var, cuts);
    cuts.erase(cuts.begin(), cuts.upper_bound(*lo));
    cuts.erase(cuts.lower_bound(*hi), cuts.end());
    if (cuts.empty() || cuts.size() + 1 > kMostParts || isLeft(loop) ||
        sizeOf(loop.body) > kLargestBody)
      return {};
    Block parts;
    int64_t from = *lo;
    cuts.insert(*hi);
    for (int64_t to : cuts) {
      parts.push_back(part(loop, from, to));
      from = to;
    }
    if (loop.descending) std::reverse(parts.begin(), parts.end());
    return parts;
  }

  StmtPtr part(const Stmt& loop, int64_t from, int64_t to) {
    Renaming renaming;
    StmtPtr copy = copyStmt(loop, renaming, program_.variables);
    copy->root = -1;
    copy->lo = loops::index(from);
    copy->hi = loops::index(to);
    settle(copy->body, {{copy->var, {from, to - 1}}});
    return copy;
  }

  // Conditions whose value is known go.
  static void settle(Block& block, const Ranges& ranges) {
    Block kept;
    for (StmtPtr& stmt : block) {
      settle(stmt->body, ranges);
      settle(stmt->otherwise, ranges);
      const auto value = stmt->kind == Stmt::Kind::If ? decided(stmt->value, ranges) : std::nullopt;
      if (!value) {
        kept.push_back(std::move(stmt));
        continue;
      }
      for (StmtPtr& inner : *value ? stmt->body : stmt->otherwise) kept.push_back(std::move(inner));
    }
    block = std::move(kept);
  }

  // The values from which on a condition of the body holds, or no longer does.
  static void findCuts(const Block& block, VarId var, std::set<int64_t>& cuts) {
    for (const StmtPtr& stmt : block) {
      if (stmt->kind != Stmt::Kind::If) continue;
      cutsOf(stmt->value, var, cuts);
      findCuts(stmt->body, var, cuts);
      findCuts(stmt->otherwise, var, cuts);
    }
  }

  static void cutsOf(const Expr& e, VarId var, std::set<int64_t>& cuts) {
    if (e->kind != ExprNode::Kind::Op) return;
    if (e->op == ScalarOp::And || e->op == ScalarOp::Or || e->op == ScalarOp::Not) {
      for (const Expr& arg : e->args) cutsOf(arg, var, cuts);
      return;
    }
    const bool equal = e->op == ScalarOp::Eq || e->op == ScalarOp::Ne;
    if (!equal && e->op != ScalarOp::Le && e->op != ScalarOp::Lt) return;
    if (e->args[0]->type != DType::I64) return;
    const auto difference = linearOf(e->args[1] - e->args[0]);
    if (!difference || difference->coefficients.size() != 1 ||
        difference->coefficients.begin()->first != var)
      return;
    const int64_t factor = difference->coefficients.begin()->second;
    if (factor == 0) return;
    const int64_t rest = difference->constant - (e->op == ScalarOp::Lt);
    if (equal) {
      if (rest % factor != 0) return;
      cuts.insert(-rest / factor);
      cuts.insert(-rest / factor + 1);
    } else if (factor > 0) {
      cuts.insert(ceilDivide(-rest, factor));  // the first that satisfies rest + factor * var >= 0
    } else {
      cuts.insert(ceilDivide(rest + 1, -factor));  // the first that does not
    }
  }

  // Whether an exit from the loop would have to leave later parts out, too.
  static bool isLeft(const Stmt& loop) {
    bool left = false;
    forEachStmt(loop.body, [&](const Stmt& stmt) {
      left |= stmt.kind == Stmt::Kind::Exit && stmt.var == loop.var;
    });
    return left;
  }

  static int sizeOf(const Block& block) {
    int size = 0;
    forEachStmt(block, [&](const Stmt& stmt) {
      ++size;
      forEachExpr(stmt, [&](const Expr& e) { forEachNode(e, [&](const ExprNode&) { ++size; }); });
    });
    return size;
  }

  Program& program_;
};

}  // namespace

void splitLoops(Program& program) { Splitter(program).visit(program.body); }

}  // namespace rlc::cpu
