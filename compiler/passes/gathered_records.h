// Tensors that are read together at points that data say lie together:
//
//   f(x[j[m]], y[j[m]], z[j[m]]) becomes f(r[j[m]][0], r[j[m]][1], r[j[m]][2])
//   r[t] = (x[t], y[t], z[t])
//
// so that a sample of a shuffled minibatch, its observation, advantage and so on, is a line of the
// cache in place of one for each tensor (an array of structures). For small values that are read
// more often than they are computed.
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void gatheredRecords(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
