// Where numbers that a loop changes are rounded for its sums: in front of the loop, and behind what
// changes them, by the thread that has them in its caches; not in front of each sum.
//   for u: rounded = factor(W); sums with rounded; W = ...
// becomes
//   rounded = factor(W)
//   for u: sums with rounded; W = ...; rounded = factor(W)
// so that sums of one iteration and of the next share what is rounded.
#pragma once

#include <optional>
#include <vector>

#include "jit/cpu/statement_effects.h"

namespace rlc::cpu {

using Path = std::vector<Stmt*>;  // from the outermost statement to an inner one

struct Keeper {
  const Stmt* loop;
  std::vector<const Stmt*> writers;  // of the numbers, in the loop
};

// The innermost loop around the statement `front` of a path, if it writes the buffer's numbers and
// these are used at the end of the path as often as they are written. `outer`: where they begin.
std::optional<Keeper> keeperOf(StatementEffects& effects, const Path& path, size_t front,
                               BufferId buffer, const Expr& outer);

// The conditions around the end of a path, from its statement `from` on, that are known in front of
// the statement `front`; innermost first.
std::vector<Expr> conditionsOn(StatementEffects& effects, const Path& path, size_t from,
                               size_t front);

}  // namespace rlc::cpu
