#include "compiler/polyhedral/box.h"

#include <algorithm>

namespace rlc::polyhedral {

namespace {

bool isSubset(const Range& a, const Range& b) { return a.lo >= b.lo && a.hi <= b.hi; }

Range intersect(const Range& a, const Range& b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

}  // namespace

bool equal(const Box& a, const Box& b) {
  if (a.empty || b.empty) return a.empty == b.empty;
  return a.ranges == b.ranges;
}

bool isSubset(const Box& a, const Box& b) {
  if (a.empty || b.empty) return a.empty;
  for (size_t i = 0; i < a.ranges.size(); ++i) {
    if (!isSubset(a.ranges[i], b.ranges[i])) return false;
  }
  return true;
}

Box intersect(const Box& a, const Box& b) {
  Box result = a;
  result.empty = a.empty || b.empty;
  for (size_t i = 0; i < a.ranges.size() && !result.empty; ++i) result.clamp(i, b.ranges[i]);
  return result;
}

std::optional<Box> unite(const Box& a, const Box& b) {
  if (a.empty || isSubset(a, b)) return b;
  if (b.empty || isSubset(b, a)) return a;
  // Boxes that differ in one range only, where the ranges touch.
  std::optional<size_t> differing;
  for (size_t i = 0; i < a.ranges.size(); ++i) {
    if (a.ranges[i] == b.ranges[i]) continue;
    if (differing) return std::nullopt;
    differing = i;
  }
  if (!differing) return a;
  const Range& r = a.ranges[*differing];
  const Range& s = b.ranges[*differing];
  if (std::max(r.lo, s.lo) > std::min(r.hi, s.hi)) return std::nullopt;
  Box result = a;
  result.ranges[*differing] = {std::min(r.lo, s.lo), std::max(r.hi, s.hi)};
  return result;
}

std::optional<Box> subtract(const Box& a, const Box& b) {
  if (a.empty || b.empty) return a;
  if (isSubset(a, b)) return Box::nothing(a.ranges.size());
  std::optional<size_t> uncovered;
  for (size_t i = 0; i < a.ranges.size(); ++i) {
    if (intersect(a.ranges[i], b.ranges[i]).empty()) return a;
    if (isSubset(a.ranges[i], b.ranges[i])) continue;
    if (uncovered && *uncovered != i) uncovered = a.ranges.size();
    if (!uncovered) uncovered = i;
  }
  // More ranges may still be disjoint, so every range was looked at before giving up.
  if (!uncovered || *uncovered == a.ranges.size()) return std::nullopt;
  const Range& r = a.ranges[*uncovered];
  const Range& s = b.ranges[*uncovered];
  bool below = r.lo < s.lo;
  bool above = r.hi > s.hi;
  if (below && above) return std::nullopt;
  Box result = a;
  result.ranges[*uncovered] = below ? Range{r.lo, s.lo} : Range{s.hi, r.hi};
  return result;
}

int64_t count(const Box& box) {
  if (box.empty) return 0;
  int64_t product = 1;
  for (const Range& range : box.ranges) {
    int64_t length;
    if (__builtin_sub_overflow(range.hi, range.lo, &length) ||
        __builtin_mul_overflow(product, length, &product)) {
      return kNoUpper;
    }
  }
  return product;
}

}  // namespace rlc::polyhedral
