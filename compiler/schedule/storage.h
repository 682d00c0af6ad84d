// Where every stored tensor lives: the window of points kept along each index, and the layout in
// memory.
//
// Along an index whose loop the writers and all readers share, only the points between the write
// and the last read are alive: the storage is a ring of that many (Lefebvre and Feautrier 1998, one
// dimension at a time). Elsewhere the whole range is kept.
#pragma once

#include "compiler/schedule/tree.h"

namespace rlc::schedule {

struct DimStorage {
  int64_t lo = 0;  // position of point y: (y - lo) mod extent where `ring`, else y - lo
  int64_t extent = 1;
  bool ring = false;
  bool lane = false;     // scanned by a lanes loop, kept per lane: no storage along this dim
  int64_t stride = 0;    // in elements
  bool carried = false;  // an iteration of the loop reads what an earlier one has left
  int keptBy = -1;  // a statement whose read needs more than one point; -1: the host's, or none
  // A ring of two in a lane's private storage turns instead: the newest point is always at position
  // 0, and each iteration of `rotation` first moves it to 1. Positions are constants then, so the
  // values can stay in registers.
  const ScheduleNode* rotation = nullptr;
  int64_t newest = 0;  // the point written in an iteration: the loop's variable minus this
};

struct Storage {
  NodeId node = -1;
  std::vector<DimStorage> dims;        // as the node's
  std::vector<int64_t> elementExtent;  // the largest, where it varies
  std::vector<int64_t> elementStride;
  int64_t row = 0;  // from one row of the dim that lies innermost, for lanes, to the next; 0: none
  int64_t elements = 0;  // in all (per lane where `perLane`)
  bool perLane = false;  // private to an iteration of its lanes loop
};

// [node]; entries of nodes without storage have node = -1.
std::vector<Storage> chooseStorage(const Graph& graph, const Statements& statements,
                                   const Schedule& schedule);

}  // namespace rlc::schedule
