#include "compiler/interpreter/compiled_expr.h"

#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/polyhedral/checked_math.h"

namespace rlc::interpreter {

namespace {

int slotOf(Var var, const Slots& slots) {
  const auto found = slots.find(var);
  if (found == slots.end())
    throw InternalError("an index expression mentions a variable that is not in scope");
  return found->second;
}

}  // namespace

CompiledExpr::CompiledExpr(const IndexExpr& expr, const Slots& slots)
    : constant_(expr.constantTerm()) {
  for (const IndexExpr::Term& term : expr.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    if (atom.kind == IndexExpr::AtomKind::Variable) {
      linear_.push_back({term.coefficient, slotOf(atom.var, slots)});
      continue;
    }
    Other other{term.coefficient, atom.kind, atom.input, atom.divisor, {}};
    for (const IndexExpr& arg : atom.args) other.args.emplace_back(arg, slots);
    others_.push_back(std::move(other));
  }
}

int64_t CompiledExpr::evaluate(const Other& term, const int64_t* vars, const int64_t* values) {
  switch (term.kind) {
    case IndexExpr::AtomKind::Value:
      return values[term.input];
    case IndexExpr::AtomKind::FloorDiv:
      return polyhedral::floorQuotient(term.args[0](vars, values), term.divisor);
    case IndexExpr::AtomKind::Mod:
      return polyhedral::floorRemainder(term.args[0](vars, values), term.divisor);
    case IndexExpr::AtomKind::Min:
    case IndexExpr::AtomKind::Max: {
      int64_t best = term.args[0](vars, values);
      for (size_t i = 1; i < term.args.size(); ++i) {
        const int64_t next = term.args[i](vars, values);
        best = term.kind == IndexExpr::AtomKind::Min ? std::min(best, next) : std::max(best, next);
      }
      return best;
    }
    case IndexExpr::AtomKind::Variable:
      break;
  }
  throw InternalError("an unknown atom in an index expression");
}

CompiledCondition::CompiledCondition(const Condition& condition, const Slots& slots)
    : kind_(condition.kind()) {
  switch (kind_) {
    case Condition::Kind::True:
    case Condition::Kind::False:
      break;
    case Condition::Kind::NonNegative:
    case Condition::Kind::Zero:
    case Condition::Kind::NonZero:
      expr_ = CompiledExpr(condition.expr(), slots);
      break;
    case Condition::Kind::And:
    case Condition::Kind::Or:
      for (const Condition& part : condition.parts()) parts_.emplace_back(part, slots);
      break;
  }
}

bool CompiledCondition::operator()(const int64_t* vars) const {
  switch (kind_) {
    case Condition::Kind::True:
      return true;
    case Condition::Kind::False:
      return false;
    case Condition::Kind::NonNegative:
      return expr_(vars, nullptr) >= 0;
    case Condition::Kind::Zero:
      return expr_(vars, nullptr) == 0;
    case Condition::Kind::NonZero:
      return expr_(vars, nullptr) != 0;
    case Condition::Kind::And:
      return std::all_of(parts_.begin(), parts_.end(),
                         [&](const CompiledCondition& part) { return part(vars); });
    case Condition::Kind::Or:
      return std::any_of(parts_.begin(), parts_.end(),
                         [&](const CompiledCondition& part) { return part(vars); });
  }
  return false;
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
    if (std::find(set.vars().begin(), set.vars().end(), var) != set.vars().end())
      order.push_back(var);
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
    levels_.push_back({slotOf(var, slots), CompiledExpr(*lo, slots), CompiledExpr(*hi, slots)});
  }
}

double CompiledScan::estimate(int64_t* vars) const {
  double points = 1;
  for (const Level& level : levels_) {
    const int64_t lo = level.lo(vars, nullptr), hi = level.hi(vars, nullptr);
    if (hi <= lo) return 0;
    points *= static_cast<double>(hi) - static_cast<double>(lo);
    vars[level.slot] = lo;
  }
  return points;
}

}  // namespace rlc::interpreter
