// Index expressions, conditions and sets made into plain data for evaluation
// (jit/host/point_expr.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/polyhedral/set.h"
#include "jit/host/point_expr.h"

namespace rlc::interpreter {

using polyhedral::Condition;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

// Where each variable of a node stands in its array.
using Slots = std::map<Var, int>;

struct CompiledExpr : host::PointExpr {
  CompiledExpr() = default;
  CompiledExpr(const IndexExpr& expr, const Slots& slots);
};

struct CompiledCondition : host::PointCondition {
  CompiledCondition() = default;  // true
  CompiledCondition(const Condition& condition, const Slots& slots);
};

// Membership in a set whose variables are among the slots.
class CompiledSet {
 public:
  CompiledSet() = default;
  CompiledSet(const Set& set, const Slots& slots);
  bool contains(const int64_t* vars) const;
  // nullptr where the set can't be expressed as a condition.
  const host::PointCondition* condition() const { return exact_.empty() ? &condition_ : nullptr; }

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

  // About how many points there are: a product of the ranges at their lower corner.
  double estimate(int64_t* vars) const;

  // visit() -> bool, false stops; or -> Next. `from`: the first value of the outermost scanned
  // variable to consider.
  using Next = host::PointScan::Next;
  template <typename Visit>
  void forEach(int64_t* vars, const Visit& visit, int64_t from = INT64_MIN) const {
    box_.forEach(
        vars,
        [&] {
          if (!set_.contains(vars)) return Next::On;
          if constexpr (std::is_same_v<decltype(visit()), Next>) {
            return visit();
          } else {
            return visit() ? Next::On : Next::Stop;
          }
        },
        from);
  }

  const host::PointScan& box() const { return box_; }
  const CompiledSet& set() const { return set_; }

 private:
  host::PointScan box_;
  CompiledSet set_;
};

}  // namespace rlc::interpreter
