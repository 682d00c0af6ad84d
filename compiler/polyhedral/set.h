// Sets of integer points over an ordered list of variables (isl underneath). Relations are sets
// over the variables of both sides.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/polyhedral/index_expr.h"

namespace rlc::polyhedral {

using Point = std::vector<int64_t>;  // one coordinate per variable of the set, in its order

// The compile-wide isl context; created once by the driver, passed explicitly, outlives every Set
// made with it. Every operation is bounded (isl_ctx_set_max_operations); running out throws
// OperationLimit.
class Context {
 public:
  // About two seconds of isl's work by default; what programs need stays far below.
  explicit Context(unsigned long operationBudget = 20'000'000);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

class OperationLimit : public std::exception {
 public:
  const char* what() const noexcept override {
    return "the polyhedral library ran out of its operation budget";
  }
};

class Set {
 public:
  Set();  // moved-from or unset; only assignable
  Set(const Set&);
  Set(Set&&) noexcept;
  Set& operator=(const Set&);
  Set& operator=(Set&&) noexcept;
  ~Set();

  static Set universe(Context& context, std::vector<Var> vars);
  static Set empty(Context& context, std::vector<Var> vars);
  static Set of(Context& context, std::vector<Var> vars, const Condition& condition);
  static Set box(Context& context, std::vector<Var> vars, const std::vector<IndexExpr>& lo,
                 const std::vector<IndexExpr>&
                     hi);  // lo <= v < hi, later bounds may mention earlier variables

  const std::vector<Var>& vars() const;
  Context& context() const;

  // Binary operations need the same variables, in any order; the result has this set's order.
  Set intersect(const Set& other) const;
  Set unite(const Set& other) const;
  Set subtract(const Set& other) const;
  Set intersect(const Condition& condition)
      const;  // over this set's variables; Value atoms stand for any value of their range
  // Conjunction of sets over different variables: the result's variables are this set's, then the
  // others of `other`.
  Set join(const Set& other) const;
  Set projectOnto(
      const std::vector<Var>& kept) const;  // existential; `kept` gives the result's order
  Set extendTo(const std::vector<Var>& vars)
      const;  // superset of vars(), in the given order; the new ones unconstrained
  Set rename(const std::map<Var, Var>& names) const;
  Set fix(Var var, int64_t value) const;  // var stays, with one value
  // { newVars : (at[0], ..., at[n-1]) in this }, restricted to points of `domain` (over newVars).
  // Value atoms: some value of the range is in this.
  Set preimage(const Set& domain, const std::vector<IndexExpr>& at) const;
  // { (x, y) : x in domain, y = at(x) } over domain.vars() + outs. A Value atom of range [lo, hi)
  // relates x to every y in its range.
  static Set access(const Set& domain, const std::vector<IndexExpr>& at,
                    const std::vector<Var>& outs);
  Set gist(const Set& known) const;  // fewer constraints, equal to this within `known`
  Set coalesce() const;
  Set hull() const;  // simple (convex) over-approximation

  bool isEmpty() const;
  bool isSubset(const Set& other) const;
  bool isEqual(const Set& other) const;
  bool isDisjoint(const Set& other) const;
  bool contains(const Point& point) const;
  bool isBounded() const;
  std::optional<Point> lexmin() const;  // nullopt: empty
  std::optional<Point> lexmax() const;
  int64_t count() const;  // number of points of a bounded set; INT64_MAX: that many or more
  // Of a bounded set, without counting on; also if that takes millions of steps to tell.
  bool hasMoreThan(int64_t points) const;
  void forEachPoint(const std::function<void(const Point&)>& visit)
      const;  // lexicographic order, bounded sets; must stream

  // Extremes of an expression over the set. nullopt: the set is empty. INT64_MIN / INT64_MAX:
  // unbounded.
  std::optional<int64_t> minimum(const IndexExpr& e) const;
  std::optional<int64_t> maximum(const IndexExpr& e) const;

  // `var` as a function of the other variables, where the set determines it (its equalities, or a
  // single value): nullopt otherwise.
  std::optional<IndexExpr> solve(Var var) const;
  // Tightest bounds of `var` given the variables before it in vars() order (later ones projected
  // out), as expressions valid for the whole projection; nullopt where isl needs several pieces
  // that min/max can't express.
  std::optional<IndexExpr> lowerBound(Var var) const;
  std::optional<IndexExpr> upperBound(Var var) const;  // exclusive
  // The set as a condition over its variables (disjunctive where needed); existentials become
  // floorDiv/mod. nullopt: can't be expressed.
  std::optional<Condition> toCondition() const;

  std::string toString(const VarNamer& namer) const;  // "{ [i, t] : 0 <= t < 10 }"

  struct Impl;
  const Impl& impl() const { return *impl_; }
  explicit Set(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace rlc::polyhedral
