// Conditions on a set, and sets seen through access functions.
#include "compiler/diagnostics/internal_error.h"
#include "compiler/polyhedral/set_impl.h"

namespace rlc::polyhedral {

Set Set::intersect(const Condition& condition) const {
  startOperation(*impl_->context);
  if (condition.kind() == Condition::Kind::True) return *this;
  const Impl& own = *impl_;
  if (own.box) {
    if (own.box->empty) return *this;
    return restrict(*own.context, own.vars, *own.box, condition);
  }
  return intersect(restrict(*own.context, own.vars, Box::universe(own.vars.size()), condition));
}

Set Set::preimage(const Set& domain, const std::vector<IndexExpr>& at) const {
  const Impl& own = *impl_;
  isl_ctx* ctx = startOperation(*own.context);
  if (at.size() != own.vars.size()) {
    throw InternalError("a preimage needs an expression for each variable");
  }
  if (own.box) {
    if (own.box->empty) return empty(*own.context, domain.vars());
    Condition inside = Condition::always();
    for (size_t k = 0; k < at.size(); ++k) {
      const Range& range = own.box->ranges[k];
      if (range.lo != kNoLower) inside = inside && Condition::lessEqual(range.lo, at[k]);
      if (range.hi != kNoUpper) inside = inside && Condition::less(at[k], range.hi);
    }
    return domain.intersect(inside);
  }
  std::vector<AffHandle> affs;
  for (const IndexExpr& e : at) {
    auto aff = affOf(ctx, domain.vars(), e);
    if (!aff) break;
    affs.push_back(std::move(*aff));
  }
  if (affs.size() == at.size()) {
    isl_space* space = isl_space_map_from_domain_and_range(
        setSpace(ctx, domain.vars().size()).take(), setSpace(ctx, at.size()).take());
    isl_multi_aff* access = isl_multi_aff_zero(space);
    for (size_t k = 0; k < affs.size(); ++k) {
      access = isl_multi_aff_set_aff(access, static_cast<int>(k), affs[k].take());
    }
    SetHandle points(isl_set_preimage_multi_aff(own.isl().copy(), access));
    return domain.intersect(makeSet(*own.context, domain.vars(), std::move(points)));
  }
  // Through the graph of the access: { (x, y) : x in domain, y = at(x), y in this }.
  std::map<Var, Var> names;
  Condition same = Condition::always();
  for (size_t k = 0; k < at.size(); ++k) {
    names[own.vars[k]] = scratchVar(static_cast<int>(k));
    same = same && Condition::equal(scratchVar(static_cast<int>(k)), at[k]);
  }
  return domain.join(rename(names)).intersect(same).projectOnto(domain.vars());
}

Set Set::access(const Set& domain, const std::vector<IndexExpr>& at, const std::vector<Var>& outs) {
  if (at.size() != outs.size())
    throw InternalError("an access needs a variable for each expression");
  Condition same = Condition::always();
  for (size_t k = 0; k < at.size(); ++k) same = same && Condition::equal(outs[k], at[k]);
  std::vector<Var> all = domain.vars();
  all.insert(all.end(), outs.begin(), outs.end());
  return domain.extendTo(all).intersect(same);
}

}  // namespace rlc::polyhedral
