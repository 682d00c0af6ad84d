#include "compiler/schedule/loop_bounds.h"

namespace rlc::schedule {

namespace {

// The tightest single expression isl finds for one domain, else the constant extreme.
std::optional<IndexExpr> bound(const Set& domain, Var var, bool lower) {
  if (auto exact = lower ? domain.lowerBound(var) : domain.upperBound(var)) return exact;
  const auto extreme = lower ? domain.minimum(IndexExpr(var)) : domain.maximum(IndexExpr(var));
  if (!extreme) return std::nullopt;
  return IndexExpr(lower ? *extreme : *extreme + 1);
}

}  // namespace

LoopBounds boundsOver(const std::vector<Set>& domains, Var var) {
  std::optional<LoopBounds> result;
  for (const Set& domain : domains) {
    if (domain.isEmpty()) continue;
    const auto lo = bound(domain, var, true), hi = bound(domain, var, false);
    if (!lo || !hi) continue;
    if (!result) {
      result = LoopBounds{*lo, *hi};
      continue;
    }
    if (!(result->lo == *lo)) result->lo = IndexExpr::min(result->lo, *lo);
    if (!(result->hi == *hi)) result->hi = IndexExpr::max(result->hi, *hi);
  }
  return result.value_or(LoopBounds{0, 0});
}

}  // namespace rlc::schedule
