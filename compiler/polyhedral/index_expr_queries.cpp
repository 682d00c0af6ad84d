// What an expression is, which variables it mentions, its value, and substitution.
#include <algorithm>

#include "compiler/polyhedral/checked_math.h"
#include "compiler/polyhedral/index_expr.h"
#include "compiler/polyhedral/index_expr_rewrite.h"
#include "compiler/types/lists.h"

namespace rlc::polyhedral {

namespace {

using Atom = IndexExpr::Atom;
using AtomKind = IndexExpr::AtomKind;

std::shared_ptr<const IndexExpr> rewriteBound(const std::shared_ptr<const IndexExpr>& bound,
                                              const AtomRewriter& replacement) {
  return bound ? std::make_shared<const IndexExpr>(rewrite(*bound, replacement)) : nullptr;
}

IndexExpr rewriteAtom(const Atom& atom, const AtomRewriter& replacement) {
  if (auto replaced = replacement(atom)) return *replaced;
  switch (atom.kind) {
    case AtomKind::Variable:
      return IndexExpr(atom.var);
    case AtomKind::Value:
      return IndexExpr::value(atom.input, rewriteBound(atom.lo, replacement),
                              rewriteBound(atom.hi, replacement));
    case AtomKind::FloorDiv:
      return IndexExpr::floorDiv(rewrite(atom.args[0], replacement), atom.divisor);
    case AtomKind::Mod:
      return IndexExpr::mod(rewrite(atom.args[0], replacement), atom.divisor);
    case AtomKind::Min:
    case AtomKind::Max: {
      IndexExpr result = rewrite(atom.args[0], replacement);
      for (size_t i = 1; i < atom.args.size(); ++i) {
        IndexExpr arg = rewrite(atom.args[i], replacement);
        result =
            atom.kind == AtomKind::Min ? IndexExpr::min(result, arg) : IndexExpr::max(result, arg);
      }
      return result;
    }
  }
  throw InternalError("unknown kind of index atom");
}

int64_t evaluateAtom(const Atom& atom, const std::function<int64_t(Var)>& variable,
                     const std::function<int64_t(int)>& value) {
  switch (atom.kind) {
    case AtomKind::Variable:
      return variable(atom.var);
    case AtomKind::Value:
      if (!value) throw InternalError("an index expression reads a value where there is none");
      return value(atom.input);
    case AtomKind::FloorDiv:
      return floorQuotient(atom.args[0].evaluate(variable, value), atom.divisor);
    case AtomKind::Mod:
      return floorRemainder(atom.args[0].evaluate(variable, value), atom.divisor);
    case AtomKind::Min:
    case AtomKind::Max: {
      int64_t best = atom.args[0].evaluate(variable, value);
      for (size_t i = 1; i < atom.args.size(); ++i) {
        int64_t other = atom.args[i].evaluate(variable, value);
        best = atom.kind == AtomKind::Min ? std::min(best, other) : std::max(best, other);
      }
      return best;
    }
  }
  throw InternalError("unknown kind of index atom");
}

}  // namespace

IndexExpr rewrite(const IndexExpr& e, const AtomRewriter& replacement) {
  IndexExpr result(e.constantTerm());
  for (const auto& term : e.terms()) {
    result = result + rewriteAtom(*term.atom, replacement) * term.coefficient;
  }
  return result;
}

std::optional<int64_t> IndexExpr::asConstant() const {
  if (!terms().empty()) return std::nullopt;
  return constant_;
}

std::optional<Var> IndexExpr::asVariable() const {
  auto shifted = asShifted();
  if (!shifted || shifted->offset != 0) return std::nullopt;
  return shifted->var;
}

std::optional<IndexExpr::Shifted> IndexExpr::asShifted() const {
  if (terms().size() != 1 || terms()[0].coefficient != 1 ||
      terms()[0].atom->kind != AtomKind::Variable) {
    return std::nullopt;
  }
  return Shifted{terms()[0].atom->var, constant_};
}

bool IndexExpr::isLinear() const {
  return std::all_of(terms().begin(), terms().end(),
                     [](const Term& t) { return t.atom->kind == AtomKind::Variable; });
}

bool IndexExpr::hasValue() const {
  return std::any_of(terms().begin(), terms().end(), [](const Term& t) {
    return t.atom->kind == AtomKind::Value ||
           std::any_of(t.atom->args.begin(), t.atom->args.end(),
                       [](const IndexExpr& arg) { return arg.hasValue(); });
  });
}

void IndexExpr::collectVariables(std::vector<Var>& out) const {
  for (const Term& term : terms()) {
    const Atom& atom = *term.atom;
    if (atom.kind == AtomKind::Variable) {
      if (!contains(out, atom.var)) out.push_back(atom.var);
      continue;
    }
    for (const IndexExpr& arg : atom.args) arg.collectVariables(out);
    if (atom.lo) atom.lo->collectVariables(out);
    if (atom.hi) atom.hi->collectVariables(out);
  }
}

bool IndexExpr::mentions(Var var) const {
  return std::any_of(terms().begin(), terms().end(), [&](const Term& term) {
    const Atom& atom = *term.atom;
    if (atom.kind == AtomKind::Variable) return atom.var == var;
    return std::any_of(atom.args.begin(), atom.args.end(),
                       [&](const IndexExpr& arg) { return arg.mentions(var); }) ||
           (atom.lo && atom.lo->mentions(var)) || (atom.hi && atom.hi->mentions(var));
  });
}

int64_t IndexExpr::coefficientOf(Var var) const {
  for (const Term& term : terms()) {
    if (term.atom->kind == AtomKind::Variable && term.atom->var == var) return term.coefficient;
  }
  return 0;
}

IndexExpr IndexExpr::substitute(const std::map<Var, IndexExpr>& replacement, int inputShift) const {
  if (terms().empty()) return *this;
  AtomRewriter replace = [&](const Atom& atom) -> std::optional<IndexExpr> {
    if (atom.kind == AtomKind::Variable) {
      auto found = replacement.find(atom.var);
      if (found != replacement.end()) return found->second;
    }
    if (atom.kind == AtomKind::Value && inputShift != 0) {
      return value(atom.input + inputShift, rewriteBound(atom.lo, replace),
                   rewriteBound(atom.hi, replace));
    }
    return std::nullopt;
  };
  return rewrite(*this, replace);
}

IndexExpr IndexExpr::mapInputs(const std::function<int(int)>& renumber) const {
  AtomRewriter replace = [&](const Atom& atom) -> std::optional<IndexExpr> {
    if (atom.kind != AtomKind::Value) return std::nullopt;
    return value(renumber(atom.input), rewriteBound(atom.lo, replace),
                 rewriteBound(atom.hi, replace));
  };
  return rewrite(*this, replace);
}

int64_t IndexExpr::evaluate(const std::function<int64_t(Var)>& variable,
                            const std::function<int64_t(int)>& value) const {
  int64_t sum = constant_;
  for (const Term& term : terms()) {
    sum = checkedAdd(sum, checkedMul(term.coefficient, evaluateAtom(*term.atom, variable, value)));
  }
  return sum;
}

}  // namespace rlc::polyhedral
