// Makes what asks whether a point lies before the end of an index (`index s in lo..hi until done`)
// follow the index.
//
// `s < end(s)`, as sinks and reductions have it, needs the end, so it waits for all of the range.
// The same is known at s already: no point before s was done. exists[lo] = true, exists[s+1] =
// exists[s] and not done[s] over lo..=hi says so one point after the other; the end itself becomes
// the first s at which exists[s+1] is false.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/pdg/graph.h"

namespace rlc::sema {

void followEnds(pdg::Graph& graph);

// Reports conditions that read what is there only if they do not hold yet. Before the above.
void checkConditions(const pdg::Graph& graph, diagnostics::DiagnosticSink& sink);

}  // namespace rlc::sema
