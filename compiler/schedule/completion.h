// What a run had computed when it ended early: by a fault, or because it was asked to stop.
#pragma once

#include "compiler/schedule/tree.h"

namespace rlc::schedule {

// Where a run ended. A statement of a parallel loop's other iterations may or may not have run.
struct Interruption {
  int64_t root = -1;  // number in Schedule::roots; -1: nothing had run
  std::optional<int64_t>
      iteration;       // of the root, where it is a sequential loop: the one that was not completed
  int statement = -1;  // the one that ended the run, where it is known
  std::vector<int64_t> loops;  // and the values of the loop variables around it, outermost first
};

class Completion {
 public:
  Completion(const Graph& graph, const Statements& statements, const Schedule& schedule,
             Interruption where);

  // Whether an instance (values of Statement::vars, in their order) ran before the interruption for
  // certain.
  bool ran(int statement, const std::vector<int64_t>& vars) const;
  // Whether the node's whole value at a point (of its dims) had been computed.
  bool has(NodeId node, const std::vector<int64_t>& point) const;

 private:
  // From the root down: the loop, and which of its children leads on to the statement.
  struct Step {
    const ScheduleNode* loop = nullptr;
    size_t child = 0;
  };
  struct Path {
    size_t root = 0;
    std::vector<Step> steps;
    bool scan = false;  // the last child is a Scan: its statements run in an order of isl's
  };
  struct Range {
    int64_t lo = 0, hi = -1;  // inclusive
  };

  void collect(const ScheduleNode& node, Path& path);
  const Range& rangeOf(int statement, size_t var) const;
  // Of the instances that write a point (or add to it), the one that runs last; nothing: none does.
  std::optional<std::vector<int64_t>> lastWrite(int statement,
                                                const std::vector<int64_t>& point) const;

  const Graph& graph_;
  const Statements& statements_;
  const Schedule& schedule_;
  Interruption where_;
  std::vector<Path> paths_;                                        // [statement]
  mutable std::vector<std::vector<std::optional<Range>>> ranges_;  // [statement][variable]
};

}  // namespace rlc::schedule
