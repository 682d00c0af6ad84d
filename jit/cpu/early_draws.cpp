#include "jit/cpu/early_draws.h"

#include <algorithm>
#include <functional>

#include "jit/cpu/scaled_draws.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

bool has(const Stmt& stmt, const std::function<bool(const ExprNode&)>& which) {
  bool found = false;
  forEachExpr(stmt, [&](const Expr& e) {
    forEachNode(e, [&](const ExprNode& node) { found |= which(node); });
  });
  return found;
}

bool loads(const Stmt& stmt, BufferId buffer) {
  return has(stmt, [&](const ExprNode& node) {
    return node.kind == ExprNode::Kind::Load && node.buffer == buffer;
  });
}

bool draws(const Stmt& stmt, uint64_t stream) {
  return has(stmt, [&](const ExprNode& node) {
    return node.kind == ExprNode::Kind::Random && node.stream == stream;
  });
}

bool isPrivate(const Program& program, BufferId buffer) {
  return program.buffers[static_cast<size_t>(buffer)].kind == Buffer::Kind::Private;
}

// Whether a statement may change its place: it computes something, without a draw, from what no
// other lane or buffer shares, at places that need no check.
bool isMovable(const Program& program, const Stmt& stmt) {
  const auto known = [&](BufferId buffer, const Expr& index) {
    return isPrivate(program, buffer) && constantOf(index);
  };
  if (stmt.kind == Stmt::Kind::Store ? !known(stmt.buffer, stmt.index)
                                     : stmt.kind != Stmt::Kind::Let)
    return false;
  return !has(stmt, [&](const ExprNode& node) {
    return node.kind == ExprNode::Kind::Random ||
           (node.kind == ExprNode::Kind::Load && !known(node.buffer, node.args[0]));
  });
}

// Whether a movable statement has to stay behind one that stands before it.
bool staysBehind(const Stmt& stmt, const Stmt& before) {
  if (stmt.kind == Stmt::Kind::Store && loads(before, stmt.buffer)) return true;
  switch (before.kind) {
    case Stmt::Kind::Let:
      return has(stmt, [&](const ExprNode& node) {
        return node.kind == ExprNode::Kind::Variable && node.var == before.var;
      });
    case Stmt::Kind::Store:
    case Stmt::Kind::Accumulate:
      return loads(stmt, before.buffer) ||
             (stmt.kind == Stmt::Kind::Store && stmt.buffer == before.buffer);
    case Stmt::Kind::Check:
      return false;
    default:
      return true;
  }
}

// `let v = select(over, draw, ...)` behind `let over = P`.
struct Choice {
  BufferId condition;
  Expr draw;
};
std::optional<Choice> choiceOf(const Program& program, const Stmt& loop, size_t at) {
  const Stmt& stmt = *loop.body[at];
  if (stmt.kind != Stmt::Kind::Let || stmt.value->kind != ExprNode::Kind::Op ||
      stmt.value->op != ScalarOp::Select || !scaledDraw(*stmt.value->args[1]))
    return std::nullopt;
  const ExprNode& over = *stmt.value->args[0];
  if (over.kind != ExprNode::Kind::Variable) return std::nullopt;
  for (size_t k = at; k-- > 0;) {
    const Stmt& let = *loop.body[k];
    if (let.kind != Stmt::Kind::Let || let.var != over.var) continue;
    if (let.value->kind != ExprNode::Kind::Load || let.value->type != DType::Bool ||
        !isPrivate(program, let.value->buffer))
      return std::nullopt;
    return Choice{let.value->buffer, stmt.value->args[1]};
  }
  return std::nullopt;
}

// Moves the statement at `decides`, and what it needs, to the front as far as they may go.
void advance(const Program& program, std::vector<const Stmt*>& order, size_t decides) {
  std::vector<size_t> needed{decides};
  for (size_t k = decides; k-- > 0;) {
    const bool wanted = std::ranges::any_of(
        needed, [&](size_t later) { return staysBehind(*order[later], *order[k]); });
    if (!wanted) continue;
    if (!isMovable(program, *order[k])) break;
    needed.push_back(k);
  }
  std::ranges::reverse(needed);
  for (size_t place : needed)
    for (; place > 0 && !staysBehind(*order[place], *order[place - 1]); --place)
      std::swap(order[place], order[place - 1]);
}

}  // namespace

std::optional<EarlyDraws> earlyDraws(const Program& program, const Stmt& loop) {
  std::optional<Choice> choice;
  std::optional<size_t> decides;
  for (size_t k = 0; k < loop.body.size(); ++k) {
    const Stmt& stmt = *loop.body[k];
    if (stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::If ||
        stmt.kind == Stmt::Kind::Exit)
      return std::nullopt;
    if (!choice) choice = choiceOf(program, loop, k);
    if (!choice || stmt.kind != Stmt::Kind::Store || stmt.buffer != choice->condition) continue;
    if (decides) return std::nullopt;
    decides = k;
  }
  if (!decides || !isMovable(program, *loop.body[*decides])) return std::nullopt;
  EarlyDraws result{choice->condition, choice->draw, scaledDraw(*choice->draw)->draw->stream, {}};
  // The words of this iteration are used by then.
  for (size_t k = *decides; k < loop.body.size(); ++k)
    if (draws(*loop.body[k], result.stream)) return std::nullopt;
  for (const StmtPtr& stmt : loop.body) result.order.push_back(stmt.get());
  advance(program, result.order, *decides);
  const auto stored = std::ranges::find(result.order, loop.body[*decides].get());
  for (auto later = stored; later != result.order.end(); ++later)
    if (draws(**later, result.stream)) return std::nullopt;
  return result;
}

}  // namespace rlc::cpu
