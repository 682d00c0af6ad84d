// What the host reads to show a sink's point; of a tensor at one point of an index that ends on a
// condition, it checks that the index got so far. What nodes read is checked by pdg::PastEnd.
#pragma once

#include <optional>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

// Where the end of what is read stands, for a reader with the variables `scope`. None: what is the
// same for all of the dims that the end runs over ends at none of them.
std::optional<std::vector<polyhedral::IndexExpr>> endPoint(const Graph& graph, const Read& read,
                                                           NodeId end,
                                                           const std::vector<Var>& scope);

struct PastEndCheck {
  Read end;                        // of the node with the value of end(dim), over the sink's dims
  polyhedral::IndexExpr position;  // the point read, over the sink's dims
  int64_t beyond = 0;              // the tensor has points up to end(dim) + beyond, exclusive
  polyhedral::Var dim;
};

// Leaves along the index itself are not checked: a sink shows what lies before its end.
std::vector<PastEndCheck> pastEndChecks(const Graph& graph, const Read& leaf);

// What the host reads to show a sink's point: its leaves, its condition, and the ends that its
// leaves are checked against.
std::vector<Read> hostReads(const Graph& graph, const Sink& sink);

}  // namespace rlc::pdg
