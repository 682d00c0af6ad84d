// Intervals of real numbers, closed, and what operations make of them. An interval speaks of what
// is a number: NaN may always come beside it.
#pragma once

#include <limits>

#include "compiler/types/scalar.h"
#include "compiler/types/scalar_op.h"

namespace rlc::passes {

struct Interval {
  double lo = std::numeric_limits<double>::infinity();  // lo > hi: empty
  double hi = -std::numeric_limits<double>::infinity();

  static Interval all() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  bool empty() const { return lo > hi; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

Interval unite(Interval a, Interval b);
Interval intersect(Interval a, Interval b);

Interval exactly(const Scalar& value);  // nothing of NaN

// What `op` makes of values in `a` (and `b`), computed and rounded in `operand` and `result`. All
// numbers where nothing better is known; Select is not asked for.
Interval apply(ScalarOp op, DType operand, DType result, Interval a, Interval b);

}  // namespace rlc::passes
