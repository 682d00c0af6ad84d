#include "jit/cpu/kept_factors.h"

#include <algorithm>

#include "jit/cpu/rewrite.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestTurns = 8;  // of the loop
constexpr size_t kMostWriters = 4;   // of a buffer in it

// Whether a statement is in the body of another one, not behind its `else`.
bool isIn(const Stmt& around, const Stmt* stmt) {
  return std::any_of(around.body.begin(), around.body.end(),
                     [&](const StmtPtr& inner) { return inner.get() == stmt; });
}

bool isAmong(const Expr& e, const std::vector<Expr>& some) {
  return std::any_of(some.begin(), some.end(),
                     [&](const Expr& other) { return sameExpr(e, other); });
}

// Whether conditions hold in one iteration at most.
bool isOnce(const std::vector<Expr>& conditions, VarId var) {
  return std::any_of(conditions.begin(), conditions.end(), [&](const Expr& e) {
    return e->kind == ExprNode::Kind::Op && e->op == ScalarOp::Eq && constantOf(e->args[1]) &&
           stepOf(e->args[0], var) != 0;
  });
}

struct Writer {
  const Stmt* stmt;
  std::vector<Expr> conditions;  // around it
};

class Writers {
 public:
  Writers(StatementEffects& effects, BufferId buffer) : effects_(effects), buffer_(buffer) {}

  // False: one of them stands in an alternative, or writes the bytes under another name.
  bool add(const Block& block) {
    return std::all_of(block.begin(), block.end(), [&](const StmtPtr& stmt) { return add(*stmt); });
  }

  const std::vector<Writer>& all() const { return writers_; }

 private:
  bool add(const Stmt& stmt) {
    if (!effects_.writes(stmt, buffer_)) return true;
    if (stmt.kind != Stmt::Kind::If) {
      writers_.push_back({&stmt, conditions_});
      return effects_.writesByName(stmt, buffer_);
    }
    if (std::any_of(stmt.otherwise.begin(), stmt.otherwise.end(),
                    [&](const StmtPtr& inner) { return effects_.writes(*inner, buffer_); }))
      return false;
    conditions_.push_back(stmt.value);
    const bool added = add(stmt.body);
    conditions_.pop_back();
    return added;
  }

  StatementEffects& effects_;
  const BufferId buffer_;
  std::vector<Writer> writers_;
  std::vector<Expr> conditions_;  // around the block at hand
};

// How many statements of a path stand around one of it, up to the innermost loop around; 0: none.
size_t inLoop(const Path& path, size_t front) {
  while (front > 0 && path[front - 1]->kind == Stmt::Kind::If &&
         isIn(*path[front - 1], path[front]))
    --front;
  if (front == 0) return 0;
  const Stmt& loop = *path[front - 1];
  const bool turns = loop.kind == Stmt::Kind::For && loop.loop == Stmt::Loop::Sequential &&
                     tripCount(loop).value_or(kFewestTurns) >= kFewestTurns;
  return turns ? front : 0;
}

}  // namespace

std::optional<Keeper> keeperOf(StatementEffects& effects, const Path& path, size_t front,
                               BufferId buffer, const Expr& outer) {
  const size_t inside = inLoop(path, front);
  if (inside == 0) return std::nullopt;
  const Stmt& loop = *path[inside - 1];
  const loops::Effects& of = effects.of(loop);
  Writers writers(effects, buffer);
  if (mentionsAny(outer, [&](VarId var) { return of.binds.contains(var); }) ||
      !writers.add(loop.body) || writers.all().size() > kMostWriters)
    return std::nullopt;
  const std::vector<Expr> used = conditionsOn(effects, path, inside, front);
  Keeper keeper{&loop, {}};
  bool often = false;
  for (const Writer& writer : writers.all()) {
    const bool asOften = std::all_of(used.begin(), used.end(), [&](const Expr& condition) {
      return isAmong(condition, writer.conditions);
    });
    if (!asOften && !isOnce(writer.conditions, loop.var)) return std::nullopt;
    often |= asOften;
    keeper.writers.push_back(writer.stmt);
  }
  return often ? std::optional(std::move(keeper)) : std::nullopt;
}

std::vector<Expr> conditionsOn(StatementEffects& effects, const Path& path, size_t from,
                               size_t front) {
  const loops::Effects& inside = effects.of(*path[front]);
  std::vector<Expr> conditions;
  for (size_t i = path.size() - 1; i-- > from;) {
    const Stmt& around = *path[i];
    if (around.kind != Stmt::Kind::If || !isIn(around, path[i + 1])) continue;
    bool known = true;
    forEachNode(around.value, [&](const ExprNode& node) {
      known &= node.buffer < 0 && node.kind != ExprNode::Kind::Random &&
               (node.kind != ExprNode::Kind::Variable || !inside.binds.contains(node.var));
    });
    if (known) conditions.push_back(around.value);
  }
  return conditions;
}

}  // namespace rlc::cpu
