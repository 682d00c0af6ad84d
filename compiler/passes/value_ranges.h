// Which numbers a node's elements can be: constants, draws, clips, conditions ("if abs(x) > 2 then
// 0 else x") and what operations make of them, also through recurrences (intervals: Cousot and
// Cousot, "Abstract interpretation", POPL 1977).
#pragma once

#include <vector>

#include "compiler/passes/interval.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

class ValueRanges {
 public:
  explicit ValueRanges(const pdg::Graph& graph);

  // Each element at each point lies in it or is NaN.
  Interval of(pdg::NodeId id) const { return ranges_[static_cast<size_t>(id)]; }

 private:
  struct Fact;  // what a read lies in where a condition is as it is

  Interval widened(Interval known, Interval now) const;
  Interval computed(const pdg::Node& node) const;
  Interval mapped(const pdg::Node& node, ScalarOp op) const;
  Interval selected(const pdg::Node& node, bool holds) const;
  void assume(const pdg::Read& condition, bool holds, int depth, std::vector<Fact>& facts) const;
  void compare(const pdg::Read& smaller, const pdg::Read& larger, bool holds,
               std::vector<Fact>& facts) const;
  void limit(const pdg::Read& read, Interval to, std::vector<Fact>& facts) const;
  bool neverNan(pdg::NodeId id) const;

  const pdg::Graph& graph_;
  std::vector<Interval> ranges_;    // [node]
  std::vector<double> thresholds_;  // ascending: what numbers are compared with
};

}  // namespace rlc::passes
