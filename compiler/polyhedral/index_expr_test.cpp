#include "compiler/polyhedral/index_expr.h"

#include <gtest/gtest.h>

#include <random>

#include "compiler/polyhedral/testing.h"

namespace rlc::polyhedral {
namespace {

using testing::t;
using testing::u;

std::string text(const IndexExpr& e) { return e.toString(testing::name); }
std::string text(const Condition& c) { return c.toString(testing::name); }

TEST(IndexExpr, AddsLikeTerms) {
  EXPECT_EQ(IndexExpr(t) + u + 1 - t, IndexExpr(u) + 1);
  EXPECT_EQ((IndexExpr(t) * 2 - t - t).asConstant(), 0);
  EXPECT_EQ(IndexExpr(u) + t, IndexExpr(t) + u);
}

TEST(IndexExpr, PrintsAsWritten) {
  EXPECT_EQ(text(IndexExpr(t) + 1), "t + 1");
  EXPECT_EQ(text(IndexExpr(10) - t), "10 - t");
  EXPECT_EQ(text(-IndexExpr(t) - 1), "-t - 1");
  EXPECT_EQ(text(IndexExpr(t) * 2 - IndexExpr(u) * 3), "2*t - 3*u");
  EXPECT_EQ(text(IndexExpr::min(IndexExpr(t) + 3, 10)), "min(t + 3, 10)");
  EXPECT_EQ(text(IndexExpr::floorDiv(IndexExpr(t) + 1, 2)), "(t + 1) // 2");
  EXPECT_EQ(text(IndexExpr::mod(t, 4)), "t % 4");
  EXPECT_EQ(text(IndexExpr::mod(t, 4) * 2 + 1), "2*(t % 4) + 1");
  EXPECT_EQ(text(IndexExpr(0)), "0");
  EXPECT_EQ(text(IndexExpr(-3)), "-3");
  EXPECT_EQ(text(IndexExpr(Var::element(1)) + t), "e1 + t");
}

TEST(IndexExpr, MinAndMaxSimplify) {
  EXPECT_EQ(IndexExpr::min(t, IndexExpr(t) + 1), IndexExpr(t));
  EXPECT_EQ(IndexExpr::max(t, IndexExpr(t) + 1), IndexExpr(t) + 1);
  EXPECT_EQ(IndexExpr::min(IndexExpr(t) + 1, IndexExpr(u) + 1), IndexExpr::min(t, u) + 1);
  EXPECT_EQ(IndexExpr::min(IndexExpr::min(t, 5) + 1, 7), IndexExpr::min(IndexExpr(t) + 1, 6));
  EXPECT_EQ(IndexExpr::max(3, 7), IndexExpr(7));
}

TEST(IndexExpr, QuotientsAndRemaindersSimplify) {
  EXPECT_EQ(IndexExpr::floorDiv(IndexExpr(t) * 4 + 6, 4), IndexExpr(t) + 1);
  EXPECT_EQ(IndexExpr::floorDiv(IndexExpr(t) * 2 + 1, 4), IndexExpr::floorDiv(t, 2));
  EXPECT_EQ(IndexExpr::floorDiv(IndexExpr::floorDiv(t, 2), 3), IndexExpr::floorDiv(t, 6));
  EXPECT_EQ(IndexExpr::mod(IndexExpr(t) * 4 + 6, 4), IndexExpr(2));
  EXPECT_EQ(IndexExpr::mod(IndexExpr::mod(t, 8), 4), IndexExpr::mod(t, 4));
  EXPECT_EQ(IndexExpr::mod(IndexExpr(t) + 9, 4), IndexExpr::mod(IndexExpr(t) + 1, 4));
}

TEST(IndexExpr, RecognizesShapes) {
  EXPECT_EQ(IndexExpr(t).asVariable(), t);
  EXPECT_FALSE((IndexExpr(t) + 1).asVariable());
  EXPECT_EQ((IndexExpr(t) - 2).asShifted()->offset, -2);
  EXPECT_FALSE((IndexExpr(t) * 2).asShifted());
  EXPECT_TRUE((IndexExpr(t) + u).isLinear());
  EXPECT_FALSE(IndexExpr::min(t, u).isLinear());
  EXPECT_TRUE(IndexExpr::max(IndexExpr::value(0, nullptr, nullptr), t).hasValue());
}

TEST(IndexExpr, SubstitutesEverywhere) {
  auto hi = std::make_shared<const IndexExpr>(IndexExpr(t) + 1);
  IndexExpr e =
      IndexExpr::value(0, std::make_shared<const IndexExpr>(0), hi) + IndexExpr::mod(t, 3);
  IndexExpr moved = e.substitute({{t, IndexExpr(u) + 2}}, 5);
  EXPECT_FALSE(moved.mentions(t));
  EXPECT_EQ(moved.evaluate([](Var) { return 4; }, [](int k) { return k * 100; }), 500);
  std::vector<Var> vars;
  moved.collectVariables(vars);
  EXPECT_EQ(vars, std::vector<Var>{u});
}

using Leaves = std::function<IndexExpr(Var)>;

IndexExpr randomExpr(std::mt19937& random, int depth, const Leaves& leaf) {
  auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random); };
  if (depth == 0) return pick(0, 2) == 0 ? IndexExpr(pick(-5, 5)) : leaf(Var::dim(pick(0, 1)));
  IndexExpr a = randomExpr(random, depth - 1, leaf);
  switch (pick(0, 6)) {
    case 0:
      return a + randomExpr(random, depth - 1, leaf);
    case 1:
      return a - randomExpr(random, depth - 1, leaf);
    case 2:
      return a * pick(-3, 3);
    case 3:
      return IndexExpr::floorDiv(a, pick(0, 1) ? pick(1, 6) : pick(-6, -1));
    case 4:
      return IndexExpr::mod(a, pick(0, 1) ? pick(1, 6) : pick(-6, -1));
    case 5:
      return IndexExpr::min(a, randomExpr(random, depth - 1, leaf));
    default:
      return IndexExpr::max(a, randomExpr(random, depth - 1, leaf));
  }
}

// Building the same tree on numbers and on expressions gives the same values: a tree over constants
// folds.
TEST(IndexExpr, SimplificationKeepsTheValue) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    IndexExpr e = randomExpr(random, 4, [](Var v) { return IndexExpr(v); });
    for (int64_t x = -4; x <= 4; x += 2) {
      auto at = [&](Var v) { return v == t ? x : 3 - x; };
      std::mt19937 same(seed);
      IndexExpr folded = randomExpr(same, 4, [&](Var v) { return IndexExpr(at(v)); });
      ASSERT_EQ(folded.asConstant(), e.evaluate(at)) << text(e) << " seed " << seed;
      ASSERT_EQ(folded, e.substitute({{t, x}, {u, 3 - x}})) << text(e) << " seed " << seed;
    }
  }
}

TEST(Condition, Prints) {
  EXPECT_EQ(text(Condition::within(t, 0, 10)), "t >= 0 and t < 10");
  EXPECT_EQ(text(Condition::less(t, u)), "t < u");
  EXPECT_EQ(text(Condition::equal(IndexExpr::mod(t, 4), 0)), "t % 4 == 0");
  EXPECT_EQ(text(Condition::notEqual(t, 3)), "t != 3");
  EXPECT_EQ(text(Condition::less(t, 0) || (Condition::less(u, 2) && Condition::less(2, t))),
            "t < 0 or u < 2 and t >= 3");
}

TEST(Condition, FoldsAndNegates) {
  EXPECT_EQ(Condition::less(1, 2), Condition::always());
  EXPECT_EQ(Condition::equal(IndexExpr(t) * 2, 1), Condition::never());
  EXPECT_EQ(!Condition::less(t, u), Condition::lessEqual(u, t));
  EXPECT_EQ(!(Condition::less(t, u) && Condition::equal(t, 0)),
            Condition::lessEqual(u, t) || Condition::notEqual(t, 0));
  EXPECT_EQ(Condition::lessEqual(IndexExpr(t) * 2, 7), Condition::lessEqual(t, 3));
  EXPECT_EQ(Condition::less(t, u) && Condition::less(t, u), Condition::less(t, u));
}

}  // namespace
}  // namespace rlc::polyhedral
