// The representation of a Set. Internal: included by this folder's .cpp files only.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "compiler/polyhedral/box.h"
#include "compiler/polyhedral/isl_handles.h"

namespace rlc::polyhedral {

// A box, an isl set, or both; the isl set of a box is made when it is first needed.
struct Set::Impl {
  Context* context = nullptr;
  std::vector<Var> vars;
  std::optional<Box> box;
  mutable SetHandle raw;
  mutable std::shared_ptr<const std::optional<Condition>> condition;  // what toCondition found

  isl_ctx* ctx() const { return context->impl().ctx; }
  const SetHandle& isl() const;
  // The position of `var` in vars, or -1.
  int find(Var var) const;
  int position(Var var) const;  // throws InternalError where there is none
};

Set makeSet(Context& context, std::vector<Var> vars, Box box);
// Recognizes boxes. `raw` null: throws isl's error.
Set makeSet(Context& context, std::vector<Var> vars, SetHandle raw);

std::vector<BasicSetHandle> basicSetsOf(isl_ctx* ctx, const SetHandle& set);
std::vector<ConstraintHandle> constraintsOf(isl_ctx* ctx, const BasicSetHandle& set);

int findVar(const std::vector<Var>& vars, Var var);

// A set space of `dims` dimensions without a name.
SpaceHandle setSpace(isl_ctx* ctx, size_t dims);
SetHandle islOf(isl_ctx* ctx, const Box& box);
// The set over `to` of the points whose coordinates named in `from` are in `set`; every variable of
// `from` is in `to`.
SetHandle rebase(isl_ctx* ctx, const SetHandle& set, const std::vector<Var>& from,
                 const std::vector<Var>& to);

// Points of the box (over `vars`) at which the condition holds, for some value of each Value atom.
Set restrict(Context& context, const std::vector<Var>& vars, const Box& start,
             const Condition& condition);
// The expression as an isl function of `vars`; nothing when it has a Min, Max or Value.
std::optional<AffHandle> affOf(isl_ctx* ctx, const std::vector<Var>& vars, const IndexExpr& e);

// Variables that no program has, for dimensions that exist within one operation only.
inline Var scratchVar(int k) { return Var{std::numeric_limits<int32_t>::min() + k}; }

// An isl function of the set dimensions as an expression of `vars`; nothing when isl has no formula
// for a part of it.
std::optional<IndexExpr> exprOf(isl_ctx* ctx, const std::vector<Var>& vars, const AffHandle& aff);
// One expression equal to the pieces on their domains, if min and max can express it.
std::optional<IndexExpr> exprOf(Context& context, const std::vector<Var>& vars,
                                const PwAffHandle& pieces);

// [lo, hi)
struct Interval {
  IndexExpr lo, hi;
};

// The values of the last variable for each point of the others that the set has: nothing unless the
// set is one convex piece without hidden variables, so that they are an interval and never none.
std::optional<Interval> plainInterval(const Set& set);

}  // namespace rlc::polyhedral
