// How far apart along one loop the two ends of a dependence run.
#pragma once

#include "compiler/schedule/dependences.h"

namespace rlc::schedule {

// Of (sink's variable - source's variable) over a relation; INT64_MIN, INT64_MAX where unbounded.
struct Distance {
  int64_t min = 0, max = 0;
  bool isConstant() const { return min == max; }
};

// `sinkVar`, `sourceVar` (in the relation's names): the variables that the loop scans; a side
// without one counts as 0. nullopt: the relation is empty.
std::optional<Distance> distanceAlong(const Dependence& dependence, std::optional<Var> sinkVar,
                                      std::optional<size_t> sourcePosition);

}  // namespace rlc::schedule
