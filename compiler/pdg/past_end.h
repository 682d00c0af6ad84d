// Reads of one point of a tensor along an index that ends on a condition: they need a check that
// the point was reached.
#pragma once

#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

struct PastEndCheck {
  Read end;  // of the node with the value of end(dim), over the consumer's variables
  polyhedral::IndexExpr position;  // the point read, over the consumer's variables
  int64_t beyond = 0;              // the tensor has points up to end(dim) + beyond, exclusive
  polyhedral::Var dim;
};

// Consumers that run along the index themselves are not checked: what they compute past its end is
// never seen. Nor is what the end itself is decided by: that stays before the end by the rules of
// the language, and could not ask for it. `consumer`: the node that reads; -1: the host.
std::vector<PastEndCheck> pastEndChecks(const Graph& graph, NodeId consumer, const Read& read);

// What the host reads to show a sink's point: its leaves, its condition, and the ends that its
// leaves are checked against.
std::vector<Read> hostReads(const Graph& graph, const Sink& sink);

}  // namespace rlc::pdg
