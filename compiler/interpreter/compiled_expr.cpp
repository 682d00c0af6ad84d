#include "compiler/interpreter/compiled_expr.h"

#include "compiler/diagnostics/internal_error.h"
#include "compiler/types/lists.h"

namespace rlc::interpreter {

namespace {

int slotOf(Var var, const Slots& slots) {
  const auto found = slots.find(var);
  if (found == slots.end())
    throw InternalError("an index expression mentions a variable that is not in scope");
  return found->second;
}

}  // namespace

CompiledExpr::CompiledExpr(const IndexExpr& expr, const Slots& slots) {
  constant = expr.constantTerm();
  for (const IndexExpr::Term& term : expr.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    Other other;
    other.coefficient = term.coefficient;
    other.input = atom.input;
    other.divisor = atom.divisor;
    switch (atom.kind) {
      case IndexExpr::AtomKind::Variable:
        linear.push_back({term.coefficient, slotOf(atom.var, slots)});
        continue;
      case IndexExpr::AtomKind::Value:
        other.kind = Kind::Value;
        break;
      case IndexExpr::AtomKind::FloorDiv:
        other.kind = Kind::FloorDiv;
        break;
      case IndexExpr::AtomKind::Mod:
        other.kind = Kind::Mod;
        break;
      case IndexExpr::AtomKind::Min:
        other.kind = Kind::Min;
        break;
      case IndexExpr::AtomKind::Max:
        other.kind = Kind::Max;
        break;
    }
    for (const IndexExpr& arg : atom.args) other.args.push_back(CompiledExpr(arg, slots));
    others.push_back(std::move(other));
  }
}

CompiledCondition::CompiledCondition(const Condition& condition, const Slots& slots) {
  const auto compare = [&](Kind how) {
    kind = how;
    expr = CompiledExpr(condition.expr(), slots);
  };
  const auto join = [&](Kind how) {
    kind = how;
    for (const Condition& part : condition.parts()) parts.push_back(CompiledCondition(part, slots));
  };
  switch (condition.kind()) {
    case Condition::Kind::True:
      kind = Kind::True;
      break;
    case Condition::Kind::False:
      kind = Kind::False;
      break;
    case Condition::Kind::NonNegative:
      compare(Kind::NonNegative);
      break;
    case Condition::Kind::Zero:
      compare(Kind::Zero);
      break;
    case Condition::Kind::NonZero:
      compare(Kind::NonZero);
      break;
    case Condition::Kind::And:
      join(Kind::And);
      break;
    case Condition::Kind::Or:
      join(Kind::Or);
      break;
  }
}

CompiledSet::CompiledSet(const Set& set, const Slots& slots) {
  if (auto condition = set.toCondition()) {
    condition_ = CompiledCondition(*condition, slots);
    return;
  }
  exact_.push_back(set);
  for (Var var : set.vars()) exact_slots_.push_back(slotOf(var, slots));
}

bool CompiledSet::contains(const int64_t* vars) const {
  if (exact_.empty()) return condition_(vars);
  polyhedral::Point point;
  for (int slot : exact_slots_) point.push_back(vars[slot]);
  return exact_.front().contains(point);
}

CompiledScan::CompiledScan(const Set& set, const std::vector<Var>& given,
                           const std::vector<Var>& scanned, const Slots& slots) {
  std::vector<Var> order;
  for (Var var : given)
    if (contains(set.vars(), var)) order.push_back(var);
  order.insert(order.end(), scanned.begin(), scanned.end());
  const Set ordered = set.projectOnto(order);
  set_ = CompiledSet(ordered, slots);
  for (Var var : scanned) {
    auto lo = ordered.lowerBound(var), hi = ordered.upperBound(var);
    // Bounds that need several pieces: the box's; membership is tested point by point anyway.
    if (!lo) lo = IndexExpr(ordered.minimum(var).value_or(0));
    if (!hi) hi = IndexExpr(ordered.maximum(var).value_or(-1)) + 1;
    if (lo->asConstant() == INT64_MIN || hi->asConstant() == INT64_MIN)
      throw InternalError("a reduction's range is unbounded");
    box_.levels.push_back({slotOf(var, slots), CompiledExpr(*lo, slots), CompiledExpr(*hi, slots)});
  }
}

double CompiledScan::estimate(int64_t* vars) const {
  double points = 1;
  for (const host::PointScan::Level& level : box_.levels) {
    const int64_t lo = level.lo(vars), hi = level.hi(vars);
    if (hi <= lo) return 0;
    points *= static_cast<double>(hi) - static_cast<double>(lo);
    vars[level.slot] = lo;
  }
  return points;
}

}  // namespace rlc::interpreter
