// Which reductions the lanes of a register share: the schedule estimates with the rule that
// lowering follows.
#pragma once

#include "compiler/pdg/graph.h"

namespace rlc::schedule {

using polyhedral::IndexExpr;
using polyhedral::Set;

// Whether the points of a range of this length are shared out among lanes; a length that differs
// from point to point counts as its longest over `where`.
bool isLongRange(const IndexExpr& length, const Set& where);

// Whether a reduction's points may be taken in any order, with a part of the result in each lane:
// not those of one that asks where something is.
bool combinesInAnyOrder(pdg::ReduceKind kind);

}  // namespace rlc::schedule
