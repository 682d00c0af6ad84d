// Copies of loop programs with variables replaced, and what is known about index expressions:
// ranges, equality.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "compiler/loops/expressions.h"
#include "compiler/loops/renaming.h"

namespace rlc::cpu {

using loops::Renaming;

// The statement without its blocks, under the renaming; what it defines keeps its name.
loops::StmtPtr copyHead(const loops::Stmt& stmt, Renaming& renaming);
// Deep copies; what they define gets new names, numbered from `variables`.
loops::StmtPtr copyStmt(const loops::Stmt& stmt, Renaming& renaming, int& variables);
loops::Block copyBlock(const loops::Block& block, Renaming& renaming, int& variables);
// Deep copies; what they define keeps its name.
loops::StmtPtr copyAlike(const loops::Stmt& stmt);
loops::StmtPtr copyAlike(const loops::Stmt& stmt, Renaming& renaming);
loops::Program copyHead(const loops::Program& program);  // without its statements
loops::Program copyProgram(const loops::Program& program);

// A statement from the source that `like` comes from.
loops::StmtPtr makeStmt(const loops::Stmt& like, loops::Stmt::Kind kind);
// A loop over `var`, from the source that `like` comes from.
loops::StmtPtr makeLoop(const loops::Stmt& like, loops::Stmt::Loop kind, loops::VarId var,
                        loops::Expr lo, loops::Expr hi);

// Puts statements behind others.
void append(loops::Block& to, loops::Block statements);
// Puts statements, at least one, in the place of the one at `at`. Where the last of them stands.
size_t putInPlace(loops::Block& block, size_t at, loops::Block statements);

struct Interval {
  int64_t lo, hi;  // inclusive
};
using Ranges = std::map<loops::VarId, Interval>;
std::optional<Interval> rangeOf(const loops::Expr& e, const Ranges& ranges);
void noteRange(const loops::Stmt& loop, Ranges& ranges);  // of its variable
// What is known where a condition holds: its parts 0 <= a i + b, of a variable i that has a range.
void narrowRanges(const loops::Expr& condition, Ranges& ranges);
// How often a loop runs in the middle of those around it, whose middles `middles` has, and that of
// its own variable from now on.
std::optional<int64_t> middleTrip(const loops::Stmt& loop, Ranges& middles);
// min and max of which one side is known to win are replaced by it.
loops::Expr settleExtremes(const loops::Expr& e, const Ranges& ranges);

// How far an index moves with a variable: its coefficient; 0 also where it is not linear in it.
int64_t stepOf(const loops::Expr& index, loops::VarId var);

using loops::Linear;
using loops::linearIn;
using loops::linearOf;
using loops::sameExpr;

}  // namespace rlc::cpu
