// What an equation keeps is read where it is kept:
//
//   m[i] = b * M[i] + g[i]    w[i+1] = w[i] - lr * m[i]      M[i+1] = m[i]
// becomes
//   m[i] = b * M[i] + g[i]    w[i+1] = w[i] - lr * M[i+1]    M[i+1] = m[i]
//
// so that m, which nothing else reads, is computed into the place of M's point: it has none of its
// own, and is not copied. For tensors of some size; a scalar's copy costs nothing.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void keptValues(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
