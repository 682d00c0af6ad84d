// Which earlier (or later) point of itself a tensor depends on, as its author would say it: what
// keeps an index from being computed at all of its points at once.
#pragma once

#include <string>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

struct Recurrence {
  NodeId node = -1;
  std::string name;             // its own, or that of the tensor that it was made for
  Var along;                    // the dim whose position differs
  std::vector<NodeId> through;  // the named tensors on the way back to `node`, in the order of the
                                // reads; without `node`
  Span span;  // of the equation that closes the cycle, where it stands in the tensor's own file
  std::string
      reads;  // "`G[t]` reads `G[t + 1]`"; with tensors on the way: "..., through `δ` and `v`"
};

// For each tensor on a cycle of reads, and each of its dims along which such a cycle moves, a
// shortest through one of its equations: one entry.
std::vector<Recurrence> recurrences(const Graph& graph);

// The part of a name that its leaves share: "θ" of "θ.net.layers.0.W", "∂loss/∂θ" of
// "∂loss/∂θ.net.c".
std::string rootName(const std::string& name);

}  // namespace rlc::pdg
