#include "jit/cpu/hoist_conditions.h"

#include <algorithm>

#include "compiler/loops/guards.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

using Around = std::vector<const Stmt*>;

bool isInLanes(const Stmt& loop, const Around& around) {
  return loop.loop == Stmt::Loop::Sequential && loop.region < 0 &&
         std::any_of(
             around.begin(), around.end(),
             [](const Stmt* outer) { return outer->loop == Stmt::Loop::Lanes; });
}

// A loop that threads or lanes share, in no other such one.
bool isOutermost(const Stmt& loop, const Around& around) {
  return loop.loop != Stmt::Loop::Sequential &&
         std::all_of(around.begin(), around.end(),
                     [](const Stmt* outer) { return outer->loop == Stmt::Loop::Sequential; });
}

class Joining {
 public:
  void visit(Block& block) {
    for (StmtPtr& stmt : block) {
      const bool loop = stmt->kind == Stmt::Kind::For;
      if (loop) around_.push_back(stmt.get());
      visit(stmt->body);
      visit(stmt->otherwise);
      if (!loop) continue;
      around_.pop_back();
      if (isInLanes(*stmt, around_)) join(*stmt);
    }
  }

 private:
  // Whether a condition is the same throughout the loop: variables of loops around it alone say it.
  bool isSettledOutside(const Expr& condition) const {
    return isSaidBy(condition, [&](VarId var) {
      return std::any_of(around_.begin(), around_.end(),
                         [&](const Stmt* loop) { return loop->var == var; });
    });
  }

  // Neighbours in the loop under one condition that it does not change become one.
  void join(Stmt& loop) const {
    Block joined;
    for (StmtPtr& stmt : loop.body) {
      const bool same = !joined.empty() && isGuard(*stmt) && isGuard(*joined.back()) &&
                        isSettledOutside(stmt->value) &&
                        sameExpr(stmt->value, joined.back()->value);
      if (!same) {
        joined.push_back(std::move(stmt));
        continue;
      }
      for (StmtPtr& inner : stmt->body) joined.back()->body.push_back(std::move(inner));
    }
    loop.body = std::move(joined);
  }

  Around around_;
};

}  // namespace

void hoistConditions(Program& program) {
  loops::hoistGuards(program.body, {[](const Stmt& loop, const Around& around) {
                                      return isInLanes(loop, around) || isOutermost(loop, around);
                                    },
                                    [](const Stmt&) { return true; }});
  Joining().visit(program.body);
}

}  // namespace rlc::cpu
