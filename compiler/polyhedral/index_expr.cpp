// The canonical form: how expressions are built, added and compared.
#include "compiler/polyhedral/index_expr.h"

#include <algorithm>

#include "compiler/polyhedral/checked_math.h"
#include "compiler/polyhedral/common_divisor.h"

namespace rlc::polyhedral {

namespace {

using Atom = IndexExpr::Atom;
using AtomKind = IndexExpr::AtomKind;

int sign(auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; }

int compareExpr(const IndexExpr& a, const IndexExpr& b);

int compareBound(const std::shared_ptr<const IndexExpr>& a,
                 const std::shared_ptr<const IndexExpr>& b) {
  if (a == b) return 0;
  if (!a || !b) return a ? 1 : -1;
  return compareExpr(*a, *b);
}

int compareAtom(const Atom& a, const Atom& b) {
  if (&a == &b) return 0;
  if (a.kind != b.kind) return sign(a.kind, b.kind);
  if (a.kind == AtomKind::Variable) return sign(a.var.id, b.var.id);
  if (int c = sign(a.input, b.input)) return c;
  if (int c = sign(a.divisor, b.divisor)) return c;
  if (int c = sign(a.args.size(), b.args.size())) return c;
  for (size_t i = 0; i < a.args.size(); ++i) {
    if (int c = compareExpr(a.args[i], b.args[i])) return c;
  }
  if (int c = compareBound(a.lo, b.lo)) return c;
  return compareBound(a.hi, b.hi);
}

int compareTerms(const IndexExpr& a, const IndexExpr& b) {
  const auto& s = a.terms();
  const auto& t = b.terms();
  if (&s == &t) return 0;
  for (size_t i = 0; i < s.size() && i < t.size(); ++i) {
    if (int c = compareAtom(*s[i].atom, *t[i].atom)) return c;
    if (int c = sign(s[i].coefficient, t[i].coefficient)) return c;
  }
  return sign(s.size(), t.size());
}

int compareExpr(const IndexExpr& a, const IndexExpr& b) {
  if (int c = compareTerms(a, b)) return c;
  return sign(a.constantTerm(), b.constantTerm());
}

// By a divisor of all coefficients.
std::vector<IndexExpr::Term> quotients(std::vector<IndexExpr::Term> terms, int64_t divisor) {
  for (auto& term : terms) term.coefficient /= divisor;
  return terms;
}

}  // namespace

IndexExpr::IndexExpr(int64_t constant, Terms terms) : constant_(constant) {
  if (!terms.empty()) terms_ = std::make_shared<const Terms>(std::move(terms));
}

IndexExpr IndexExpr::ofAtom(Atom atom) {
  return {0, Terms{{1, std::make_shared<const Atom>(std::move(atom))}}};
}

IndexExpr::IndexExpr(Var var)
    : IndexExpr(ofAtom({.kind = AtomKind::Variable, .var = var, .lo = {}, .hi = {}, .args = {}})) {}

IndexExpr IndexExpr::value(int input, std::shared_ptr<const IndexExpr> lo,
                           std::shared_ptr<const IndexExpr> hi) {
  return ofAtom({.kind = AtomKind::Value,
                 .var = {},
                 .input = input,
                 .lo = std::move(lo),
                 .hi = std::move(hi),
                 .args = {}});
}

IndexExpr IndexExpr::floorDiv(const IndexExpr& dividend, int64_t divisor) {
  if (divisor == 0) throw InternalError("index division by 0");
  if (divisor < 0) return floorDiv(-dividend, checkedNeg(divisor));
  if (divisor == 1) return dividend;
  // Whole multiples of the divisor leave the quotient.
  Terms multiples, others;
  for (const Term& term : dividend.terms()) {
    int64_t q = term.coefficient / divisor;
    int64_t r = term.coefficient % divisor;
    if (q != 0) multiples.push_back({q, term.atom});
    if (r != 0) others.push_back({r, term.atom});
  }
  const IndexExpr whole(floorQuotient(dividend.constant_, divisor), std::move(multiples));
  const IndexExpr rest(floorRemainder(dividend.constant_, divisor), std::move(others));
  if (rest.terms().empty()) return whole;
  const int64_t g = commonDivisor(rest, divisor);
  if (g > 1) {
    const IndexExpr part(floorQuotient(rest.constant_, g), quotients(rest.terms(), g));
    return whole + floorDiv(part, divisor / g);
  }
  const Term& first = rest.terms().front();
  if (rest.terms().size() == 1 && first.coefficient == 1 &&
      first.atom->kind == AtomKind::FloorDiv) {
    int64_t inner = first.atom->divisor;
    IndexExpr dividendOfBoth = first.atom->args[0] + checkedMul(rest.constant_, inner);
    return whole + floorDiv(dividendOfBoth, checkedMul(inner, divisor));
  }
  return whole + ofAtom({.kind = AtomKind::FloorDiv,
                         .var = {},
                         .lo = {},
                         .hi = {},
                         .args = {rest},
                         .divisor = divisor});
}

IndexExpr IndexExpr::mod(const IndexExpr& dividend, int64_t divisor) {
  if (divisor == 0) throw InternalError("index remainder of division by 0");
  if (divisor < 0) return -mod(-dividend, checkedNeg(divisor));
  if (divisor == 1) return 0;
  IndexExpr rest(floorRemainder(dividend.constant_, divisor));
  bool nested = false;
  for (const Term& term : dividend.terms()) {
    int64_t r = floorRemainder(term.coefficient, divisor);
    if (r > divisor / 2) r -= divisor;
    if (r == 0) continue;
    if (term.atom->kind == AtomKind::Mod && term.atom->divisor % divisor == 0) {
      rest = rest.plus(term.atom->args[0], r);
      nested = true;
    } else {
      rest = rest.plus({0, Terms{{1, term.atom}}}, r);
    }
  }
  if (nested) return mod(rest, divisor);
  if (rest.terms().empty()) return rest;
  int64_t g = commonDivisor(rest, divisor);
  if (g > 1) {
    const int64_t low = floorRemainder(rest.constant_, g);
    const IndexExpr part(floorQuotient(rest.constant_, g), quotients(rest.terms(), g));
    return mod(part, divisor / g) * g + low;
  }
  return ofAtom({.kind = AtomKind::Mod,
                 .var = {},
                 .lo = {},
                 .hi = {},
                 .args = {std::move(rest)},
                 .divisor = divisor});
}

IndexExpr IndexExpr::min(const IndexExpr& a, const IndexExpr& b) {
  return extreme(AtomKind::Min, a, b);
}

IndexExpr IndexExpr::max(const IndexExpr& a, const IndexExpr& b) {
  return extreme(AtomKind::Max, a, b);
}

IndexExpr IndexExpr::extreme(AtomKind kind, const IndexExpr& a, const IndexExpr& b) {
  std::vector<IndexExpr> args;
  for (const IndexExpr* e : {&a, &b}) {
    const Terms& terms = e->terms();
    if (terms.size() == 1 && terms[0].coefficient == 1 && terms[0].atom->kind == kind) {
      for (const IndexExpr& arg : terms[0].atom->args) args.push_back(arg + e->constant_);
    } else {
      args.push_back(*e);
    }
  }
  // Arguments that differ in their constant only are next to each other once sorted; the extreme
  // one stays.
  std::sort(args.begin(), args.end());
  std::vector<IndexExpr> kept;
  for (IndexExpr& arg : args) {
    if (kept.empty() || compareTerms(kept.back(), arg) != 0) {
      kept.push_back(std::move(arg));
    } else if (kind == AtomKind::Max) {
      kept.back() = std::move(arg);
    }
  }
  if (kept.size() == 1) return kept[0];
  // The constant of the last argument (never a plain constant: those sort first) moves outside.
  int64_t common = kept.back().constant_;
  for (IndexExpr& arg : kept) arg.constant_ = checkedAdd(arg.constant_, checkedNeg(common));
  return ofAtom({.kind = kind, .var = {}, .lo = {}, .hi = {}, .args = std::move(kept)}) + common;
}

IndexExpr IndexExpr::plus(const IndexExpr& other, int64_t factor) const {
  const int64_t constant = checkedAdd(constant_, checkedMul(other.constant_, factor));
  if (factor == 0 || !other.terms_) {
    IndexExpr result = *this;
    result.constant_ = constant;
    return result;
  }
  const Terms &own = terms(), &others = other.terms();
  Terms sum;
  sum.reserve(own.size() + others.size());
  auto a = own.begin();
  auto b = others.begin();
  while (a != own.end() || b != others.end()) {
    int order = a == own.end() ? 1 : b == others.end() ? -1 : compareAtom(*a->atom, *b->atom);
    if (order < 0) {
      sum.push_back(*a++);
    } else if (order > 0) {
      sum.push_back({checkedMul(b->coefficient, factor), b->atom});
      ++b;
    } else {
      int64_t c = checkedAdd(a->coefficient, checkedMul(b->coefficient, factor));
      if (c != 0) sum.push_back({c, a->atom});
      ++a;
      ++b;
    }
  }
  return {constant, std::move(sum)};
}

IndexExpr operator+(const IndexExpr& a, const IndexExpr& b) { return a.plus(b, 1); }
IndexExpr operator-(const IndexExpr& a, const IndexExpr& b) { return a.plus(b, -1); }
IndexExpr operator-(const IndexExpr& a) { return IndexExpr().plus(a, -1); }
IndexExpr operator*(const IndexExpr& a, int64_t factor) { return IndexExpr().plus(a, factor); }
bool operator==(const IndexExpr& a, const IndexExpr& b) { return compareExpr(a, b) == 0; }
bool operator<(const IndexExpr& a, const IndexExpr& b) { return compareExpr(a, b) < 0; }

}  // namespace rlc::polyhedral
