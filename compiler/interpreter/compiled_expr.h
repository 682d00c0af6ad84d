// Index expressions and conditions over flat arrays of variables: no isl and no allocation per
// point.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/polyhedral/set.h"

namespace rlc::interpreter {

using polyhedral::Condition;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

// Where each variable of a node stands in its array.
using Slots = std::map<Var, int>;

class CompiledExpr {
 public:
  CompiledExpr() = default;
  CompiledExpr(const IndexExpr& expr, const Slots& slots);

  // `values`: the values that Value atoms stand for, by input number.
  int64_t operator()(const int64_t* vars, const int64_t* values) const {
    uint64_t sum = static_cast<uint64_t>(constant_);
    for (const Linear& term : linear_)
      sum += static_cast<uint64_t>(term.coefficient) * static_cast<uint64_t>(vars[term.slot]);
    for (const Other& term : others_)
      sum += static_cast<uint64_t>(term.coefficient) *
             static_cast<uint64_t>(evaluate(term, vars, values));
    return static_cast<int64_t>(sum);
  }

 private:
  struct Linear {
    int64_t coefficient;
    int slot;
  };
  struct Other {
    int64_t coefficient;
    IndexExpr::AtomKind kind;
    int input;
    int64_t divisor;
    std::vector<CompiledExpr> args;
  };
  static int64_t evaluate(const Other& term, const int64_t* vars, const int64_t* values);

  int64_t constant_ = 0;
  std::vector<Linear> linear_;
  std::vector<Other> others_;
};

class CompiledCondition {
 public:
  CompiledCondition() = default;  // true
  CompiledCondition(const Condition& condition, const Slots& slots);
  bool operator()(const int64_t* vars) const;

 private:
  Condition::Kind kind_ = Condition::Kind::True;
  CompiledExpr expr_;
  std::vector<CompiledCondition> parts_;
};

// Membership in a set whose variables are among the slots.
class CompiledSet {
 public:
  CompiledSet() = default;
  CompiledSet(const Set& set, const Slots& slots);
  bool contains(const int64_t* vars) const;

 private:
  CompiledCondition condition_;
  // Only where the set can't be expressed as a condition.
  std::vector<Set> exact_;
  std::vector<int> exact_slots_;
};

// Visits the points of some variables of a set, given the others, in lexicographic order.
class CompiledScan {
 public:
  CompiledScan() = default;
  // `given` have their values in the array; `scanned` get theirs, outermost first.
  CompiledScan(const Set& set, const std::vector<Var>& given, const std::vector<Var>& scanned,
               const Slots& slots);

  // visit() -> bool: false stops. `from`: the first value of the outermost scanned variable to
  // consider. About how many points there are: a product of the ranges at their lower corner.
  double estimate(int64_t* vars) const;

  // visit() -> bool, false stops; or -> Next.
  enum class Next : uint8_t { Stop, On, SkipRest };  // of the innermost range
  template <typename Visit>
  void forEach(int64_t* vars, const Visit& visit, int64_t from = INT64_MIN) const {
    if constexpr (std::is_same_v<decltype(visit()), Next>) {
      walk(0, vars, visit, from);
    } else {
      walk(0, vars, [&] { return visit() ? Next::On : Next::Stop; }, from);
    }
  }

 private:
  struct Level {
    int slot;
    CompiledExpr lo, hi;  // hi exclusive
  };

  template <typename Visit>
  Next walk(size_t depth, int64_t* vars, const Visit& visit, int64_t from) const {
    if (depth == levels_.size()) return set_.contains(vars) ? visit() : Next::On;
    const Level& level = levels_[depth];
    int64_t lo = level.lo(vars, nullptr);
    const int64_t hi = level.hi(vars, nullptr);
    if (lo < from) lo = from;
    for (int64_t value = lo; value < hi; ++value) {
      vars[level.slot] = value;
      const Next next = walk(depth + 1, vars, visit, INT64_MIN);
      if (next == Next::Stop) return next;
      if (next == Next::SkipRest && depth + 1 == levels_.size()) break;
    }
    return Next::On;
  }

  std::vector<Level> levels_;
  CompiledSet set_;
};

}  // namespace rlc::interpreter
