// Gradients that are zero although the loss depends on what it is differentiated by: worth a word.
#pragma once

#include "compiler/autodiff/paths.h"
#include "compiler/diagnostics/diagnostic.h"

namespace rlc::autodiff {

// Warns where every path from the loss to the target goes through a draw, an integer, a condition
// or rounding. Paths through `detach` are cut on purpose and don't count; a record is expected to
// reach some of its leaves through draws only, as a critic's loss reaches an actor.
void warnOfCutPaths(const Graph& graph, const Group& group, const Paths& paths,
                    diagnostics::DiagnosticSink& sink);

}  // namespace rlc::autodiff
