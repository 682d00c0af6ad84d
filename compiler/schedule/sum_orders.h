// In which order a schedule adds up what rounds: two schedules of a graph that agree on it compute
// the same bits.
#pragma once

#include <map>
#include <set>
#include <string>

#include "compiler/schedule/tree.h"

namespace rlc::schedule {

// How one sum is added up: for each statement that holds it, the loops that take it through its
// points and whether they are lanes or threads, as text.
struct SumOrder {
  std::set<std::string> loops;
  bool known = true;  // not where isl orders them
  // Whether they are the same for certain.
  bool operator==(const SumOrder& other) const {
    return known && other.known && loops == other.loops;
  }
};

// Of each sum and product of floats, but of copies (Node::again).
using SumOrders = std::map<NodeId, SumOrder>;
SumOrders sumOrders(const Graph& graph, const Statements& statements, const Schedule& schedule);

}  // namespace rlc::schedule
