// A node whose value is the same along one of its dims leaves that dim, and so do the nodes that
// vary along it only by reading such nodes, recurrences included. Draws keep all: their coordinates
// are part of the value. After simplify, which lets reads reach what varies; before
// common-subexpressions (equal values then have equal dims) and simplify-reductions (factors that
// do not vary with the range can be told).
#pragma once

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

void domainReduction(pdg::Graph& graph, Notes& notes);

}  // namespace rlc::passes
