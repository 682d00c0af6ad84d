// The schedule: a tree of loops over shared loop variables with statement instances at its leaves.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/polyhedral/scan.h"
#include "compiler/schedule/dependences.h"
#include "compiler/schedule/statements.h"

namespace rlc::schedule {

struct ScheduleNode;
using ScheduleNodePtr = std::unique_ptr<ScheduleNode>;

struct ScheduleNode {
  enum class Kind : uint8_t {
    Loop,       // children in order, for each value of `loopVar`
    Statement,  // one instance of `statement`
    Scan,       // loops of isl's making, around statements that no single index orders
  };
  Kind kind = Kind::Statement;
  int statement = -1;

  Var loopVar;       // fresh; bound by this loop
  std::string name;  // of the index that it runs over
  bool descending = false;
  bool parallel = false;  // no iteration reads what another one writes (accumulations aside)
  enum class Execution : uint8_t {
    Sequential,
    Threads,       // iterations spread over threads
    Lanes,         // iterations are SIMD lanes
    ThreadedLanes  // blocks of lanes spread over threads
  };
  Execution execution = Execution::Sequential;
  IndexExpr lo, hi;  // over the loop variables outside; hi exclusive
  std::vector<ScheduleNodePtr> children;

  // Scan: its Statement nodes give each statement's unscheduled variables (Placed::domain's, behind
  // the loop variables around), over variables that the scan's own loops bind. Instances outside of
  // Placed::domain don't run.
  std::unique_ptr<polyhedral::ScanNode> scan;
  std::vector<int> statements;
  enum class Order : uint8_t {
    Good,       // by isl: parallel and near reuse where possible
    Wavefront,  // along a weighted sum of the indices
    Any,        // by isl, and as good as it happens to be
  };
  Order order = Order::Good;  // of a Scan
};

inline bool isLanes(const ScheduleNode& loop) {
  return loop.execution == ScheduleNode::Execution::Lanes ||
         loop.execution == ScheduleNode::Execution::ThreadedLanes;
}

// How one statement sits in the tree.
struct Placed {
  std::vector<const ScheduleNode*> loops;   // around it, outermost first
  std::vector<std::optional<Var>> scanned;  // for each of `loops`, the statement's variable that it
                                            // scans (none: the statement runs at one value)
  std::vector<int64_t> shift;               // loop variable = variable + shift
  std::map<Var, IndexExpr> instance;        // the statement's variables over the loop variables
  Set domain;                               // of the loop variables at which it runs
};

struct Schedule {
  std::vector<ScheduleNodePtr> roots;
  std::vector<Placed> placed;  // [statement]
  int varCount = 0;            // loop variables have ids below this, from the graph's dimCount() up
  std::vector<std::string> loopNames;  // [id - graph.dimCount()]
};

}  // namespace rlc::schedule
