// Gradients that are zero although the loss depends on what it is differentiated by: worth a word.
#pragma once

#include "compiler/autodiff/paths.h"
#include "compiler/diagnostics/diagnostic.h"

namespace rlc::autodiff {

// Warns where every path from the loss to the target goes through a draw, an integer or a
// condition. Paths through `detach` are cut on purpose and don't count.
void warnOfCutPaths(const Graph& graph, const Group& group, const Paths& paths,
                    diagnostics::DiagnosticSink& sink);

}  // namespace rlc::autodiff
