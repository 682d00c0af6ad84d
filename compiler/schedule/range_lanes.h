// Which ranges the lanes of a register share: the schedule estimates with the rule that lowering
// follows.
#pragma once

#include "compiler/polyhedral/set.h"

namespace rlc::schedule {

using polyhedral::IndexExpr;
using polyhedral::Set;

// Whether the points of a range of this length are shared out among lanes; a length that differs
// from point to point counts as its longest over `where`.
bool isLongRange(const IndexExpr& length, const Set& where);

}  // namespace rlc::schedule
