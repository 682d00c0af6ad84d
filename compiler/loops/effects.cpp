#include "compiler/loops/effects.h"

#include <algorithm>

#include "compiler/loops/expressions.h"

namespace rlc::loops {

namespace {

void collect(const Expr& e, Effects& effects) {
  if (!e) return;
  forEachNode(e, [&](const ExprNode& node) {
    if (node.kind == ExprNode::Kind::Load) effects.reads.insert(node.buffer);
    if (node.kind == ExprNode::Kind::Variable) effects.uses.insert(node.var);
  });
}

void collect(const Stmt& stmt, Effects& effects) {
  for (const Expr* e : {&stmt.lo, &stmt.hi, &stmt.value, &stmt.index}) collect(*e, effects);
  for (const Expr& arg : stmt.args) collect(arg, effects);
  for (const auto& place : stmt.places) {  // any of them may be the one that it writes
    effects.reads.insert(place.buffer);
    effects.writes.insert(place.buffer);
    collect(place.index, effects);
  }
  for (const auto& reduction : stmt.reductions) {
    if (reduction.buffer >= 0) effects.writes.insert(reduction.buffer);
    if (reduction.local >= 0) effects.binds.insert(reduction.local);
  }
  if (stmt.kind == Stmt::Kind::Store || stmt.kind == Stmt::Kind::Accumulate)
    effects.writes.insert(stmt.buffer);
  if (binds(stmt) || stmt.kind == Stmt::Kind::For) effects.binds.insert(stmt.var);
  effects.barrier |= stmt.kind == Stmt::Kind::Exit || stmt.kind == Stmt::Kind::Emit;
  for (const Block* block : {&stmt.body, &stmt.otherwise})
    for (const StmtPtr& inner : *block) collect(*inner, effects);
}

template <typename Id>
bool disjoint(const std::set<Id>& a, const std::set<Id>& b) {
  return std::none_of(a.begin(), a.end(), [&](Id id) { return b.contains(id); });
}

}  // namespace

void include(Effects& effects, const Effects& other) {
  effects.reads.insert(other.reads.begin(), other.reads.end());
  effects.writes.insert(other.writes.begin(), other.writes.end());
  effects.uses.insert(other.uses.begin(), other.uses.end());
  effects.binds.insert(other.binds.begin(), other.binds.end());
  effects.barrier |= other.barrier;
}

Effects effectsOf(const Stmt& stmt) {
  Effects effects;
  collect(stmt, effects);
  return effects;
}

bool commute(const Effects& a, const Effects& b) {
  return !a.barrier && !b.barrier && disjoint(a.writes, b.reads) && disjoint(a.writes, b.writes) &&
         disjoint(a.reads, b.writes) && disjoint(a.binds, b.uses) && disjoint(a.binds, b.binds) &&
         disjoint(a.uses, b.binds);
}

}  // namespace rlc::loops
