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
  const std::vector<bool>& known() const { return orders_[0].known; }
  // Whether a reader may ask for the value of `node` at the point `at`, over the reader's
  // variables: it does not depend on what the reader computes.
  bool mayBeAskedBy(const Node& reader, const std::vector<IndexExpr>& at) const;

 private:
  // An index of which all is known from the same time or earlier ones: a node's point and, for
  // equations name their points by the left side, how many points later it is computed.
  struct Back {
    Var dim;
    std::vector<int64_t> delays;  // [node]
    int64_t delay(NodeId id) const { return delays[static_cast<size_t>(id)]; }
  };
  // Some of these indices, and what is known at the same time of all of them. The more there are,
  // the less is known, and the more a reader has to be no earlier along.
  struct Order {
    std::vector<Back> back;
    std::vector<bool> known;  // [node]
  };

  Order orderBy(const Graph& graph, std::vector<Back> back) const;
  bool mayBeAskedBy(const Node& reader, const std::vector<IndexExpr>& at, const Order& order) const;

  NodeId node_;
  std::vector<Var> dims_;
  std::vector<bool> ever_;
  std::vector<Order> orders_;  // by the indices without delays; by all, where that is another one
};

}  // namespace rlc::pdg
