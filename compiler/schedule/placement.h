// Chooses which nodes get storage; see statements.h.
#pragma once

#include "compiler/schedule/statements.h"

namespace rlc::schedule {

struct Placements {
  std::vector<Placement> placement;
  std::vector<std::vector<Var>> scheduledBound;
  std::vector<bool> escapes;
};

Placements placeNodes(const Graph& graph);

}  // namespace rlc::schedule
