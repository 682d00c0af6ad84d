// Gradients as equations: reverse-mode differentiation of the dependence graph.
//
// For a loss L, read at lossAt(d), each node n between it and what is differentiated gets an
// adjoint over its own dims, its elements and those variables of the loss that its dims do not
// determine: adj_n(p; q) = d L[p] / d n[q]. It is the sum over the reads of n: a read at `at(v)` by
// a consumer c adds adj_c(v) * (local derivative) to every q = at(v). The reads are inverted as
// polyhedral relations: a shift becomes the opposite shift, a slice a piece with zeros around, a
// broadcast a sum, a range with variable bounds a sum over the inverse range, a gather a scatter.
// What comes out is ordinary nodes, so gradients of gradients need nothing more.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/pdg/graph.h"

namespace rlc::autodiff {

// Replaces every Grad node of the graph. A gradient that would have to be differentiated by itself
// without end is reported.
void expandGradients(pdg::Graph& graph, diagnostics::DiagnosticSink& sink);

// For graphs that have been checked: throws InternalError where the other reports.
void expandGradients(pdg::Graph& graph);

}  // namespace rlc::autodiff
