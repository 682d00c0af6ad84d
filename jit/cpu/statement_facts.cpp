#include "jit/cpu/statement_facts.h"

#include <algorithm>

namespace rlc::cpu {

const StatementFacts::Facts& StatementFacts::of(const Stmt& stmt) {
  const auto known = facts_.find(&stmt);
  if (known != facts_.end()) return known->second;
  Facts& facts = facts_[&stmt];
  const auto differs = [&](VarId var) { return facts.differing.contains(var); };
  const auto note = [&](const Stmt& inner) {
    if (inner.kind == Stmt::Kind::For) {
      facts.bound.insert(inner.var);
      if (mentionsAny(inner.lo, differs) || mentionsAny(inner.hi, differs))
        facts.differing.insert(inner.var);
    }
    if (binds(inner)) {
      facts.bound.insert(inner.var);
      facts.differing.insert(inner.var);
    }
    for (const auto& reduction : inner.reductions)
      if (reduction.buffer >= 0) facts.written.insert(reduction.buffer);
    if (inner.kind == Stmt::Kind::Store || inner.kind == Stmt::Kind::Accumulate)
      facts.written.insert(inner.buffer);
    for (const Stmt::Place& place : inner.places) facts.written.insert(place.buffer);
  };
  if (stmt.kind == Stmt::Kind::For) facts.differing.insert(stmt.var);
  note(stmt);
  forEachStmt(stmt.body, note);
  forEachStmt(stmt.otherwise, note);
  return facts;
}

bool StatementFacts::writes(const Stmt& stmt, BufferId buffer) {
  const Facts& facts = of(stmt);
  return std::any_of(facts.written.begin(), facts.written.end(),
                     [&](BufferId written) { return mayOverlap(program_, written, buffer); });
}

bool StatementFacts::writesByName(const Stmt& stmt, BufferId buffer) {
  const Facts& facts = of(stmt);
  return std::all_of(facts.written.begin(), facts.written.end(), [&](BufferId written) {
    return written == buffer || !mayOverlap(program_, written, buffer);
  });
}

}  // namespace rlc::cpu
