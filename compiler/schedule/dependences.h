// Which statement instance must run before which.
#pragma once

#include "compiler/schedule/statements.h"

namespace rlc::schedule {

// Points from the writer (`source`) to the reader (`sink`): for every point of `relation` (the
// sink's variables, then the source's, renamed), the source's instance runs before the sink's.
struct Dependence {
  int source = 0, sink = 0;  // statement numbers
  Set relation;
  std::vector<Var> sourceVars;  // how relation names the source statement's vars, in their order
  // For each source variable, the sink's variable plus a constant that it always equals, where the
  // subscript is of that form.
  std::vector<std::optional<IndexExpr::Shifted>> shifts;
  bool orders = false;  // Init before Update of one node: no value is read
};

std::vector<Dependence> findDependences(const Graph& graph, const Statements& statements);

}  // namespace rlc::schedule
