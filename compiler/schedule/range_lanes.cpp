#include "compiler/schedule/range_lanes.h"

namespace rlc::schedule {

namespace {

constexpr int64_t kFewestPoints = 16;  // shorter ranges are quicker one after the other
constexpr int64_t kFewestOfLongest = 64;

}  // namespace

bool isLongRange(const IndexExpr& length, const Set& where) {
  if (const auto trip = length.asConstant()) return *trip >= kFewestPoints;
  const auto longest = where.maximum(length);
  return longest && *longest >= kFewestOfLongest;
}

}  // namespace rlc::schedule
