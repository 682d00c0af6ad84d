// One variable of a set as a function of the others: solve, lower and upper bounds.
#include <algorithm>

#include "compiler/polyhedral/checked_math.h"
#include "compiler/polyhedral/coalesce.h"
#include "compiler/polyhedral/set_impl.h"

namespace rlc::polyhedral {

namespace {

constexpr unsigned long kShareOfSolving = 1000;  // of the operations that a question may take

// A set of m + 1 dimensions as a relation from the first m to the last.
MapHandle lastOfOthers(isl_ctx* ctx, const SetHandle& set, size_t others) {
  isl_map* map = isl_map_from_range(set.copy());
  map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, static_cast<unsigned>(others));
  return MapHandle(checked(ctx, map));
}

std::vector<Var> without(const std::vector<Var>& vars, size_t at) {
  std::vector<Var> result = vars;
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(at));
  return result;
}

// c * var + rest (== or >=) 0, as constraints of a basic set say it; nothing where a constraint
// mentions `var` inside a quotient.
struct Bound {
  int64_t coefficient;
  IndexExpr rest;
  bool equality;
};

std::optional<std::vector<Bound>> boundsIn(isl_ctx* ctx, const std::vector<Var>& vars, Var var,
                                           const BasicSetHandle& set) {
  std::vector<Bound> result;
  for (const ConstraintHandle& constraint : constraintsOf(ctx, set)) {
    AffHandle aff(checked(ctx, isl_constraint_get_aff(constraint.get())));
    auto e = exprOf(ctx, vars, aff);
    if (!e) return std::nullopt;
    int64_t c = e->coefficientOf(var);
    IndexExpr rest = *e - IndexExpr(var) * c;
    if (rest.mentions(var)) return std::nullopt;
    if (c == 0) continue;
    result.push_back({c, rest, isl_constraint_is_equality(constraint.get()) == isl_bool_true});
  }
  return result;
}

// var = -rest / c, where the equality makes the division exact.
IndexExpr solved(const Bound& bound) {
  return bound.coefficient > 0 ? IndexExpr::floorDiv(-bound.rest, bound.coefficient)
                               : IndexExpr::floorDiv(bound.rest, -bound.coefficient);
}

// The least value of var in one convex piece without hidden variables: the largest of its lower
// bounds.
std::optional<IndexExpr> directBound(isl_ctx* ctx, const std::vector<Var>& vars, Var var,
                                     const BasicSetHandle& set, bool upper) {
  auto bounds = boundsIn(ctx, vars, var, set);
  if (!bounds) return std::nullopt;
  for (const Bound& bound : *bounds) {
    if (bound.equality) return solved(bound);
  }
  std::optional<IndexExpr> best;
  for (const Bound& bound : *bounds) {
    if ((bound.coefficient < 0) != upper) continue;
    IndexExpr e = upper ? IndexExpr::floorDiv(bound.rest, -bound.coefficient)
                        : -IndexExpr::floorDiv(bound.rest, bound.coefficient);
    if (!best) {
      best = e;
    } else {
      best = upper ? IndexExpr::min(*best, e) : IndexExpr::max(*best, e);
    }
  }
  return best;
}

SetHandle withoutRedundancies(const Set::Impl& set) {
  isl_set* tidy = isl_set_remove_redundancies(coalesced(set.isl().copy()));
  return SetHandle(checked(set.ctx(), tidy));
}

// The set's one piece, if it is convex and without hidden variables.
std::optional<BasicSetHandle> plainPiece(isl_ctx* ctx, const SetHandle& set) {
  auto pieces = basicSetsOf(ctx, set);
  if (pieces.size() != 1 || isl_basic_set_dim(pieces[0].get(), isl_dim_div) != 0)
    return std::nullopt;
  return pieces[0];
}

// Inclusive on both sides.
std::optional<IndexExpr> islBound(const Set::Impl& set, bool upper) {
  isl_ctx* ctx = set.ctx();
  std::vector<Var> others(set.vars.begin(), set.vars.end() - 1);
  SetHandle projected = withoutRedundancies(set);
  if (auto piece = plainPiece(ctx, projected)) {
    if (auto bound = directBound(ctx, set.vars, set.vars.back(), *piece, upper)) return bound;
  }
  MapHandle map = lastOfOthers(ctx, projected, others.size());
  isl_pw_multi_aff* extreme =
      upper ? isl_map_lexmax_pw_multi_aff(map.take()) : isl_map_lexmin_pw_multi_aff(map.take());
  if (!extreme) {
    forgetError(ctx);
    return std::nullopt;
  }
  PwAffHandle function(isl_pw_multi_aff_get_pw_aff(extreme, 0));
  isl_pw_multi_aff_free(extreme);
  checked(ctx, function.get());
  return exprOf(*set.context, others, function);
}

std::optional<IndexExpr> boundOf(const Set& set, Var var, bool upper) {
  const Set::Impl& own = set.impl();
  startOperation(*own.context);
  auto end = own.vars.begin() + own.position(var) + 1;
  Set projected = set.projectOnto({own.vars.begin(), end});
  const Set::Impl& prefix = projected.impl();
  if (prefix.box) {
    const Range& range = prefix.box->ranges.back();
    if (prefix.box->empty) return std::nullopt;
    int64_t bound = upper ? range.hi : range.lo;
    if (bound == (upper ? kNoUpper : kNoLower)) return std::nullopt;
    return IndexExpr(bound);
  }
  auto bound = islBound(prefix, upper);
  if (bound && upper) return *bound + 1;
  return bound;
}

std::optional<IndexExpr> solveByEquality(const Set::Impl& set, Var var) {
  isl_ctx* ctx = set.ctx();
  BasicSetHandle hull(checked(ctx, isl_set_affine_hull(set.isl().copy())));
  auto bounds = boundsIn(ctx, set.vars, var, hull);
  if (!bounds) return std::nullopt;
  const Bound* best = nullptr;
  for (const Bound& bound : *bounds) {
    if (!bound.equality) continue;
    if (!best || std::abs(bound.coefficient) < std::abs(best->coefficient)) best = &bound;
  }
  if (!best) return std::nullopt;
  return solved(*best);
}

}  // namespace

std::optional<Interval> plainInterval(const Set& set) {
  const Set::Impl& own = set.impl();
  isl_ctx* ctx = startOperation(*own.context);
  if (own.box) {
    const Range& range = own.box->ranges.back();
    if (own.box->empty || !range.bounded()) return std::nullopt;
    return Interval{range.lo, range.hi};
  }
  auto piece = plainPiece(ctx, withoutRedundancies(own));
  if (!piece) return std::nullopt;
  auto lo = directBound(ctx, own.vars, own.vars.back(), *piece, false);
  auto hi = directBound(ctx, own.vars, own.vars.back(), *piece, true);
  if (!lo || !hi) return std::nullopt;
  return Interval{*lo, *hi + 1};
}

std::optional<IndexExpr> Set::lowerBound(Var var) const { return boundOf(*this, var, false); }
std::optional<IndexExpr> Set::upperBound(Var var) const { return boundOf(*this, var, true); }

std::optional<IndexExpr> Set::solve(Var var) const {
  const Impl& own = *impl_;
  isl_ctx* ctx = startOperation(*own.context);
  size_t at = static_cast<size_t>(own.position(var));
  if (own.box) {
    const Range& range = own.box->ranges[at];
    if (own.box->empty || !range.bounded() || range.hi - 1 != range.lo) return std::nullopt;
    return IndexExpr(range.lo);
  }
  if (auto e = solveByEquality(own, var)) return e;
  std::vector<Var> others = without(own.vars, at);
  std::vector<Var> reordered = others;
  reordered.push_back(var);
  Set last = extendTo(reordered);
  MapHandle map = lastOfOthers(ctx, last.impl().isl(), others.size());
  // Many pieces would be compared with each other: what takes long to solve counts as unsolved.
  {
    BudgetShare share(ctx, kShareOfSolving);
    const isl_bool single = isl_map_is_single_valued(map.get());
    if (share.ranOut() || !checked(ctx, single)) return std::nullopt;
  }
  isl_pw_multi_aff* function = isl_pw_multi_aff_from_map(map.take());
  if (!function) {
    forgetError(ctx);
    return std::nullopt;
  }
  PwAffHandle coordinate(isl_pw_multi_aff_get_pw_aff(function, 0));
  isl_pw_multi_aff_free(function);
  checked(ctx, coordinate.get());
  return exprOf(*own.context, others, coordinate);
}

}  // namespace rlc::polyhedral
