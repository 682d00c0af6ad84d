// Unroll and jam: a few iterations of a loop over outputs run side by side through the loops
// inside, so that a thread loads what they share once and has several sums to add to (register
// tiling of a contraction).
#include <algorithm>

#include "jit/cpu/walk.h"
#include "jit/gpu/generator.h"

namespace rlc::gpu {

namespace {

// What a statement and all in it read and write.
struct Effects {
  std::set<BufferId> loaded, stored;
  std::set<VarId> read, assigned, defined;
  bool shared = false;  // reads elements that are the same for all iterations

  void add(const Stmt& s, VarId iteration) {
    cpu::forEachExpr(s, [&](const Expr& e) {
      cpu::forEachNode(e, [&](const ExprNode& node) {
        if (node.kind == ExprNode::Kind::Variable) read.insert(node.var);
        if (node.kind != ExprNode::Kind::Load) return;
        loaded.insert(node.buffer);
        shared |= !cpu::mentions(node.args[0], iteration);
      });
    });
    if (s.kind == Stmt::Kind::Store || s.kind == Stmt::Kind::Accumulate) stored.insert(s.buffer);
    if (s.kind == Stmt::Kind::Assign) assigned.insert(s.var);
    if (s.kind == Stmt::Kind::Let || s.kind == Stmt::Kind::Declare || s.kind == Stmt::Kind::For)
      defined.insert(s.var);
    for (const Block* block : {&s.body, &s.otherwise})
      for (const auto& inner : *block) add(*inner, iteration);
  }
};

bool isDefinition(const Stmt& s) {
  return s.kind == Stmt::Kind::Let || s.kind == Stmt::Kind::Declare;
}
bool isLoop(const loops::StmtPtr& s) { return s->kind == Stmt::Kind::For; }

}  // namespace

// Loops whose bounds are the same for all iterations of the outer one, around assignments of
// locals.
bool Generator::canJam(const Stmt& stmt, const std::set<VarId>& own) const {
  if (stmt.kind == Stmt::Kind::Assign || isDefinition(stmt)) return true;
  if (stmt.kind != Stmt::Kind::For || stmt.loop != Stmt::Loop::Sequential || stmt.rootLoop ||
      stmt.root >= 0)
    return false;
  for (const Expr* bound : {&stmt.lo, &stmt.hi})
    if (std::any_of(own.begin(), own.end(), [&](VarId var) { return cpu::mentions(*bound, var); }))
      return false;
  return std::all_of(stmt.body.begin(), stmt.body.end(),
                     [&](const auto& s) { return canJam(*s, own); });
}

// How many iterations of the loop can run side by side; 1 where none can, or nothing is gained.
int64_t Generator::jamWidth(const Stmt& loop) const {
  const auto trip = cpu::tripCount(loop);
  if (loop.loop != Stmt::Loop::Sequential || loop.descending || loop.rootLoop || whole_ || !trip ||
      !cpu::constantOf(loop.lo))
    return 1;
  // Definitions, loops, then what uses the results.
  const auto begin = loop.body.begin(), end = loop.body.end();
  const auto first = std::find_if(begin, end, isLoop), last = std::find_if_not(first, end, isLoop);
  if (first == end) return 1;
  Effects before, after;
  for (auto s = begin; s != last; ++s) before.add(**s, loop.var);
  for (auto s = last; s != end; ++s) after.add(**s, loop.var);
  std::set<VarId> own = before.defined;
  own.insert(loop.var);
  if (!before.shared || !before.stored.empty() ||
      !std::all_of(begin, first, [](const auto& s) { return isDefinition(*s); }) ||
      !std::all_of(first, last, [&](const auto& s) { return canJam(*s, own); }))
    return 1;
  // Later iterations' sums run before earlier iterations' results are used.
  for (BufferId stored : after.stored)
    for (BufferId loaded : before.loaded)
      if (cpu::mayOverlap(program_, stored, loaded)) return 1;
  for (VarId assigned : before.assigned)
    if (before.defined.count(assigned) == 0) return 1;
  for (VarId assigned : after.assigned)
    if (before.read.count(assigned) != 0 && before.defined.count(assigned) == 0) return 1;
  const auto simple = [](const auto& s) {
    return isDefinition(*s) || s->kind == Stmt::Kind::Assign || s->kind == Stmt::Kind::Store ||
           s->kind == Stmt::Kind::Accumulate;
  };
  if (!std::all_of(last, end, simple)) return 1;
  own.insert(after.defined.begin(), after.defined.end());
  own.erase(loop.var);
  if (std::any_of(own.begin(), own.end(),
                  [&](VarId var) { return variable(var).home != Variable::Home::Local; }))
    return 1;
  for (const int64_t width : {8, 4, 2})
    if (*trip % width == 0) return width;
  return 1;
}

bool Generator::jam(const Stmt& loop) {
  const int64_t width = jamWidth(loop);
  if (width == 1) return false;
  std::set<VarId> locals;
  cpu::forEachStmt(loop.body, [&](const Stmt& s) {
    if (isDefinition(s)) locals.insert(s.var);
  });
  const auto outer = partial_;
  const auto iteration = [&](int64_t k) {
    for (VarId var : locals) partial_[var] = "v" + std::to_string(var) + "_" + std::to_string(k);
    if (k > 0)
      partial_[loop.var] = "(v" + std::to_string(loop.var) + " + " + std::to_string(k) + ")";
  };
  const std::function<void(const Stmt&)> sideBySide = [&](const Stmt& s) {
    if (s.kind == Stmt::Kind::For) {
      openFor(s);
      for (const auto& inner : s.body) sideBySide(*inner);
      return close();
    }
    for (int64_t k = 0; k < width; ++k) {
      iteration(k);
      plain(s);
      partial_ = outer;
    }
  };
  beginStatement(loop);
  const std::string v = variableName(loop.var);
  line("#pragma unroll 1");
  open("for (" + counterType(loop.var) + " " + v + " = " + expr(loop.lo) + "; " + v + " < " +
       expr(loop.hi) + "; " + v + " += " + std::to_string(width) + ")");
  const auto results =
      loop.body.begin() +
      (std::find_if(loop.body.rbegin(), loop.body.rend(), isLoop).base() - loop.body.begin());
  for (auto s = loop.body.begin(); s != results; ++s) sideBySide(**s);
  for (int64_t k = 0; k < width; ++k) {
    iteration(k);
    for (auto s = results; s != loop.body.end(); ++s) plain(**s);
    partial_ = outer;
  }
  close();
  return true;
}

}  // namespace rlc::gpu
