#include "compiler/schedule/distance.h"

namespace rlc::schedule {

std::optional<Distance> distanceAlong(const Dependence& dependence, std::optional<Var> sinkVar,
                                      std::optional<size_t> sourcePosition) {
  if (sinkVar && sourcePosition) {
    const auto& shift = dependence.shifts[*sourcePosition];
    if (shift && shift->var == *sinkVar) return Distance{-shift->offset, -shift->offset};
  }
  IndexExpr difference;
  if (sinkVar) difference = difference + IndexExpr(*sinkVar);
  if (sourcePosition) difference = difference - IndexExpr(dependence.sourceVars[*sourcePosition]);
  const auto lowest = dependence.relation.minimum(difference);
  if (!lowest) return std::nullopt;
  return Distance{*lowest, *dependence.relation.maximum(difference)};
}

}  // namespace rlc::schedule
