// Index expressions and conditions over flat arrays of variables: plain data, no allocation for a
// point. compiler/interpreter makes them from those of compiler/polyhedral.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rlc::host {

using Point = std::vector<int64_t>;

struct PointExpr {
  enum class Kind : uint8_t { Value, FloorDiv, Mod, Min, Max };
  struct Linear {
    int64_t coefficient = 0;
    int slot = 0;
  };
  struct Other {
    int64_t coefficient = 0;
    Kind kind = Kind::Value;
    int input = 0;        // Value
    int64_t divisor = 1;  // FloorDiv, Mod
    std::vector<PointExpr> args;
    int64_t operator()(const int64_t* vars, const int64_t* values) const;
  };
  int64_t constant = 0;
  std::vector<Linear> linear;
  std::vector<Other> others;

  // `values`: the values that Value terms stand for, by input number.
  int64_t operator()(const int64_t* vars, const int64_t* values = nullptr) const {
    uint64_t sum = static_cast<uint64_t>(constant);
    for (const Linear& term : linear)
      sum += static_cast<uint64_t>(term.coefficient) * static_cast<uint64_t>(vars[term.slot]);
    for (const Other& term : others)
      sum += static_cast<uint64_t>(term.coefficient) * static_cast<uint64_t>(term(vars, values));
    return static_cast<int64_t>(sum);
  }
};

struct PointCondition {
  enum class Kind : uint8_t { True, False, NonNegative, Zero, NonZero, And, Or };
  Kind kind = Kind::True;
  PointExpr expr;
  std::vector<PointCondition> parts;
  bool operator()(const int64_t* vars) const;
};

// Visits the points between bounds, in lexicographic order.
struct PointScan {
  struct Level {
    int slot = 0;
    PointExpr lo, hi;  // hi exclusive
  };
  std::vector<Level>
      levels;  // outermost first; variables without a level have their values in the array

  enum class Next : uint8_t { Stop, On, SkipRest };  // of the innermost range

  // visit() -> Next. `from`: the first value of the outermost level to consider.
  template <typename Visit>
  Next forEach(int64_t* vars, const Visit& visit, int64_t from = INT64_MIN) const {
    return walk(0, vars, visit, from);
  }

 private:
  template <typename Visit>
  Next walk(size_t depth, int64_t* vars, const Visit& visit, int64_t from) const {
    if (depth == levels.size()) return visit();
    const Level& level = levels[depth];
    int64_t lo = level.lo(vars);
    const int64_t hi = level.hi(vars);
    if (lo < from) lo = from;
    for (int64_t value = lo; value < hi; ++value) {
      vars[level.slot] = value;
      const Next next = walk(depth + 1, vars, visit, INT64_MIN);
      if (next == Next::Stop) return next;
      if (next == Next::SkipRest && depth + 1 == levels.size()) break;
    }
    return Next::On;
  }
};

}  // namespace rlc::host
