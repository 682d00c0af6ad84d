// One reduction as a recurrence along one dim: G[x] from G[neighbour of x], the element that enters
// the range and, for sums of integers, the one that leaves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/passes/rewrite.h"

namespace rlc::passes {

// How two results of the kind are combined; nothing for positions.
std::optional<ScalarOp> combination(pdg::ReduceKind kind);

struct MovingReduction {
  // The reduction with one bound variable, whose range moves; its domain is over the dims, then the
  // bound variable. Its reads may mention the other bound variables, over the same range
  // everywhere.
  Node work;
  std::vector<Var> others;
  pdg::Set othersRange;  // over them
  bool mayLose = true;   // what has left the range is known at the point
};

struct RecurrenceResult {
  int step = 0;     // -1: from the point before; 1: from the next; 0: it cannot be done
  std::string why;  // not
};

// Replaces node `id` by a recurrence along `along`. Throws polyhedral::OperationLimit, with nodes
// made that nothing reads.
RecurrenceResult makeRecurrence(Graph& graph, ConstantPool& pool, NodeId id,
                                MovingReduction reduction, Var along);

}  // namespace rlc::passes
