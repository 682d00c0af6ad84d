#include "jit/cpu/hoist_conditions.h"

#include <set>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

bool isGuard(const Stmt& stmt) {
  return stmt.kind == Stmt::Kind::If && stmt.otherwise.empty() && stmt.region < 0 && stmt.root < 0;
}

class Hoister {
 public:
  void visit(Block& block, bool inLanes) {
    for (StmtPtr& stmt : block) {
      const bool loop = stmt->kind == Stmt::Kind::For;
      if (loop) loops_.insert(stmt->var);
      visit(stmt->body, inLanes || (loop && stmt->loop == Stmt::Loop::Lanes));
      visit(stmt->otherwise, inLanes);
      if (inLanes && loop && stmt->loop == Stmt::Loop::Sequential && stmt->region < 0)
        hoistFrom(stmt);
    }
  }

 private:
  // Whether a condition is the same throughout the loop: variables of loops around it alone say it.
  bool isSettledOutside(const Expr& condition, const Stmt& loop) const {
    bool settled = !mentions(condition, loop.var);
    forEachNode(condition, [&](const ExprNode& node) {
      settled &= node.kind == ExprNode::Kind::Literal || node.kind == ExprNode::Kind::Op ||
                 (node.kind == ExprNode::Kind::Variable && loops_.contains(node.var));
    });
    return settled;
  }

  void hoistFrom(StmtPtr& loop) const {
    join(*loop);
    if (loop->body.size() != 1 || !isGuard(*loop->body[0]) ||
        !isSettledOutside(loop->body[0]->value, *loop))
      return;
    StmtPtr guard = std::move(loop->body[0]);
    loop->body = std::move(guard->body);
    guard->body.clear();
    guard->body.push_back(std::move(loop));
    loop = std::move(guard);
  }

  // Neighbours in the loop under one condition that it does not change become one.
  void join(Stmt& loop) const {
    Block joined;
    for (StmtPtr& stmt : loop.body) {
      const bool same = !joined.empty() && isGuard(*stmt) && isGuard(*joined.back()) &&
                        isSettledOutside(stmt->value, loop) &&
                        sameExpr(stmt->value, joined.back()->value);
      if (!same) {
        joined.push_back(std::move(stmt));
        continue;
      }
      for (StmtPtr& inner : stmt->body) joined.back()->body.push_back(std::move(inner));
    }
    loop.body = std::move(joined);
  }

  std::set<VarId> loops_;
};

}  // namespace

void hoistConditions(Program& program) { Hoister().visit(program.body, false); }

}  // namespace rlc::cpu
