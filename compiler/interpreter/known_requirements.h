// Requirements that are known to fail before a program runs: those of values that hold at no index
// and come of constants alone, however many equations lie between, where what is shown needs them
// whatever the data are. Sema tells the ones that it sees where they are written.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/pdg/graph.h"

namespace rlc::interpreter {

// Reports each as an error at the place that the program's fault would name.
void checkKnownRequirements(const pdg::Graph& graph, diagnostics::DiagnosticSink& sink);

}  // namespace rlc::interpreter
