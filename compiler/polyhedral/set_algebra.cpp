// Sets from sets.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/polyhedral/coalesce.h"
#include "compiler/polyhedral/set_impl.h"

namespace rlc::polyhedral {

namespace {

// The box of a set over `from`, reordered and widened to `to`.
Box rebase(const Box& box, const std::vector<Var>& from, const std::vector<Var>& to) {
  Box result = Box::universe(to.size());
  result.empty = box.empty;
  size_t found = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    int source = findVar(from, to[i]);
    if (source < 0) continue;
    result.ranges[i] = box.ranges[static_cast<size_t>(source)];
    ++found;
  }
  if (found != from.size()) throw InternalError("sets over different variables are combined");
  return result;
}

void requireSameVars(const Set::Impl& a, const Set::Impl& b) {
  if (a.vars.size() != b.vars.size()) {
    throw InternalError("sets over different variables are combined");
  }
}

SetHandle islIn(const Set::Impl& set, const std::vector<Var>& vars) {
  return rebase(set.ctx(), set.isl(), set.vars, vars);
}

std::optional<Box> boxIn(const Set::Impl& set, const std::vector<Var>& vars) {
  if (!set.box) return std::nullopt;
  if (set.vars == vars) return set.box;
  return rebase(*set.box, set.vars, vars);
}

bool knownEmpty(const Set::Impl& set) { return set.box && set.box->empty; }

bool isUniverse(const Set::Impl& set) {
  return set.box && !set.box->empty &&
         std::all_of(set.box->ranges.begin(), set.box->ranges.end(),
                     [](const Range& r) { return r == Range(); });
}

}  // namespace

Set::Set() = default;
Set::Set(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Set::Set(const Set& other) : impl_(other.impl_ ? std::make_unique<Impl>(*other.impl_) : nullptr) {}
Set::Set(Set&&) noexcept = default;
Set& Set::operator=(Set&&) noexcept = default;
Set::~Set() = default;

Set& Set::operator=(const Set& other) {
  if (this != &other) *this = Set(other);
  return *this;
}

Set Set::universe(Context& context, std::vector<Var> vars) {
  Box box = Box::universe(vars.size());
  return makeSet(context, std::move(vars), std::move(box));
}

Set Set::empty(Context& context, std::vector<Var> vars) {
  Box box = Box::nothing(vars.size());
  return makeSet(context, std::move(vars), std::move(box));
}

const std::vector<Var>& Set::vars() const { return impl_->vars; }
Context& Set::context() const { return *impl_->context; }

Set Set::intersect(const Set& other) const {
  const Impl& a = *impl_;
  const Impl& b = *other.impl_;
  requireSameVars(a, b);
  isl_ctx* ctx = startOperation(*a.context);
  std::optional<Box> otherBox = boxIn(b, a.vars);
  if (a.box && otherBox) {
    return makeSet(*a.context, a.vars, polyhedral::intersect(*a.box, *otherBox));
  }
  if (knownEmpty(a) || isUniverse(b)) return *this;
  if (knownEmpty(b)) return empty(*a.context, a.vars);
  SetHandle both(isl_set_intersect(a.isl().copy(), islIn(b, a.vars).take()));
  return makeSet(*a.context, a.vars, SetHandle(checked(ctx, both.take())));
}

Set Set::unite(const Set& other) const {
  const Impl& a = *impl_;
  const Impl& b = *other.impl_;
  requireSameVars(a, b);
  startOperation(*a.context);
  std::optional<Box> otherBox = boxIn(b, a.vars);
  if (a.box && otherBox) {
    if (auto box = polyhedral::unite(*a.box, *otherBox)) {
      return makeSet(*a.context, a.vars, std::move(*box));
    }
  }
  if (knownEmpty(b)) return *this;
  if (knownEmpty(a)) return makeSet(*a.context, a.vars, islIn(b, a.vars));
  isl_set* either = isl_set_union(a.isl().copy(), islIn(b, a.vars).take());
  return makeSet(*a.context, a.vars, SetHandle(coalesced(either)));
}

Set Set::subtract(const Set& other) const {
  const Impl& a = *impl_;
  const Impl& b = *other.impl_;
  requireSameVars(a, b);
  startOperation(*a.context);
  std::optional<Box> otherBox = boxIn(b, a.vars);
  if (a.box && otherBox) {
    if (auto box = polyhedral::subtract(*a.box, *otherBox)) {
      return makeSet(*a.context, a.vars, std::move(*box));
    }
  }
  if (knownEmpty(a) || knownEmpty(b)) return *this;
  isl_set* rest = isl_set_subtract(a.isl().copy(), islIn(b, a.vars).take());
  return makeSet(*a.context, a.vars, SetHandle(coalesced(rest)));
}

Set Set::join(const Set& other) const {
  std::vector<Var> all = vars();
  for (Var var : other.vars()) {
    if (impl_->find(var) < 0) all.push_back(var);
  }
  return extendTo(all).intersect(other.extendTo(all));
}

Set Set::projectOnto(const std::vector<Var>& kept) const {
  const Impl& own = *impl_;
  isl_ctx* ctx = startOperation(*own.context);
  if (kept == own.vars) return *this;
  if (own.box) {
    Box box = Box::universe(kept.size());
    box.empty = own.box->empty;
    for (size_t i = 0; i < kept.size(); ++i) {
      box.ranges[i] = own.box->ranges[static_cast<size_t>(own.position(kept[i]))];
    }
    return makeSet(*own.context, kept, std::move(box));
  }
  std::vector<Var> left = own.vars;
  isl_set* result = own.isl().copy();
  for (size_t i = left.size(); i-- > 0;) {
    if (findVar(kept, left[i]) >= 0) continue;
    // One call for each run of neighbours.
    size_t first = i;
    while (first > 0 && findVar(kept, left[first - 1]) < 0) --first;
    result = isl_set_project_out(result, isl_dim_set, static_cast<unsigned>(first),
                                 static_cast<unsigned>(i - first + 1));
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(first),
               left.begin() + static_cast<std::ptrdiff_t>(i + 1));
    i = first;
  }
  SetHandle projected(checked(ctx, result));
  if (left.size() != kept.size()) {
    throw InternalError("a set lacks a variable that it is projected onto");
  }
  return makeSet(*own.context, kept, rebase(ctx, projected, left, kept));
}

Set Set::extendTo(const std::vector<Var>& vars) const {
  const Impl& own = *impl_;
  startOperation(*own.context);
  if (vars == own.vars) return *this;
  if (own.box) return makeSet(*own.context, vars, rebase(*own.box, own.vars, vars));
  return makeSet(*own.context, vars, islIn(own, vars));
}

Set Set::rename(const std::map<Var, Var>& names) const {
  auto impl = std::make_unique<Impl>(*impl_);
  impl->condition = nullptr;
  for (Var& var : impl->vars) {
    auto found = names.find(var);
    if (found != names.end()) var = found->second;
  }
  return Set(std::move(impl));
}

Set Set::fix(Var var, int64_t value) const {
  const Impl& own = *impl_;
  isl_ctx* ctx = startOperation(*own.context);
  int at = own.position(var);
  if (own.box) {
    Box box = *own.box;
    box.clamp(static_cast<size_t>(at), {value, value + 1});
    return makeSet(*own.context, own.vars, std::move(box));
  }
  isl_set* fixed = isl_set_fix_val(own.isl().copy(), isl_dim_set, static_cast<unsigned>(at),
                                   isl_val_int_from_si(ctx, value));
  return makeSet(*own.context, own.vars, SetHandle(fixed));
}

Set Set::gist(const Set& known) const {
  const Impl& own = *impl_;
  startOperation(*own.context);
  requireSameVars(own, *known.impl_);
  if (isUniverse(own) || isUniverse(*known.impl_)) return *this;
  std::optional<Box> context = boxIn(*known.impl_, own.vars);
  if (own.box && context && !own.box->empty && !context->empty) {
    Box box = *own.box;
    for (size_t i = 0; i < box.ranges.size(); ++i) {
      if (context->ranges[i].lo >= box.ranges[i].lo) box.ranges[i].lo = kNoLower;
      if (context->ranges[i].hi <= box.ranges[i].hi) box.ranges[i].hi = kNoUpper;
    }
    return makeSet(*own.context, own.vars, std::move(box));
  }
  isl_set* rest = isl_set_gist(own.isl().copy(), islIn(*known.impl_, own.vars).take());
  return makeSet(*own.context, own.vars, SetHandle(rest));
}

Set Set::coalesce() const {
  const Impl& own = *impl_;
  startOperation(*own.context);
  if (own.box) return *this;
  return makeSet(*own.context, own.vars, SetHandle(coalesced(own.isl().copy())));
}

Set Set::hull() const {
  const Impl& own = *impl_;
  startOperation(*own.context);
  if (own.box) return *this;
  isl_set* hull = isl_set_from_basic_set(isl_set_simple_hull(own.isl().copy()));
  return makeSet(*own.context, own.vars, SetHandle(hull));
}

bool Set::isEmpty() const {
  const Impl& own = *impl_;
  if (own.box) return own.box->empty;
  isl_ctx* ctx = startOperation(*own.context);
  return checked(ctx, isl_set_is_empty(own.isl().get()));
}

bool Set::isSubset(const Set& other) const {
  const Impl& a = *impl_;
  const Impl& b = *other.impl_;
  requireSameVars(a, b);
  isl_ctx* ctx = startOperation(*a.context);
  if (knownEmpty(a) || isUniverse(b)) return true;
  std::optional<Box> otherBox = boxIn(b, a.vars);
  if (a.box && otherBox) return polyhedral::isSubset(*a.box, *otherBox);
  return checked(ctx, isl_set_is_subset(a.isl().get(), islIn(b, a.vars).get()));
}

bool Set::isEqual(const Set& other) const {
  const Impl& a = *impl_;
  const Impl& b = *other.impl_;
  requireSameVars(a, b);
  isl_ctx* ctx = startOperation(*a.context);
  std::optional<Box> otherBox = boxIn(b, a.vars);
  if (a.box && otherBox) return polyhedral::equal(*a.box, *otherBox);
  return checked(ctx, isl_set_is_equal(a.isl().get(), islIn(b, a.vars).get()));
}

bool Set::isDisjoint(const Set& other) const {
  const Impl& a = *impl_;
  const Impl& b = *other.impl_;
  requireSameVars(a, b);
  isl_ctx* ctx = startOperation(*a.context);
  if (knownEmpty(a) || knownEmpty(b)) return true;
  std::optional<Box> otherBox = boxIn(b, a.vars);
  if (a.box && otherBox) return polyhedral::intersect(*a.box, *otherBox).empty;
  return checked(ctx, isl_set_is_disjoint(a.isl().get(), islIn(b, a.vars).get()));
}

}  // namespace rlc::polyhedral
