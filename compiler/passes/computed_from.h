// Which tensors another is computed from, equation by equation.
#pragma once

#include <set>

#include "compiler/pdg/graph.h"

namespace rlc::passes {

// Whether the tensor is one of `nodes` or computed from one, by equations of one iteration of the
// loops over `around`: what an earlier iteration has made is there. Of a producer with several
// equations only those count that make points which are read. May throw OperationLimit.
bool isComputedFrom(const pdg::Graph& graph, pdg::NodeId tensor, const std::set<pdg::NodeId>& nodes,
                    const std::set<pdg::Var>& around);

}  // namespace rlc::passes
