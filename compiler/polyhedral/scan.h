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

// A relation over sink vars + source vars (disjoint variables): the sink's point runs after the
// source's.
struct Dependence {
  int sink = 0, source = 0;  // positions in `domains`
  Set relation;
  std::vector<Var> sinkVars, sourceVars;
};
// For every statement its time expressions, the same number for all; constants separate statements.
using Times = std::vector<std::vector<IndexExpr>>;  // [statement][time dimension]

struct IslSchedule {
  Times time;
  std::vector<bool> parallel;  // [time dimension] coincident for all statements
};
struct IslSearch {
  std::optional<IslSchedule> schedule;
  bool outOfBudget = false;  // why there is none; else none is valid, or none can be expressed
};

// isl's own scheduler, for dependences that shifts along one index can't order. `Good`: parallel
// and near reuse where possible. `Any`: level by level (Feautrier 1992), each a small linear
// program.
enum class Effort : uint8_t { Good, Any };
IslSearch scheduleWithIsl(Context& context, const std::vector<Set>& domains,
                          const std::vector<Dependence>& dependences, Effort effort);

}  // namespace rlc::polyhedral
