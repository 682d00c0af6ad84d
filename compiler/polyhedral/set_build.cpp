// From conditions and expressions to sets.
#include <isl/mat.h>

#include <algorithm>
#include <optional>

#include "compiler/polyhedral/checked_math.h"
#include "compiler/polyhedral/index_expr_rewrite.h"
#include "compiler/polyhedral/set_impl.h"

namespace rlc::polyhedral {

namespace {

using Atom = IndexExpr::Atom;
using AtomKind = IndexExpr::AtomKind;

constexpr int kFirstValueVar = 1 << 20;

bool fitsInt(int64_t n) {
  return n >= std::numeric_limits<int>::min() && n <= std::numeric_limits<int>::max();
}

isl_val* newVal(isl_ctx* ctx, int64_t n) { return isl_val_int_from_si(ctx, n); }

// Rows of coefficients of the set dimensions followed by the constant.
class Rows {
 public:
  Rows(isl_ctx* ctx, size_t rows, size_t dims)
      : ctx_(ctx),
        mat_(isl_mat_alloc(ctx, static_cast<unsigned>(rows), static_cast<unsigned>(dims + 1))) {
    for (size_t r = 0; r < rows; ++r) {
      for (size_t c = 0; c <= dims; ++c) set(r, c, 0);
    }
  }
  ~Rows() { isl_mat_free(mat_); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void set(size_t row, size_t column, int64_t n) {
    int r = static_cast<int>(row);
    int c = static_cast<int>(column);
    mat_ = fitsInt(n) ? isl_mat_set_element_si(mat_, r, c, static_cast<int>(n))
                      : isl_mat_set_element_val(mat_, r, c, newVal(ctx_, n));
  }
  isl_mat* take() { return std::exchange(mat_, nullptr); }

 private:
  isl_ctx* ctx_;
  isl_mat* mat_;
};

// A constraint without Min, Max and Value: e >= 0, or e == 0.
struct Leaf {
  IndexExpr expr;
  bool equality;
};

// What one conjunction of conditions says: a box, constraints between variables, and disjunctions.
struct Conjunction {
  Box box;
  std::vector<Leaf> leaves;
  std::vector<Condition> disjunctions;
};

const Atom* findExtreme(const IndexExpr& e) {
  for (const auto& term : e.terms()) {
    if (term.atom->kind == AtomKind::Min || term.atom->kind == AtomKind::Max) {
      for (const IndexExpr& arg : term.atom->args) {
        if (const Atom* inner = findExtreme(arg)) return inner;
      }
      return term.atom.get();
    }
    for (const IndexExpr& arg : term.atom->args) {
      if (const Atom* inner = findExtreme(arg)) return inner;
    }
  }
  return nullptr;
}

class Builder {
 public:
  Builder(Context& context, const std::vector<Var>& vars) : context_(context), vars_(vars) {}

  Set build(const Box& start, const Condition& condition) {
    Conjunction conjunction{start, {}, {}};
    add(conjunction, condition);
    if (conjunction.box.empty) return makeSet(context_, vars_, Box::nothing(vars_.size()));
    Set result = conjunction.leaves.empty() ? makeSet(context_, vars_, conjunction.box)
                                            : makeSet(context_, vars_, conjunctionSet(conjunction));
    for (const Condition& disjunction : conjunction.disjunctions) {
      Set any = makeSet(context_, vars_, Box::nothing(vars_.size()));
      for (const Condition& part : disjunction.parts()) {
        any = any.unite(build(conjunction.box, part));
      }
      result = result.intersect(any);
    }
    return result;
  }

 private:
  void add(Conjunction& conjunction, const Condition& condition) {
    switch (condition.kind()) {
      case Condition::Kind::True:
        return;
      case Condition::Kind::False:
        conjunction.box.empty = true;
        return;
      case Condition::Kind::NonNegative:
        addNonNegative(conjunction, condition);
        return;
      case Condition::Kind::Zero:
        if (findExtreme(condition.expr())) {
          add(conjunction, Condition::nonNegative(condition.expr()));
          add(conjunction, Condition::nonNegative(-condition.expr()));
        } else {
          addLeaf(conjunction, {condition.expr(), true});
        }
        return;
      case Condition::Kind::NonZero:
        add(conjunction,
            Condition::less(condition.expr(), 0) || Condition::less(0, condition.expr()));
        return;
      case Condition::Kind::And:
        for (const Condition& part : condition.parts()) add(conjunction, part);
        return;
      case Condition::Kind::Or:
        conjunction.disjunctions.push_back(condition);
        return;
    }
  }

  void addNonNegative(Conjunction& conjunction, const Condition& condition) {
    const IndexExpr& e = condition.expr();
    for (const auto& term : e.terms()) {
      const Atom& atom = *term.atom;
      if (atom.kind != AtomKind::Min && atom.kind != AtomKind::Max) continue;
      // rest + c * min(args) >= 0 with c > 0: with every argument; a max, or c < 0: with some
      // argument.
      bool every = (atom.kind == AtomKind::Min) == (term.coefficient > 0);
      Condition result = every ? Condition::always() : Condition::never();
      for (const IndexExpr& arg : atom.args) {
        Condition part = Condition::nonNegative(replaceAtom(e, atom, arg));
        result = every ? result && part : result || part;
      }
      add(conjunction, result);
      return;
    }
    if (const Atom* inner = findExtreme(e)) {
      add(conjunction, splitByArgument(e, *inner));
      return;
    }
    addLeaf(conjunction, {e, false});
  }

  static IndexExpr replaceAtom(const IndexExpr& e, const Atom& atom, const IndexExpr& by) {
    return rewrite(e, [&](const Atom& other) -> std::optional<IndexExpr> {
      if (&other == &atom) return by;
      return std::nullopt;
    });
  }

  // A min or max inside a quotient or remainder: one case for each argument being the extreme one.
  static Condition splitByArgument(const IndexExpr& e, const Atom& atom) {
    Condition result = Condition::never();
    for (const IndexExpr& arg : atom.args) {
      Condition isExtreme = Condition::always();
      for (const IndexExpr& other : atom.args) {
        if (&other == &arg) continue;
        isExtreme = isExtreme && (atom.kind == AtomKind::Min ? Condition::lessEqual(arg, other)
                                                             : Condition::lessEqual(other, arg));
      }
      result = result || (isExtreme && Condition::nonNegative(replaceAtom(e, atom, arg)));
    }
    return result;
  }

  void addLeaf(Conjunction& conjunction, Leaf leaf) {
    const auto& terms = leaf.expr.terms();
    if (terms.size() != 1 || terms[0].atom->kind != AtomKind::Variable) {
      conjunction.leaves.push_back(std::move(leaf));
      return;
    }
    // Conditions divide by common factors, so the coefficient is 1 or -1.
    int dim = position(terms[0].atom->var);
    int64_t c = leaf.expr.constantTerm();
    int64_t bound = terms[0].coefficient > 0 ? checkedNeg(c) : c;
    Range range;
    if (terms[0].coefficient > 0 || leaf.equality) range.lo = bound;
    if (terms[0].coefficient < 0 || leaf.equality) range.hi = checkedAdd(bound, 1);
    conjunction.box.clamp(static_cast<size_t>(dim), range);
  }

  int position(Var var) const {
    int at = findVar(vars_, var);
    if (at < 0) throw InternalError("a condition mentions a variable that its set lacks");
    return at;
  }

  void fillRow(Rows& rows, size_t row, const IndexExpr& e) {
    for (const auto& term : e.terms()) {
      rows.set(row, static_cast<size_t>(position(term.atom->var)), term.coefficient);
    }
    rows.set(row, vars_.size(), e.constantTerm());
  }

  SetHandle conjunctionSet(const Conjunction& conjunction) {
    isl_ctx* ctx = context_.impl().ctx;
    size_t equalities = 0;
    size_t inequalities = 0;
    for (const Leaf& leaf : conjunction.leaves) {
      if (!leaf.expr.isLinear()) continue;
      ++(leaf.equality ? equalities : inequalities);
    }
    for (const Range& range : conjunction.box.ranges) {
      inequalities += (range.lo != kNoLower) + (range.hi != kNoUpper);
    }
    size_t dims = vars_.size();
    Rows eq(ctx, equalities, dims);
    Rows ineq(ctx, inequalities, dims);
    size_t nextEq = 0;
    size_t nextIneq = 0;
    for (size_t i = 0; i < dims; ++i) {
      const Range& range = conjunction.box.ranges[i];
      if (range.lo != kNoLower) {
        ineq.set(nextIneq, i, 1);
        ineq.set(nextIneq++, dims, checkedNeg(range.lo));
      }
      if (range.hi != kNoUpper) {
        ineq.set(nextIneq, i, -1);
        ineq.set(nextIneq++, dims, checkedAdd(range.hi, -1));
      }
    }
    for (const Leaf& leaf : conjunction.leaves) {
      if (!leaf.expr.isLinear()) continue;
      if (leaf.equality) {
        fillRow(eq, nextEq++, leaf.expr);
      } else {
        fillRow(ineq, nextIneq++, leaf.expr);
      }
    }
    isl_basic_set* set = isl_basic_set_from_constraint_matrices(
        setSpace(ctx, dims).take(), eq.take(), ineq.take(), isl_dim_set, isl_dim_cst, isl_dim_param,
        isl_dim_div);
    for (const Leaf& leaf : conjunction.leaves) {
      if (leaf.expr.isLinear()) continue;
      AffHandle aff = *affOf(ctx, vars_, leaf.expr);
      set = isl_basic_set_add_constraint(set, leaf.equality ? isl_equality_from_aff(aff.take())
                                                            : isl_inequality_from_aff(aff.take()));
    }
    return SetHandle(checked(ctx, isl_set_from_basic_set(set)));
  }

  Context& context_;
  const std::vector<Var>& vars_;
};

// The condition with every Value atom replaced by a scratch variable, together with what is known
// of the values.
struct WithoutValues {
  Condition condition;
  std::vector<Var> values;
};

WithoutValues replaceValues(const Condition& condition) {
  WithoutValues result;
  std::vector<IndexExpr> seen;
  Condition ranges = Condition::always();
  AtomRewriter replace = [&](const Atom& atom) -> std::optional<IndexExpr> {
    if (atom.kind != AtomKind::Value) return std::nullopt;
    IndexExpr value = IndexExpr::value(atom.input, atom.lo, atom.hi);
    auto found = std::find(seen.begin(), seen.end(), value);
    size_t k = static_cast<size_t>(found - seen.begin());
    if (found != seen.end()) return IndexExpr(result.values[k]);
    Var var = scratchVar(kFirstValueVar + static_cast<int>(k));
    seen.push_back(value);
    result.values.push_back(var);
    if (atom.lo) ranges = ranges && Condition::lessEqual(rewrite(*atom.lo, replace), var);
    if (atom.hi) ranges = ranges && Condition::less(var, rewrite(*atom.hi, replace));
    return IndexExpr(var);
  };
  Condition rewritten = rewrite(condition, replace);
  result.condition = rewritten && ranges;
  return result;
}

bool hasValue(const Condition& condition) {
  return condition.expr().hasValue() ||
         std::any_of(condition.parts().begin(), condition.parts().end(), hasValue);
}

AffHandle constantAff(isl_ctx* ctx, size_t dims, int64_t n) {
  isl_local_space* space = isl_local_space_from_space(setSpace(ctx, dims).take());
  isl_aff* aff = isl_aff_zero_on_domain(space);
  return AffHandle(isl_aff_set_constant_val(aff, newVal(ctx, n)));
}

}  // namespace

std::optional<AffHandle> affOf(isl_ctx* ctx, const std::vector<Var>& vars, const IndexExpr& e) {
  AffHandle sum = constantAff(ctx, vars.size(), e.constantTerm());
  for (const auto& term : e.terms()) {
    const Atom& atom = *term.atom;
    switch (atom.kind) {
      case AtomKind::Variable: {
        int at = findVar(vars, atom.var);
        if (at < 0) throw InternalError("an expression mentions a variable that its set lacks");
        sum = AffHandle(
            isl_aff_set_coefficient_val(sum.take(), isl_dim_in, at, newVal(ctx, term.coefficient)));
        break;
      }
      case AtomKind::FloorDiv:
      case AtomKind::Mod: {
        auto arg = affOf(ctx, vars, atom.args[0]);
        if (!arg) return std::nullopt;
        isl_val* divisor = newVal(ctx, atom.divisor);
        isl_aff* part = atom.kind == AtomKind::Mod
                            ? isl_aff_mod_val(arg->take(), divisor)
                            : isl_aff_floor(isl_aff_scale_down_val(arg->take(), divisor));
        part = isl_aff_scale_val(part, newVal(ctx, term.coefficient));
        sum = AffHandle(isl_aff_add(sum.take(), part));
        break;
      }
      case AtomKind::Value:
      case AtomKind::Min:
      case AtomKind::Max:
        return std::nullopt;
    }
  }
  checked(ctx, sum.get());
  return sum;
}

Set restrict(Context& context, const std::vector<Var>& vars, const Box& start,
             const Condition& condition) {
  if (!hasValue(condition)) return Builder(context, vars).build(start, condition);
  WithoutValues replaced = replaceValues(condition);
  std::vector<Var> all = vars;
  all.insert(all.end(), replaced.values.begin(), replaced.values.end());
  Box extended = start;
  extended.ranges.resize(all.size());
  return Builder(context, all).build(extended, replaced.condition).projectOnto(vars);
}

Set Set::of(Context& context, std::vector<Var> vars, const Condition& condition) {
  startOperation(context);
  return restrict(context, vars, Box::universe(vars.size()), condition);
}

Set Set::box(Context& context, std::vector<Var> vars, const std::vector<IndexExpr>& lo,
             const std::vector<IndexExpr>& hi) {
  if (lo.size() != vars.size() || hi.size() != vars.size()) {
    throw InternalError("a box needs a range for each variable");
  }
  Condition condition = Condition::always();
  for (size_t i = 0; i < vars.size(); ++i) {
    condition = condition && Condition::within(vars[i], lo[i], hi[i]);
  }
  return of(context, std::move(vars), condition);
}

}  // namespace rlc::polyhedral
