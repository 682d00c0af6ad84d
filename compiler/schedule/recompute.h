// A tensor that is kept only because loops behind the one that computes it read it, too: where an
// element costs little, those loops compute it again, and then a step's worth of it is enough, in
// either loop. For memory at the price of arithmetic (rematerialization: Griewank and Walther 2000,
// Chen et al. 2016); the copy is the same operation on the same inputs and draws.
#pragma once

#include "compiler/schedule/tree.h"

namespace rlc::schedule {

// Tensors that have readers inside of the loops that compute them and others behind those.
std::vector<NodeId> recomputable(const Graph& graph, const Statements& statements,
                                 const Schedule& schedule);

// Readers behind the loops read a copy of their own of one of those nodes; returns the copy. The
// copy reads those of other nodes in `copies`, where all copies are noted, too.
NodeId recomputeWhereRead(Graph& graph, const Statements& statements, const Schedule& schedule,
                          NodeId node, std::map<NodeId, NodeId>& copies);

// Whether the node's sums are added up in order, in whichever loop it is computed: not by lanes.
bool addsUpInOrder(const Graph& graph, const Statements& statements, const Schedule& schedule,
                   NodeId node);

}  // namespace rlc::schedule
