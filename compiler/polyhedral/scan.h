// Loop nests that visit the points of several statements in the order of their schedules (isl's AST
// generator).
#pragma once

#include <memory>
#include <vector>

#include "compiler/polyhedral/set.h"

namespace rlc::polyhedral {

// A statement's instances (over its own variables) and when each runs: one expression per time
// dimension, all statements the same number.
struct ScheduledStatement {
  int id = 0;
  Set domain;
  std::vector<IndexExpr> time;
};

struct ScanNode {
  enum class Kind { Block, For, If, Statement };
  Kind kind = Kind::Block;
  std::vector<std::unique_ptr<ScanNode>> children;  // Block: all; For: one; If: then [, else]
  // For: `var` runs from `lo` to `hi` exclusive by `step` (> 0). `timeDim`: which time dimension it
  // scans.
  Var var;
  IndexExpr lo, hi;
  int64_t step = 1;
  int timeDim = -1;
  Condition condition;  // If
  int statement = -1;   // Statement: id, and its own variables as expressions of the loop variables
  std::vector<IndexExpr> instance;
};

// `loopVars`: fresh variables, one per time dimension, that the loops bind.
std::unique_ptr<ScanNode> scan(Context& context, const std::vector<ScheduledStatement>& statements,
                               const std::vector<Var>& loopVars);

// isl's own scheduler, the fallback for dependences that shifts along one index can't order: for
// every statement its time expressions (same length for all, constants separate statements), or
// nothing if there is no valid schedule within the limits. A dependence is a relation over sink
// vars + source vars (disjoint variables): the sink's point runs after the source's.
struct Dependence {
  int sink = 0, source = 0;  // positions in `domains`
  Set relation;
  std::vector<Var> sinkVars, sourceVars;
};
struct IslSchedule {
  std::vector<std::vector<IndexExpr>> time;  // [statement][time dimension]
  std::vector<bool> parallel;                // [time dimension] coincident for all statements
  bool hurried = false;                      // any order: there was no time to find a good one
};
std::optional<IslSchedule> scheduleWithIsl(Context& context, const std::vector<Set>& domains,
                                           const std::vector<Dependence>& dependences);

}  // namespace rlc::polyhedral
