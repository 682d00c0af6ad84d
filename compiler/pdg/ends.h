// Indices that end on a condition: `exists` holds at the points up to the end, and nothing has to
// go on where it does not.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

struct EndingIndex {
  Var dim;
  NodeId exists = -1;  // Bool recurrence over the other indices of the condition, then `dim`; false
                       // past the end
  std::vector<bool> before;  // [node] what it depends on: known at a point before it is known
                             // whether the index ends there
  std::vector<bool> aware;   // [node] what reads `exists` at its own points of `dim`, and so has
                             // values past the end as well
  // [node] with `dim`, or a reduction along it: how many of its points lie from end(dim) on.
  // x[s+1] = ... goes on to the end itself, and so does what its value there is made of.
  std::vector<int64_t> beyond;
};

// Those whose end the graph finds with such a recurrence.
std::vector<EndingIndex> endingIndices(const Graph& graph);

// Whether a Bool that a node reads stays false along one of its variables once it is false there,
// because the index ended.
bool staysFalse(const Graph& graph, const std::vector<EndingIndex>& indices, const Read& read,
                Var along);

}  // namespace rlc::pdg
