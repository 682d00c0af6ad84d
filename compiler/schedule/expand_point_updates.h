// Back from the change of one element to a choice at every element: where the elements do not lie
// in the place of those before, or can't be ordered as one, every element is written all the same,
// and as points of their own they take part in loops and lanes.
#pragma once

#include "compiler/schedule/storage.h"

namespace rlc::schedule {

// An update whose tensor keeps more than one point, and why.
struct CopiedUpdate {
  NodeId node = -1;          // the tensor
  NodeId update = -1;        // its PointUpdate
  Var along = Var::dim(-1);  // the index along which points are kept
  int64_t points = 0;        // so many; 0: what one change writes at once has no order
  NodeId keptBy = -1;        // what reads an older point beside the newest; -1: the host
};

// The changes among the statements that are not in place.
std::vector<CopiedUpdate> copiedUpdates(const Graph& graph, const Statements& statements,
                                        const std::vector<Storage>& storage);

// The changes in the recurrence of a node that can't be ordered; all where there are none in it.
std::vector<CopiedUpdate> unorderedUpdates(const Graph& graph, NodeId unordered);

// Every PointUpdate among `updates` becomes a Select.
void expandPointUpdates(Graph& graph, const std::vector<NodeId>& updates);
std::vector<NodeId> pointUpdatesOf(const Graph& graph);

}  // namespace rlc::schedule
