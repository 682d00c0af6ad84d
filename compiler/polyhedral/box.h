// Boxes: products of integer ranges. Most domains of real programs are boxes, and need no isl.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace rlc::polyhedral {

constexpr int64_t kNoLower = std::numeric_limits<int64_t>::min();
constexpr int64_t kNoUpper = std::numeric_limits<int64_t>::max();

// [lo, hi); kNoLower and kNoUpper: unbounded on that side.
struct Range {
  int64_t lo = kNoLower;
  int64_t hi = kNoUpper;

  bool bounded() const { return lo != kNoLower && hi != kNoUpper; }
  bool empty() const { return lo >= hi; }
  bool contains(int64_t value) const {
    return (lo == kNoLower || value >= lo) && (hi == kNoUpper || value < hi);
  }
  bool operator==(const Range&) const = default;
};

struct Box {
  std::vector<Range> ranges;
  bool empty = false;  // then the ranges mean nothing

  static Box universe(size_t dims) { return {std::vector<Range>(dims), false}; }
  static Box nothing(size_t dims) { return {std::vector<Range>(dims), true}; }

  // Keeps what lies in `range` too.
  void clamp(size_t dim, Range range) {
    Range& own = ranges[dim];
    own.lo = std::max(own.lo, range.lo);
    own.hi = std::min(own.hi, range.hi);
    if (own.empty()) empty = true;
  }
};

bool equal(const Box& a, const Box& b);
bool isSubset(const Box& a, const Box& b);
Box intersect(const Box& a, const Box& b);
// Nothing when the result is no box.
std::optional<Box> unite(const Box& a, const Box& b);
std::optional<Box> subtract(const Box& a, const Box& b);
// Saturates at the largest integer; the box is bounded.
int64_t count(const Box& box);

}  // namespace rlc::polyhedral
