// Conditions over index expressions, kept in negation normal form.
#include <algorithm>

#include "compiler/polyhedral/checked_math.h"
#include "compiler/polyhedral/common_divisor.h"
#include "compiler/polyhedral/index_expr.h"
#include "compiler/polyhedral/index_expr_rewrite.h"
#include "compiler/types/lists.h"

namespace rlc::polyhedral {

namespace {

// e / g, where g divides every coefficient and the constant.
IndexExpr divided(const IndexExpr& e, int64_t g) { return IndexExpr::floorDiv(e, g); }

}  // namespace

Condition Condition::always() { return Condition(); }

Condition Condition::never() {
  Condition result;
  result.kind_ = Kind::False;
  return result;
}

Condition Condition::nonNegative(const IndexExpr& e) {
  if (auto c = e.asConstant()) return *c >= 0 ? always() : never();
  Condition result;
  result.kind_ = Kind::NonNegative;
  int64_t g = commonDivisor(e);
  result.expr_ = g > 1 ? divided(e - floorRemainder(e.constantTerm(), g), g) : e;
  return result;
}

Condition Condition::equal(const IndexExpr& a, const IndexExpr& b) {
  IndexExpr e = a - b;
  if (auto c = e.asConstant()) return *c == 0 ? always() : never();
  int64_t g = commonDivisor(e);
  if (e.constantTerm() % g != 0) return never();
  if (e.terms()[0].coefficient < 0) e = -e;
  Condition result;
  result.kind_ = Kind::Zero;
  result.expr_ = g > 1 ? divided(e, g) : e;
  return result;
}

Condition Condition::notEqual(const IndexExpr& a, const IndexExpr& b) { return !equal(a, b); }

Condition Condition::less(const IndexExpr& a, const IndexExpr& b) { return nonNegative(b - a - 1); }

Condition Condition::lessEqual(const IndexExpr& a, const IndexExpr& b) {
  return nonNegative(b - a);
}

Condition Condition::within(const IndexExpr& e, const IndexExpr& lo, const IndexExpr& hi) {
  return lessEqual(lo, e) && less(e, hi);
}

Condition operator&&(const Condition& a, const Condition& b) {
  using Kind = Condition::Kind;
  if (a.kind_ == Kind::False || b.kind_ == Kind::True) return a;
  if (b.kind_ == Kind::False || a.kind_ == Kind::True) return b;
  Condition result;
  result.kind_ = Kind::And;
  for (const Condition* side : {&a, &b}) {
    auto add = [&](const Condition& part) {
      if (!contains(result.parts_, part)) {
        result.parts_.push_back(part);
      }
    };
    if (side->kind_ == Kind::And) {
      for (const Condition& part : side->parts_) add(part);
    } else {
      add(*side);
    }
  }
  if (result.parts_.size() == 1) return Condition(result.parts_[0]);
  return result;
}

Condition operator||(const Condition& a, const Condition& b) { return !(!a && !b); }

Condition operator!(const Condition& a) {
  using Kind = Condition::Kind;
  Condition result = a;
  switch (a.kind_) {
    case Kind::True:
      return Condition::never();
    case Kind::False:
      return Condition::always();
    case Kind::NonNegative:
      return Condition::nonNegative(-a.expr_ - 1);
    case Kind::Zero:
      result.kind_ = Kind::NonZero;
      return result;
    case Kind::NonZero:
      result.kind_ = Kind::Zero;
      return result;
    case Kind::And:
    case Kind::Or:
      result.kind_ = a.kind_ == Kind::And ? Kind::Or : Kind::And;
      for (Condition& part : result.parts_) part = !part;
      return result;
  }
  throw InternalError("unknown kind of condition");
}

bool operator==(const Condition& a, const Condition& b) {
  return a.kind_ == b.kind_ && a.expr_ == b.expr_ && a.parts_ == b.parts_;
}

bool Condition::evaluate(const std::function<int64_t(Var)>& variable,
                         const std::function<int64_t(int)>& value) const {
  auto holds = [&](const Condition& part) { return part.evaluate(variable, value); };
  switch (kind_) {
    case Kind::True:
      return true;
    case Kind::False:
      return false;
    case Kind::NonNegative:
      return expr_.evaluate(variable, value) >= 0;
    case Kind::Zero:
      return expr_.evaluate(variable, value) == 0;
    case Kind::NonZero:
      return expr_.evaluate(variable, value) != 0;
    case Kind::And:
      return std::all_of(parts_.begin(), parts_.end(), holds);
    case Kind::Or:
      return std::any_of(parts_.begin(), parts_.end(), holds);
  }
  throw InternalError("unknown kind of condition");
}

Condition Condition::substitute(const std::map<Var, IndexExpr>& replacement) const {
  return rewrite(*this, [&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
    if (atom.kind != IndexExpr::AtomKind::Variable) return std::nullopt;
    auto found = replacement.find(atom.var);
    if (found == replacement.end()) return std::nullopt;
    return found->second;
  });
}

Condition rewrite(const Condition& condition, const AtomRewriter& replacement) {
  using Kind = Condition::Kind;
  switch (condition.kind()) {
    case Kind::True:
    case Kind::False:
      return condition;
    case Kind::NonNegative:
      return Condition::nonNegative(rewrite(condition.expr(), replacement));
    case Kind::Zero:
      return Condition::equal(rewrite(condition.expr(), replacement), 0);
    case Kind::NonZero:
      return Condition::notEqual(rewrite(condition.expr(), replacement), 0);
    case Kind::And:
    case Kind::Or: {
      bool all = condition.kind() == Kind::And;
      Condition result = all ? Condition::always() : Condition::never();
      for (const Condition& part : condition.parts()) {
        Condition rewritten = rewrite(part, replacement);
        result = all ? result && rewritten : result || rewritten;
      }
      return result;
    }
  }
  throw InternalError("unknown kind of condition");
}

void Condition::collectVariables(std::vector<Var>& out) const {
  expr_.collectVariables(out);
  for (const Condition& part : parts_) part.collectVariables(out);
}

}  // namespace rlc::polyhedral
