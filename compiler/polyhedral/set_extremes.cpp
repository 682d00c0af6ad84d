// First and last points, and the extremes of expressions.
#include <algorithm>

#include "compiler/polyhedral/checked_math.h"
#include "compiler/polyhedral/set_impl.h"

namespace rlc::polyhedral {

namespace {

using Atom = IndexExpr::Atom;
using AtomKind = IndexExpr::AtomKind;

// Inclusive; the limits of int64_t stand for infinity.
struct Extent {
  int64_t lo, hi;
};

int64_t addBound(int64_t a, int64_t b) {
  if (a == kNoLower || a == kNoUpper) return a;
  if (b == kNoLower || b == kNoUpper) return b;
  return checkedAdd(a, b);
}

int64_t scaleBound(int64_t a, int64_t factor) {
  if (a == kNoLower || a == kNoUpper) return (a == kNoUpper) == (factor > 0) ? kNoUpper : kNoLower;
  return checkedMul(a, factor);
}

int64_t divideBound(int64_t a, int64_t divisor) {
  return a == kNoLower || a == kNoUpper ? a : floorQuotient(a, divisor);
}

// Extremes over a box by interval arithmetic, where that is exact: each variable is used once and
// every step is monotone. Otherwise nothing.
class BoxExtremes {
 public:
  BoxExtremes(const std::vector<Var>& vars, const Box& box)
      : vars_(vars), box_(box), used_(vars.size()) {}

  std::optional<Extent> of(const IndexExpr& e) {
    Extent sum{e.constantTerm(), e.constantTerm()};
    for (const auto& term : e.terms()) {
      auto part = ofAtom(*term.atom);
      if (!part) return std::nullopt;
      int64_t a = scaleBound(part->lo, term.coefficient);
      int64_t b = scaleBound(part->hi, term.coefficient);
      if (term.coefficient < 0) std::swap(a, b);
      sum = {addBound(sum.lo, a), addBound(sum.hi, b)};
    }
    return sum;
  }

 private:
  std::optional<Extent> ofAtom(const Atom& atom) {
    switch (atom.kind) {
      case AtomKind::Variable:
        return ofVariable(atom.var);
      case AtomKind::FloorDiv: {
        auto arg = of(atom.args[0]);
        if (!arg) return std::nullopt;
        return Extent{divideBound(arg->lo, atom.divisor), divideBound(arg->hi, atom.divisor)};
      }
      case AtomKind::Mod:
        return ofMod(atom);
      case AtomKind::Min:
      case AtomKind::Max: {
        auto result = of(atom.args[0]);
        for (size_t i = 1; i < atom.args.size() && result; ++i) {
          auto arg = of(atom.args[i]);
          if (!arg) return std::nullopt;
          bool least = atom.kind == AtomKind::Min;
          result->lo = least ? std::min(result->lo, arg->lo) : std::max(result->lo, arg->lo);
          result->hi = least ? std::min(result->hi, arg->hi) : std::max(result->hi, arg->hi);
        }
        return result;
      }
      case AtomKind::Value: {
        if (valueUsed_) return std::nullopt;
        valueUsed_ = true;
        auto lo = atom.lo ? atom.lo->asConstant() : kNoLower;
        auto hi = atom.hi ? atom.hi->asConstant() : kNoUpper;
        if (!lo || !hi || *lo >= *hi) return std::nullopt;
        return Extent{*lo, *hi == kNoUpper ? kNoUpper : *hi - 1};
      }
    }
    return std::nullopt;
  }

  std::optional<Extent> ofVariable(Var var) {
    int at = findVar(vars_, var);
    if (at < 0) throw InternalError("an expression mentions a variable that its set lacks");
    size_t dim = static_cast<size_t>(at);
    if (used_[dim]) return std::nullopt;
    used_[dim] = true;
    const Range& range = box_.ranges[dim];
    return Extent{range.lo, range.hi == kNoUpper ? kNoUpper : range.hi - 1};
  }

  // The argument must take every integer between its extremes.
  std::optional<Extent> ofMod(const Atom& atom) {
    const auto& terms = atom.args[0].terms();
    if (terms.size() != 1 || std::abs(terms[0].coefficient) != 1 ||
        terms[0].atom->kind != AtomKind::Variable) {
      return std::nullopt;
    }
    auto arg = of(atom.args[0]);
    if (!arg) return std::nullopt;
    bool finite = arg->lo != kNoLower && arg->hi != kNoUpper;
    if (finite && floorQuotient(arg->lo, atom.divisor) == floorQuotient(arg->hi, atom.divisor)) {
      return Extent{floorRemainder(arg->lo, atom.divisor), floorRemainder(arg->hi, atom.divisor)};
    }
    return Extent{0, atom.divisor - 1};
  }

  const std::vector<Var>& vars_;
  const Box& box_;
  std::vector<bool> used_;
  bool valueUsed_ = false;
};

std::optional<int64_t> optimumOf(isl_ctx* ctx, const ValHandle& value) {
  checked(ctx, value.get());
  if (isl_val_is_nan(value.get())) return std::nullopt;
  if (isl_val_is_infty(value.get())) return kNoUpper;
  if (isl_val_is_neginfty(value.get())) return kNoLower;
  return toInteger(value);
}

std::optional<int64_t> islOptimum(const Set& set, const IndexExpr& e, bool largest) {
  const Set::Impl& own = set.impl();
  isl_ctx* ctx = startOperation(*own.context);
  auto aff = e.isLinear() ? affOf(ctx, own.vars, e) : std::nullopt;
  if (aff) {
    isl_val* best = largest ? isl_set_max_val(own.isl().get(), aff->get())
                            : isl_set_min_val(own.isl().get(), aff->get());
    return optimumOf(ctx, ValHandle(best));
  }
  // The values that e takes, as a set of one dimension.
  Var value = scratchVar(0);
  Set values = Set::access(set, {e}, {value}).projectOnto({value});
  return largest ? values.maximum(value) : values.minimum(value);
}

std::optional<int64_t> extreme(const Set& set, const IndexExpr& e, bool largest) {
  const Set::Impl& own = set.impl();
  if (own.box) {
    if (own.box->empty) return std::nullopt;
    if (auto interval = BoxExtremes(own.vars, *own.box).of(e)) {
      return largest ? interval->hi : interval->lo;
    }
  }
  return islOptimum(set, e, largest);
}

std::optional<Point> lexExtreme(const Set::Impl& set, bool last) {
  isl_ctx* ctx = startOperation(*set.context);
  Point result;
  if (set.box) {
    if (set.box->empty) return std::nullopt;
    for (const Range& range : set.box->ranges) {
      int64_t bound = last ? range.hi : range.lo;
      if (bound == (last ? kNoUpper : kNoLower)) {
        throw InternalError("the extreme point of an unbounded set was asked for");
      }
      result.push_back(last ? bound - 1 : bound);
    }
    return result;
  }
  isl_set* extreme = last ? isl_set_lexmax(set.isl().copy()) : isl_set_lexmin(set.isl().copy());
  PointHandle point(checked(ctx, isl_set_sample_point(checked(ctx, extreme))));
  if (checked(ctx, isl_point_is_void(point.get()))) return std::nullopt;
  for (size_t i = 0; i < set.vars.size(); ++i) {
    ValHandle value(isl_point_get_coordinate_val(point.get(), isl_dim_set, static_cast<int>(i)));
    checked(ctx, value.get());
    result.push_back(toInteger(value));
  }
  return result;
}

}  // namespace

std::optional<int64_t> Set::minimum(const IndexExpr& e) const { return extreme(*this, e, false); }
std::optional<int64_t> Set::maximum(const IndexExpr& e) const { return extreme(*this, e, true); }
std::optional<Point> Set::lexmin() const { return lexExtreme(*impl_, false); }
std::optional<Point> Set::lexmax() const { return lexExtreme(*impl_, true); }

bool Set::isBounded() const {
  const Impl& own = *impl_;
  isl_ctx* ctx = startOperation(*own.context);
  if (own.box) {
    return own.box->empty || std::all_of(own.box->ranges.begin(), own.box->ranges.end(),
                                         [](const Range& r) { return r.bounded(); });
  }
  return checked(ctx, isl_set_is_bounded(own.isl().get()));
}

}  // namespace rlc::polyhedral
