// From sets and isl's functions back to expressions and conditions.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/polyhedral/coalesce.h"
#include "compiler/polyhedral/set_impl.h"
#include "compiler/types/lists.h"

namespace rlc::polyhedral {

namespace {

std::optional<int64_t> integerOf(isl_ctx* ctx, isl_val* value) {
  ValHandle handle(checked(ctx, value));
  if (!isl_val_is_int(handle.get())) return std::nullopt;
  return toInteger(handle);
}

// constant + coefficients * vars, with all coefficients multiplied by the denominator.
struct Numerator {
  IndexExpr linear;
  std::vector<std::pair<int64_t, AffHandle>> divs;  // coefficient, what is rounded down
  int64_t denominator;
};

std::optional<Numerator> numeratorOf(isl_ctx* ctx, const std::vector<Var>& vars,
                                     const AffHandle& aff) {
  ValHandle denominator(checked(ctx, isl_aff_get_denominator_val(aff.get())));
  auto scaled = [&](isl_val* value) {
    return integerOf(ctx, isl_val_mul(value, denominator.copy()));
  };
  Numerator result{{}, {}, toInteger(denominator)};
  auto constant = scaled(isl_aff_get_constant_val(aff.get()));
  if (!constant) return std::nullopt;
  result.linear = *constant;
  for (size_t i = 0; i < vars.size(); ++i) {
    auto c = scaled(isl_aff_get_coefficient_val(aff.get(), isl_dim_in, static_cast<int>(i)));
    if (!c) return std::nullopt;
    if (*c != 0) result.linear = result.linear + IndexExpr(vars[i]) * *c;
  }
  int divs = checkedSize(ctx, isl_aff_dim(aff.get(), isl_dim_div));
  for (int i = 0; i < divs; ++i) {
    auto c = scaled(isl_aff_get_coefficient_val(aff.get(), isl_dim_div, i));
    if (!c) return std::nullopt;
    if (*c == 0) continue;
    AffHandle div(isl_aff_get_div(aff.get(), i));
    if (!div) {
      forgetError(ctx);
      return std::nullopt;
    }
    result.divs.emplace_back(*c, std::move(div));
  }
  return result;
}

// An integer sum of quotients over vars, divided by the denominator.
struct Fraction {
  IndexExpr numerator;
  int64_t denominator;
};

// x - d * (x // d) reads better as x % d, where x disappears otherwise.
IndexExpr addQuotient(const IndexExpr& sum, int64_t coefficient, const Fraction& fraction) {
  IndexExpr plain =
      sum + IndexExpr::floorDiv(fraction.numerator, fraction.denominator) * coefficient;
  if (coefficient % fraction.denominator != 0) return plain;
  int64_t times = coefficient / fraction.denominator;
  IndexExpr remainder =
      sum + (fraction.numerator - IndexExpr::mod(fraction.numerator, fraction.denominator)) * times;
  return remainder.terms().size() < plain.terms().size() ? remainder : plain;
}

std::optional<Fraction> fractionOf(isl_ctx* ctx, const std::vector<Var>& vars,
                                   const AffHandle& aff) {
  auto numerator = numeratorOf(ctx, vars, aff);
  if (!numerator) return std::nullopt;
  IndexExpr sum = numerator->linear;
  for (const auto& [coefficient, div] : numerator->divs) {
    // isl gives the rounded quotient itself: its argument has the denominator.
    auto fraction = fractionOf(ctx, vars, div);
    if (!fraction) return std::nullopt;
    sum = addQuotient(sum, coefficient, *fraction);
  }
  return Fraction{sum, numerator->denominator};
}

struct PieceList {
  std::vector<std::pair<SetHandle, AffHandle>> pieces;
};

isl_stat addPiece(isl_set* domain, isl_aff* aff, void* user) {
  static_cast<PieceList*>(user)->pieces.emplace_back(SetHandle(domain), AffHandle(aff));
  return isl_stat_ok;
}

struct Piece {
  Set domain;
  IndexExpr expr;
};

bool agrees(const IndexExpr& candidate, const std::vector<Piece>& pieces) {
  return std::all_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    return piece.domain.intersect(Condition::notEqual(candidate, piece.expr)).isEmpty();
  });
}

IndexExpr extremeOf(const std::vector<IndexExpr>& exprs, bool largest) {
  IndexExpr result = exprs[0];
  for (const IndexExpr& e : exprs) {
    result = largest ? IndexExpr::max(result, e) : IndexExpr::min(result, e);
  }
  return result;
}

// A continuous piecewise function is the max over its pieces k of the min of those functions that
// are nowhere below k's on k's domain (Tarela and Martinez, "Region configurations for
// realizability of lattice piecewise-linear models", 1999). Discontinuous ones fail the check of
// the caller.
IndexExpr latticeOf(const std::vector<Piece>& pieces) {
  std::vector<IndexExpr> mins;
  for (const Piece& own : pieces) {
    std::vector<IndexExpr> above;
    for (const Piece& other : pieces) {
      if (own.domain.intersect(Condition::less(other.expr, own.expr)).isEmpty()) {
        above.push_back(other.expr);
      }
    }
    mins.push_back(extremeOf(above, false));
  }
  return extremeOf(mins, true);
}

// Constraints of one variable and constants, written together: lo <= v < hi.
std::string rangeText(const std::vector<Var>& vars, const Condition& condition,
                      const VarNamer& namer) {
  std::vector<Condition> parts =
      condition.kind() == Condition::Kind::And ? condition.parts() : std::vector{condition};
  std::vector<std::string> texts;
  auto append = [&](const std::string& text) { texts.push_back(text); };
  std::vector<bool> done(parts.size());
  for (Var var : vars) {
    std::optional<size_t> lower, upper;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].kind() != Condition::Kind::NonNegative) continue;
      const IndexExpr& e = parts[i].expr();
      if (e.terms().size() != 1 || std::abs(e.coefficientOf(var)) != 1) continue;
      (e.coefficientOf(var) == 1 ? lower : upper) = i;
    }
    if (!lower || !upper) continue;
    done[*lower] = done[*upper] = true;
    append(std::to_string(-parts[*lower].expr().constantTerm()) + " <= " + namer(var) + " < " +
           std::to_string(parts[*upper].expr().constantTerm() + 1));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!done[i]) append(parts[i].toString(namer));
  }
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : " and ") + text;
  return joined;
}

Condition conditionOf(const std::vector<Var>& vars, const Box& box) {
  if (box.empty) return Condition::never();
  Condition result = Condition::always();
  for (size_t i = 0; i < vars.size(); ++i) {
    const Range& range = box.ranges[i];
    if (range.bounded() && range.hi - 1 == range.lo) {
      result = result && Condition::equal(vars[i], range.lo);
      continue;
    }
    if (range.lo != kNoLower) result = result && Condition::lessEqual(range.lo, vars[i]);
    if (range.hi != kNoUpper) result = result && Condition::less(vars[i], range.hi);
  }
  return result;
}

std::optional<Condition> conditionOf(isl_ctx* ctx, const std::vector<Var>& vars,
                                     const BasicSetHandle& set) {
  Condition result = Condition::always();
  for (const ConstraintHandle& constraint : constraintsOf(ctx, set)) {
    AffHandle aff(checked(ctx, isl_constraint_get_aff(constraint.get())));
    auto e = exprOf(ctx, vars, aff);
    if (!e) return std::nullopt;
    bool equality = isl_constraint_is_equality(constraint.get());
    result = result && (equality ? Condition::equal(*e, 0) : Condition::nonNegative(*e));
  }
  return result;
}

std::optional<Condition> conditionOf(const Set::Impl& set) {
  if (set.box) return conditionOf(set.vars, *set.box);
  isl_ctx* ctx = set.ctx();
  isl_set* explicitDivs = isl_set_compute_divs(coalesced(set.isl().copy()));
  SetHandle tidy(checked(ctx, isl_set_remove_redundancies(explicitDivs)));
  Condition result = Condition::never();
  for (const BasicSetHandle& piece : basicSetsOf(ctx, tidy)) {
    auto condition = conditionOf(ctx, set.vars, piece);
    if (!condition) return std::nullopt;
    result = result || *condition;
  }
  return result;
}

}  // namespace

std::optional<IndexExpr> exprOf(isl_ctx* ctx, const std::vector<Var>& vars, const AffHandle& aff) {
  auto fraction = fractionOf(ctx, vars, aff);
  if (!fraction) return std::nullopt;
  // What isl gives as a function with a denominator is an integer wherever it is defined.
  return IndexExpr::floorDiv(fraction->numerator, fraction->denominator);
}

std::optional<IndexExpr> exprOf(Context& context, const std::vector<Var>& vars,
                                const PwAffHandle& function) {
  isl_ctx* ctx = context.impl().ctx;
  PwAffHandle merged(checked(ctx, coalesced(function.copy())));
  PieceList list;
  if (isl_pw_aff_foreach_piece(merged.get(), addPiece, &list) < 0) throwIslError(ctx);
  std::vector<Piece> pieces;
  std::vector<IndexExpr> exprs;
  for (auto& [domain, aff] : list.pieces) {
    auto e = exprOf(ctx, vars, aff);
    if (!e) return std::nullopt;
    if (!contains(exprs, *e)) exprs.push_back(*e);
    pieces.push_back({makeSet(context, vars, std::move(domain)), *e});
  }
  if (exprs.empty()) return std::nullopt;
  if (exprs.size() == 1) return exprs[0];
  for (const IndexExpr& e : exprs) {
    if (agrees(e, pieces)) return e;
  }
  for (bool largest : {true, false}) {
    IndexExpr candidate = extremeOf(exprs, largest);
    if (agrees(candidate, pieces)) return candidate;
  }
  IndexExpr candidate = latticeOf(pieces);
  if (agrees(candidate, pieces)) return candidate;
  return std::nullopt;
}

std::optional<Condition> Set::toCondition() const {
  const Impl& own = *impl_;
  if (!own.condition) {
    startOperation(*own.context);
    own.condition = std::make_shared<const std::optional<Condition>>(conditionOf(own));
  }
  return *own.condition;
}

std::string Set::toString(const VarNamer& namer) const {
  std::string text;
  for (Var var : vars()) text += (text.empty() ? "" : ", ") + namer(var);
  text = "{ [" + text + "]";
  std::optional<Condition> condition = toCondition();
  if (!condition) {
    char* isl = isl_set_to_str(impl_->isl().get());
    text = isl ? isl : "{ }";
    free(isl);
    return text;
  }
  switch (condition->kind()) {
    case Condition::Kind::True:
      break;
    case Condition::Kind::Or: {
      std::string parts;
      for (const Condition& part : condition->parts()) {
        parts += (parts.empty() ? "" : " or ") + rangeText(vars(), part, namer);
      }
      text += " : " + parts;
      break;
    }
    case Condition::Kind::False:
    case Condition::Kind::NonNegative:
    case Condition::Kind::Zero:
    case Condition::Kind::NonZero:
    case Condition::Kind::And:
      text += " : " + rangeText(vars(), *condition, namer);
      break;
  }
  return text + " }";
}

}  // namespace rlc::polyhedral
