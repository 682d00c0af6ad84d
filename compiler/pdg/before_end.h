// What is computed before it is known where an index ends.
#pragma once

#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

// What one node depends on: in all, and at the same points of some of its indices. What it knows
// from earlier points of these, as a training loop does, is no reason not to ask for it.
class Before {
 public:
  // `node`: the number that an index ends at, or a truth that tells; `indices`: of its dims.
  Before(const Graph& graph, NodeId node, const std::vector<Var>& indices);

  // [node] whether it is known at a point before `node` is known there.
  const std::vector<bool>& known() const { return known_; }
  // Whether a reader may ask for the value of `node` at the point `at`, over the reader's
  // variables: it does not depend on what the reader computes.
  bool mayBeAskedBy(const Node& reader, const std::vector<IndexExpr>& at) const;

 private:
  std::vector<Var> dims_;
  std::vector<Var> back_;  // indices of which all is known from the same point or earlier ones
  std::vector<bool> ever_, known_;
};

}  // namespace rlc::pdg
