// Which statements of a region share a loop, and the order of those loops.
#pragma once

#include "compiler/schedule/unscheduled.h"

namespace rlc::schedule {

// Statements that will share a loop, or a single statement without one.
struct Group {
  std::optional<LoopChoice> loop;
  bool scan = false;  // statements that no single index orders
  std::vector<int> statements;
};

// The groups in an order that the dependences allow. `scanned`: statements whose components get no
// loop here. `insideParallel`: a loop around the region is parallel.
// Further indices may be one for these groups (Unscheduled::alignFurther).
std::vector<Group> formGroups(Unscheduled& unscheduled, const std::vector<int>& statements,
                              const std::vector<Dependence>& dependences, bool insideParallel,
                              const std::set<int>& scanned);

}  // namespace rlc::schedule
