#include "jit/gpu/windows.h"

#include <gtest/gtest.h>

namespace rlc::gpu {
namespace {

using loops::Expr;
using loops::index;

Expr var(loops::VarId id) { return loops::variable(id, DType::I64); }

// v1 is outside; v2 in 0..10 and v3 in 0..4 are bound.
const std::set<loops::VarId> kBound{2, 3};
const cpu::Ranges kRanges{{1, {0, 99}}, {2, {0, 9}}, {3, {0, 3}}};

TEST(Windows, SpanWhatTheBoundVariablesReach) {
  const auto window = windowOf({var(1) * index(100) + var(2) * index(4) + var(3)}, kBound, kRanges);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->size, 40);
  const auto inside = cpu::rangeOf(
      insideWindow(var(1) * index(100) + var(2) * index(4) + var(3), kBound, *window), kRanges);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->lo, 0);
  EXPECT_EQ(inside->hi, 39);
}

TEST(Windows, UniteAccessesWithOneBase) {
  const auto window = windowOf({var(1) + var(2), var(1) + var(2) + index(-1)}, kBound, kRanges);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->size, 11);
  EXPECT_EQ(window->low, -1);
}

TEST(Windows, AreUnknownForDifferentBases) {
  EXPECT_FALSE(windowOf({var(1) + var(2), var(1) * index(2) + var(2)}, kBound, kRanges));
}

TEST(Windows, TakeARingAsInside) {
  const auto window =
      windowOf({loops::op(ScalarOp::Mod, {var(2) + index(1), index(2)}) * index(8) + var(3)},
               kBound, kRanges);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->size, 12);
}

TEST(Windows, AreUnknownForLoadedIndices) {
  EXPECT_FALSE(windowOf({loops::load(0, DType::I64, var(2))}, kBound, kRanges));
}

}  // namespace
}  // namespace rlc::gpu
