// Why a computation was not shared: what does the same on the same tensors, but at other points of
// them, as a loss does after the first update of what its rollout was computed with.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/passes/rewrite.h"

namespace rlc::passes {

// Says for sums, which cost the most, of two tensors that do the same where their reads part.
void noteNearEqual(const Graph& graph, Notes& notes);

}  // namespace rlc::passes
