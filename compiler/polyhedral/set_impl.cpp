// Making sets, recognizing boxes, moving between orders of variables.
#include "compiler/polyhedral/set_impl.h"

#include <isl/mat.h>

#include <algorithm>

#include "compiler/diagnostics/internal_error.h"

namespace rlc::polyhedral {

namespace {

isl_stat addBasicSet(isl_basic_set* set, void* user) {
  static_cast<std::vector<BasicSetHandle>*>(user)->emplace_back(set);
  return isl_stat_ok;
}

isl_stat addConstraint(isl_constraint* constraint, void* user) {
  static_cast<std::vector<ConstraintHandle>*>(user)->emplace_back(constraint);
  return isl_stat_ok;
}

// The one dimension that a constraint of a box mentions.
int onlyDimension(const ConstraintHandle& constraint, size_t dims) {
  for (size_t i = 0; i < dims; ++i) {
    if (isl_constraint_involves_dims(constraint.get(), isl_dim_set, static_cast<unsigned>(i), 1)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::optional<Box> recognizeBox(isl_ctx* ctx, const SetHandle& raw, size_t dims) {
  if (checked(ctx, isl_set_plain_is_empty(raw.get()))) return Box::nothing(dims);
  if (dims == 0) {
    return checked(ctx, isl_set_is_empty(raw.get())) ? Box::nothing(0) : Box::universe(0);
  }
  if (checkedSize(ctx, isl_set_n_basic_set(raw.get())) != 1) return std::nullopt;
  if (!checked(ctx, isl_set_is_box(raw.get()))) return std::nullopt;
  Box box = Box::universe(dims);
  for (const ConstraintHandle& constraint : constraintsOf(ctx, basicSetsOf(ctx, raw)[0])) {
    int dim = onlyDimension(constraint, dims);
    if (dim < 0) return std::nullopt;
    ValHandle coefficient(isl_constraint_get_coefficient_val(constraint.get(), isl_dim_set, dim));
    ValHandle constant(isl_constraint_get_constant_val(constraint.get()));
    if (!isl_val_is_one(coefficient.get()) && !isl_val_is_negone(coefficient.get())) {
      return std::nullopt;
    }
    int64_t c = toInteger(constant);
    bool positive = isl_val_is_one(coefficient.get());
    bool equality = isl_constraint_is_equality(constraint.get());
    int64_t bound = positive ? -c : c;
    Range range;
    if (positive || equality) range.lo = bound;
    if (!positive || equality) range.hi = bound + 1;
    box.clamp(static_cast<size_t>(dim), range);
  }
  return box;
}

}  // namespace

std::vector<BasicSetHandle> basicSetsOf(isl_ctx* ctx, const SetHandle& set) {
  std::vector<BasicSetHandle> result;
  if (isl_set_foreach_basic_set(set.get(), addBasicSet, &result) < 0) throwIslError(ctx);
  return result;
}

std::vector<ConstraintHandle> constraintsOf(isl_ctx* ctx, const BasicSetHandle& set) {
  std::vector<ConstraintHandle> result;
  if (isl_basic_set_foreach_constraint(set.get(), addConstraint, &result) < 0) throwIslError(ctx);
  return result;
}

int findVar(const std::vector<Var>& vars, Var var) {
  auto found = std::find(vars.begin(), vars.end(), var);
  return found == vars.end() ? -1 : static_cast<int>(found - vars.begin());
}

int Set::Impl::find(Var var) const { return findVar(vars, var); }

int Set::Impl::position(Var var) const {
  int at = find(var);
  if (at < 0) throw InternalError("a set lacks a variable that an operation names");
  return at;
}

const SetHandle& Set::Impl::isl() const {
  if (!raw) raw = islOf(ctx(), *box);
  return raw;
}

SpaceHandle setSpace(isl_ctx* ctx, size_t dims) {
  return SpaceHandle(isl_space_set_alloc(ctx, 0, static_cast<unsigned>(dims)));
}

SetHandle islOf(isl_ctx* ctx, const Box& box) {
  size_t dims = box.ranges.size();
  if (box.empty) return SetHandle(checked(ctx, isl_set_empty(setSpace(ctx, dims).take())));
  isl_set* set = isl_set_universe(setSpace(ctx, dims).take());
  for (size_t i = 0; i < dims; ++i) {
    const Range& range = box.ranges[i];
    unsigned dim = static_cast<unsigned>(i);
    if (range.bounded() && range.hi - 1 == range.lo) {
      set = isl_set_fix_val(set, isl_dim_set, dim, isl_val_int_from_si(ctx, range.lo));
      continue;
    }
    if (range.lo != kNoLower) {
      set = isl_set_lower_bound_val(set, isl_dim_set, dim, isl_val_int_from_si(ctx, range.lo));
    }
    if (range.hi != kNoUpper) {
      set = isl_set_upper_bound_val(set, isl_dim_set, dim, isl_val_int_from_si(ctx, range.hi - 1));
    }
  }
  return SetHandle(checked(ctx, set));
}

Set makeSet(Context& context, std::vector<Var> vars, Box box) {
  auto impl = std::make_unique<Set::Impl>();
  impl->context = &context;
  impl->vars = std::move(vars);
  impl->box = std::move(box);
  return Set(std::move(impl));
}

Set makeSet(Context& context, std::vector<Var> vars, SetHandle raw) {
  isl_ctx* ctx = context.impl().ctx;
  checked(ctx, raw.get());
  auto impl = std::make_unique<Set::Impl>();
  impl->context = &context;
  impl->box = recognizeBox(ctx, raw, vars.size());
  impl->vars = std::move(vars);
  impl->raw = std::move(raw);
  return Set(std::move(impl));
}

SetHandle rebase(isl_ctx* ctx, const SetHandle& set, const std::vector<Var>& from,
                 const std::vector<Var>& to) {
  if (from == to) return set;
  // Where the old variables keep their order, the new ones are inserted between them.
  std::vector<int> source(to.size());
  bool ordered = true;
  int last = -1;
  size_t found = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    source[i] = findVar(from, to[i]);
    if (source[i] < 0) continue;
    ordered = ordered && source[i] > last;
    last = source[i];
    ++found;
  }
  if (found != from.size()) throw InternalError("sets over different variables are combined");
  if (ordered) {
    isl_set* result = set.copy();
    for (size_t i = 0; i < to.size();) {
      size_t end = i;
      while (end < to.size() && source[end] < 0) ++end;
      if (end > i) {
        result = isl_set_insert_dims(result, isl_dim_set, static_cast<unsigned>(i),
                                     static_cast<unsigned>(end - i));
      }
      i = end + 1;
    }
    return SetHandle(checked(ctx, result));
  }
  isl_space* domain = setSpace(ctx, to.size()).take();
  isl_multi_aff* pick = isl_multi_aff_zero(isl_space_map_from_domain_and_range(
      isl_space_copy(domain), setSpace(ctx, from.size()).take()));
  for (size_t i = 0; i < to.size(); ++i) {
    if (source[i] < 0) continue;
    isl_aff* coordinate = isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(domain)),
                                                isl_dim_set, static_cast<unsigned>(i));
    pick = isl_multi_aff_set_aff(pick, source[i], coordinate);
  }
  isl_space_free(domain);
  return SetHandle(checked(ctx, isl_set_preimage_multi_aff(set.copy(), pick)));
}

}  // namespace rlc::polyhedral
