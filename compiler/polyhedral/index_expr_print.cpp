// Index expressions and conditions as a user would write them.
#include "compiler/polyhedral/index_expr.h"

namespace rlc::polyhedral {

namespace {

using Atom = IndexExpr::Atom;
using AtomKind = IndexExpr::AtomKind;

std::string magnitude(int64_t n) {
  std::string digits = std::to_string(n);
  return n < 0 ? digits.substr(1) : digits;
}

std::string inFactor(const IndexExpr& e, const VarNamer& namer) {
  std::string text = e.toString(namer);
  return e.asVariable() || (e.asConstant() && *e.asConstant() >= 0) ? text : "(" + text + ")";
}

bool isExtreme(const Atom& atom) {
  return atom.kind == AtomKind::Min || atom.kind == AtomKind::Max;
}

// `offset`: added to the arguments of a min or max.
std::string atomText(const Atom& atom, int64_t offset, const VarNamer& namer) {
  switch (atom.kind) {
    case AtomKind::Variable:
      return namer(atom.var);
    case AtomKind::Value:
      return "value(" + std::to_string(atom.input) + ")";
    case AtomKind::FloorDiv:
      return inFactor(atom.args[0], namer) + " // " + std::to_string(atom.divisor);
    case AtomKind::Mod:
      return inFactor(atom.args[0], namer) + " % " + std::to_string(atom.divisor);
    case AtomKind::Min:
    case AtomKind::Max: {
      std::string text;
      // Constants sort first and read better last.
      for (size_t i = atom.args.size(); i-- > 0;) {
        text += (text.empty() ? "" : ", ") + (atom.args[i] + offset).toString(namer);
      }
      return (atom.kind == AtomKind::Min ? "min(" : "max(") + text + ")";
    }
  }
  return "";
}

// A term without its sign.
std::string termText(const IndexExpr::Term& term, const VarNamer& namer) {
  const Atom& atom = *term.atom;
  std::string text = atomText(atom, 0, namer);
  bool infix = atom.kind == AtomKind::FloorDiv || atom.kind == AtomKind::Mod;
  if (term.coefficient == 1) return text;
  if (infix) text = "(" + text + ")";
  return term.coefficient == -1 ? text : magnitude(term.coefficient) + "*" + text;
}

std::string sumText(const std::vector<IndexExpr::Term>& terms, int64_t constant,
                    const VarNamer& namer) {
  if (terms.size() == 1 && terms[0].coefficient == 1 && isExtreme(*terms[0].atom)) {
    return atomText(*terms[0].atom, constant, namer);
  }
  std::string text;
  auto append = [&](bool negative, const std::string& part) {
    if (text.empty()) {
      text = (negative ? "-" : "") + part;
    } else {
      text += (negative ? " - " : " + ") + part;
    }
  };
  bool anyPositive = false;
  for (const auto& term : terms) {
    if (term.coefficient > 0) append(false, termText(term, namer)), anyPositive = true;
  }
  bool constantFirst = !anyPositive && constant > 0;
  if (constantFirst || terms.empty()) append(constant < 0, magnitude(constant));
  for (const auto& term : terms) {
    if (term.coefficient < 0) append(true, termText(term, namer));
  }
  if (!constantFirst && !terms.empty() && constant != 0) {
    append(constant < 0, magnitude(constant));
  }
  return text;
}

// The two sides of `e` compared with 0: what it adds and what it subtracts, without the constant.
struct Sides {
  std::vector<IndexExpr::Term> added, subtracted;
};

Sides sidesOf(const IndexExpr& e) {
  Sides sides;
  for (IndexExpr::Term term : e.terms()) {
    if (term.coefficient > 0) {
      sides.added.push_back(term);
    } else {
      term.coefficient = -term.coefficient;
      sides.subtracted.push_back(term);
    }
  }
  return sides;
}

std::string equalityText(const IndexExpr& e, const char* op, const VarNamer& namer) {
  Sides sides = sidesOf(e);
  int64_t c = e.constantTerm();
  if (sides.added.empty()) return sumText(sides.subtracted, 0, namer) + op + sumText({}, c, namer);
  return sumText(sides.added, 0, namer) + op + sumText(sides.subtracted, -c, namer);
}

std::string nonNegativeText(const IndexExpr& e, const VarNamer& namer) {
  Sides sides = sidesOf(e);
  int64_t c = e.constantTerm();
  if (sides.subtracted.empty()) {
    return sumText(sides.added, 0, namer) + " >= " + sumText({}, -c, namer);
  }
  std::string smaller = sumText(sides.subtracted, c < -1 ? -c : 0, namer);
  if (sides.added.empty()) {
    return sumText(sides.subtracted, 0, namer) + " < " + sumText({}, c + 1, namer);
  }
  return smaller + (c == -1 ? " < " : " <= ") + sumText(sides.added, c > 0 ? c : 0, namer);
}

}  // namespace

std::string IndexExpr::toString(const VarNamer& namer) const {
  return sumText(terms(), constant_, namer);
}

std::string Condition::toString(const VarNamer& namer) const {
  switch (kind_) {
    case Kind::True:
      return "true";
    case Kind::False:
      return "false";
    case Kind::NonNegative:
      return nonNegativeText(expr_, namer);
    case Kind::Zero:
      return equalityText(expr_, " == ", namer);
    case Kind::NonZero:
      return equalityText(expr_, " != ", namer);
    case Kind::And:
    case Kind::Or: {
      std::string text;
      for (const Condition& part : parts_) {
        if (!text.empty()) text += kind_ == Kind::And ? " and " : " or ";
        bool nested = part.kind_ == Kind::Or && kind_ == Kind::And;
        text += nested ? "(" + part.toString(namer) + ")" : part.toString(namer);
      }
      return text;
    }
  }
  return "";
}

}  // namespace rlc::polyhedral
