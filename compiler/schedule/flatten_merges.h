// Splits an equation whose right side is itself a choice between index ranges into an equation for
// each range, so that each becomes a statement of its own: `x[t] = if t % 2 == 1 then x[t-2] else
// x[t+1]` has no order as one statement, but has one as two.
#pragma once

#include "compiler/pdg/graph.h"

namespace rlc::schedule {

void flattenMerges(pdg::Graph& graph);

}  // namespace rlc::schedule
