// Random conditions and sets for this folder's tests, with brute force to compare with.
#pragma once

#include <random>
#include <set>
#include <string>
#include <vector>

#include "compiler/polyhedral/set.h"

namespace rlc::polyhedral::testing {

inline const Var t = Var::dim(0), u = Var::dim(1), v = Var::dim(2);

inline std::string name(Var v) {
  if (v.isElement()) return "e" + std::to_string(v.elementAxis());
  return v.id < 8 ? std::string(1, "tuvwxyzk"[v.id]) : "d" + std::to_string(v.id);
}

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}

  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(generator_); }

  IndexExpr linear(const std::vector<Var>& vars) {
    IndexExpr e = pick(-3, 3);
    for (Var var : vars) {
      if (pick(0, 1)) e = e + IndexExpr(var) * pick(-2, 2);
    }
    return e;
  }

  // `rich`: with quotients, remainders, min and max.
  IndexExpr expr(const std::vector<Var>& vars, bool rich) {
    if (!rich) return linear(vars);
    switch (pick(0, 7)) {
      case 0:
        return IndexExpr::floorDiv(linear(vars), pick(2, 4)) + linear(vars);
      case 1:
        return IndexExpr::mod(linear(vars), pick(2, 4)) * pick(-2, 2) + pick(-1, 1);
      case 2:
        return IndexExpr::min(linear(vars), linear(vars)) + pick(-1, 1);
      case 3:
        return IndexExpr::max(linear(vars), linear(vars)) - linear(vars);
      case 4:
        return IndexExpr::floorDiv(IndexExpr::min(linear(vars), linear(vars)), pick(2, 3));
      default:
        return linear(vars);
    }
  }

  Condition condition(const std::vector<Var>& vars, bool rich, int depth) {
    if (depth > 0) {
      switch (pick(0, 3)) {
        case 0:
          return condition(vars, rich, depth - 1) || condition(vars, rich, depth - 1);
        case 1:
          return !condition(vars, rich, depth - 1);
        default:
          return condition(vars, rich, depth - 1) && condition(vars, rich, depth - 1);
      }
    }
    IndexExpr e = expr(vars, rich);
    switch (pick(0, 6)) {
      case 0:
        return Condition::equal(e, pick(-2, 2));
      case 1:
        return Condition::notEqual(e, 0);
      default:
        return Condition::lessEqual(e, pick(-2, 4));
    }
  }

 private:
  std::mt19937 generator_;
};

constexpr int64_t kLow = -3;
constexpr int64_t kHigh = 4;  // exclusive

inline Condition smallBox(const std::vector<Var>& vars) {
  Condition result = Condition::always();
  for (Var var : vars) result = result && Condition::within(var, kLow, kHigh);
  return result;
}

inline std::function<int64_t(Var)> valuesAt(const std::vector<Var>& vars, const Point& point) {
  return [&vars, point](Var var) {
    for (size_t i = 0; i < vars.size(); ++i) {
      if (vars[i] == var) return point[i];
    }
    return int64_t{0};
  };
}

// All points of the small box that satisfy the condition, in order.
inline std::vector<Point> bruteForce(const std::vector<Var>& vars, const Condition& condition) {
  std::vector<Point> result;
  Point point(vars.size(), kLow);
  for (;;) {
    if (condition.evaluate(valuesAt(vars, point))) result.push_back(point);
    size_t i = vars.size();
    while (i > 0 && ++point[i - 1] == kHigh) point[--i] = kLow;
    if (i == 0) return result;
  }
}

inline std::vector<Point> pointsOf(const Set& set) {
  std::vector<Point> result;
  set.forEachPoint([&](const Point& p) { result.push_back(p); });
  return result;
}

}  // namespace rlc::polyhedral::testing
