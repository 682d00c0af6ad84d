// Conditions that statements do nothing without stand around them, once:
//   for k: { if c: a   if c && d: b }   becomes   if c: { for k: { a   if d: b } }
#pragma once

#include <functional>
#include <vector>

#include "compiler/loops/ir.h"

namespace rlc::loops {

// Conditions on `variables` alone that all of what the statements do depends on: each false one
// makes them do nothing.
std::vector<Expr> commonGuards(const std::vector<const Stmt*>& statements,
                               const std::vector<VarId>& variables);
std::vector<Expr> commonGuardsOf(const Block& block, const std::vector<VarId>& variables);

// Whether two statements are under conditions that never hold at once: 0 <= i - 1 and 0 <= -i.
bool excludeEachOther(const Stmt& a, const Stmt& b);

// Puts what a block has under the conditions.
void guardAll(Block& block, const std::vector<Expr>& guards);

// The statements where the conditions hold.
void dropGuards(Block& block, const std::vector<Expr>& held);

struct GuardHoisting {
  // Whether a loop's guards stand around it; `around`: the loops that it is in, outer ones first.
  std::function<bool(const Stmt& loop, const std::vector<const Stmt*>& around)> from;
  // Whether guards may be about a loop's variable.
  std::function<bool(const Stmt& loop)> about;
};
void hoistGuards(Block& block, const GuardHoisting& which);

}  // namespace rlc::loops
