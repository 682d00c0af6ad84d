// Indices that end on a condition: `exists` holds at the points up to the end, and nothing has to
// go on where it does not.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/pdg/reads.h"

namespace rlc::pdg {

struct EndingIndex {
  Var dim;
  NodeId exists = -1;  // Bool recurrence over the other indices of the condition, then `dim`; false
                       // past the end
  std::vector<bool> before;  // [node] what it depends on, at the same points of the condition's
                             // other indices: known at a point before it is known whether the index
                             // ends there
  std::vector<bool> aware;   // [node] what reads `exists` at its own points of `dim`, and so has
                             // values past the end as well
  // [node] that runs along `dim`, or reduces along it: how many points from end(dim) on it has a
  // value at. x[s+1] = ... has one at the end itself, and so has what that is made of; kAllPoints:
  // it is read throughout the declared range.
  std::vector<int64_t> beyond;  // where the steps are known
};

// [node] of a reduction: the bound variables that are stepped through one by one, each step where
// the point exists.
using Steps = std::vector<std::vector<Var>>;

// Those whose end the graph finds with such a recurrence.
std::vector<EndingIndex> endingIndices(const Graph& graph);
std::vector<EndingIndex> endingIndices(const Graph& graph, const Steps& steps);

// A truth that tells whether a point of one of the indices is before its end, as a read of the
// index's `exists`, in the reader's variables: such a read itself, e < end and e < min(end, ...),
// as gradients and ranges have it.
std::optional<Read> asExists(const Graph& graph, const std::vector<EndingIndex>& indices,
                             const Read& truth);

// Whether a Bool that a node reads stays false along one of its variables once it is false there,
// because the index ended.
bool staysFalse(const Graph& graph, const std::vector<EndingIndex>& indices, const Read& read,
                Var along);

}  // namespace rlc::pdg
