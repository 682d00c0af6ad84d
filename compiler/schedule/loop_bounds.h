// Bounds of a loop that visits several domains.
#pragma once

#include <vector>

#include "compiler/polyhedral/set.h"

namespace rlc::schedule {

using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

struct LoopBounds {
  IndexExpr lo, hi;  // hi exclusive
};

// Bounds of `var`, the last variable of each domain, over the variables before it, that include
// every domain (they may include more).
LoopBounds boundsOver(const std::vector<Set>& domains, Var var);

}  // namespace rlc::schedule
