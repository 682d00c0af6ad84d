// Chooses which nodes get storage; see statements.h.
#pragma once

#include "compiler/schedule/statements.h"

namespace rlc::schedule {

struct Placements {
  std::vector<Placement> placement;
  std::vector<std::vector<Var>> scheduledBound;
  std::vector<bool> escapes;
};

// Whether each evaluation of the consumer's element reads a point of the producer of its own: every
// variable that the consumer iterates over appears in the access, so nothing is computed twice by
// inlining.
bool readsEachPointOnce(const pdg::Node& consumer, int input);

Placements placeNodes(const Graph& graph);

}  // namespace rlc::schedule
