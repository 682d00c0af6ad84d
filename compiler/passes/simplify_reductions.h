// A reduction over a range that moves with an index, computed anew at each point, becomes a
// recurrence along that index (Gautam and Rajopadhye, "Simplifying reductions", POPL 2006):
//
//   G[t] = sum(c^(k - t) * r[k] for k in t..T)   is   G[t] = r[t] + c * G[t + 1],  G[T - 1] = r[T -
//   1]
//
// Sums, products, max, min, all and any of growing ranges (k in t..T, k in 0..t); windows only
// where what leaves can be taken away exactly: sums of integers. Floats accumulate in f64, as a
// reduction does. After common-subexpressions, so that a shared reduction is transformed once.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void simplifyReductions(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
