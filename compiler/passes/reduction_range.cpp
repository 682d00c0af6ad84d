#include "compiler/passes/reduction_range.h"

namespace rlc::passes {

using pdg::IndexExpr;
using pdg::Set;
using pdg::Var;

Set movedBy(const Set& set, Var along, int step) {
  std::vector<IndexExpr> at;
  for (Var var : set.vars()) at.push_back(var == along ? IndexExpr(var) + step : IndexExpr(var));
  return set.preimage(Set::universe(set.context(), set.vars()), at);
}

RangeMotion rangeMotion(const Set& points, const Set& range, Var along, int step) {
  RangeMotion motion;
  motion.along = along;
  motion.step = step;
  motion.recurring = points.intersect(movedBy(points, along, step));
  motion.base = points.subtract(motion.recurring);
  const Set here = range.intersect(motion.recurring.extendTo(range.vars()));
  const Set there = movedBy(range, along, step).intersect(motion.recurring.extendTo(range.vars()));
  motion.gained = here.subtract(there);
  motion.lost = there.subtract(here);
  motion.common = here.intersect(there);
  return motion;
}

std::optional<RangeBounds> rangeBounds(const Set& range) {
  const Var bound = range.vars().back();
  const auto lo = range.lowerBound(bound), hi = range.upperBound(bound);
  if (!lo || !hi) return std::nullopt;
  return RangeBounds{*lo, *hi};
}

}  // namespace rlc::passes
