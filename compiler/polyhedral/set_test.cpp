#include "compiler/polyhedral/set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "compiler/polyhedral/testing.h"

namespace rlc::polyhedral {
namespace {

using testing::bruteForce;
using testing::pointsOf;
using testing::Random;
using testing::smallBox;
using testing::t;
using testing::u;
using testing::v;
using testing::valuesAt;

std::string text(const Set& set) { return set.toString(testing::name); }
std::string text(const std::optional<IndexExpr>& e) {
  return e ? e->toString(testing::name) : "nothing";
}

Condition randomSmall(Random& random, const std::vector<Var>& vars, bool rich) {
  return random.condition(vars, rich, random.pick(0, 2)) && smallBox(vars);
}

struct Case {
  Condition condition;
  Set set;
  std::vector<Point> points;
};

Case randomCase(Context& context, Random& random, const std::vector<Var>& vars, bool rich) {
  Condition condition = randomSmall(random, vars, rich);
  return {condition, Set::of(context, vars, condition), bruteForce(vars, condition)};
}

class RandomSets : public ::testing::TestWithParam<bool> {
 protected:
  Context context;
  const std::vector<Var> vars{t, u, v};
};

INSTANTIATE_TEST_SUITE_P(LinearAndRich, RandomSets, ::testing::Bool());

TEST_P(RandomSets, HaveThePointsOfTheirConditionInOrder) {
  for (unsigned seed = 0; seed < 120; ++seed) {
    Random random(seed);
    Case c = randomCase(context, random, vars, GetParam());
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + c.condition.toString(testing::name));
    ASSERT_EQ(pointsOf(c.set), c.points);
    ASSERT_EQ(c.set.count(), static_cast<int64_t>(c.points.size()));
    ASSERT_EQ(c.set.isEmpty(), c.points.empty());
    ASSERT_EQ(c.set.isBounded(), true);
    if (c.points.empty()) {
      ASSERT_EQ(c.set.lexmin(), std::nullopt);
    } else {
      ASSERT_EQ(c.set.lexmin(), c.points.front());
      ASSERT_EQ(c.set.lexmax(), c.points.back());
    }
  }
}

TEST_P(RandomSets, CombineAsSets) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    Random random(seed + 1000);
    Case a = randomCase(context, random, vars, GetParam());
    Case b = randomCase(context, random, vars, GetParam());
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + text(a.set) + " " + text(b.set));
    auto expected = [&](const Condition& condition) { return bruteForce(vars, condition); };
    ASSERT_EQ(pointsOf(a.set.intersect(b.set)), expected(a.condition && b.condition));
    ASSERT_EQ(pointsOf(a.set.intersect(b.condition)), expected(a.condition && b.condition));
    ASSERT_EQ(pointsOf(a.set.unite(b.set)), expected(a.condition || b.condition));
    ASSERT_EQ(pointsOf(a.set.subtract(b.set)), expected(a.condition && !b.condition));
    ASSERT_EQ(pointsOf(a.set.gist(b.set).intersect(b.set)), expected(a.condition && b.condition));
    ASSERT_EQ(a.set.isDisjoint(b.set), expected(a.condition && b.condition).empty());
    ASSERT_EQ(a.set.isSubset(b.set), expected(a.condition && !b.condition).empty());
    ASSERT_EQ(a.set.isEqual(b.set), a.points == b.points);
    ASSERT_TRUE(a.set.isSubset(a.set.hull()));
    ASSERT_TRUE(a.set.isEqual(a.set.coalesce()));
    // The order of variables does not matter.
    ASSERT_EQ(pointsOf(a.set.intersect(b.set.extendTo({v, t, u}))),
              expected(a.condition && b.condition));
  }
}

TEST_P(RandomSets, ProjectAndFix) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed + 2000);
    Case a = randomCase(context, random, vars, GetParam());
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + text(a.set));
    std::set<Point> projected;
    for (const Point& p : a.points) projected.insert({p[2], p[0]});
    ASSERT_EQ(pointsOf(a.set.projectOnto({v, t})),
              std::vector<Point>(projected.begin(), projected.end()));
    ASSERT_EQ(pointsOf(a.set.fix(u, 1)), bruteForce(vars, a.condition && Condition::equal(u, 1)));
  }
}

TEST_P(RandomSets, KnowTheirExtremes) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    Random random(seed + 3000);
    Case a = randomCase(context, random, vars, GetParam());
    IndexExpr e = random.expr(vars, true);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + text(a.set) + " " + text(e));
    std::optional<int64_t> least, largest;
    for (const Point& p : a.points) {
      int64_t value = e.evaluate(valuesAt(vars, p));
      least = std::min(least.value_or(value), value);
      largest = std::max(largest.value_or(value), value);
    }
    ASSERT_EQ(a.set.minimum(e), least);
    ASSERT_EQ(a.set.maximum(e), largest);
  }
}

TEST_P(RandomSets, KnowTheirBounds) {
  int found = 0;
  int sets = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    Random random(seed + 4000);
    Case a = randomCase(context, random, vars, GetParam());
    if (a.points.empty()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + text(a.set));
    std::map<Point, std::pair<int64_t, int64_t>> extremes;  // of u for each t
    for (const Point& p : a.points) {
      auto [at, fresh] = extremes.try_emplace({p[0]}, p[1], p[1] + 1);
      at->second = {std::min(at->second.first, p[1]), std::max(at->second.second, p[1] + 1)};
    }
    auto lower = a.set.lowerBound(u);
    auto upper = a.set.upperBound(u);
    ++sets;
    found += lower && upper;
    for (const auto& [at, range] : extremes) {
      if (lower) {
        ASSERT_EQ(lower->evaluate(valuesAt(vars, at)), range.first) << text(lower);
      }
      if (upper) {
        ASSERT_EQ(upper->evaluate(valuesAt(vars, at)), range.second) << text(upper);
      }
    }
  }
  if (!GetParam()) {
    EXPECT_GT(found, sets / 2);
  }
}

TEST_P(RandomSets, SolveForAVariable) {
  int sets = 0;
  int solved = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    Random random(seed + 5000);
    IndexExpr e = random.expr({t, v}, GetParam());
    Condition condition = random.condition({t, v}, false, 1) && Condition::equal(u, e) &&
                          Condition::within(t, -3, 4) && Condition::within(v, -3, 4);
    Set set = Set::of(context, vars, condition);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + text(set));
    if (set.isEmpty()) continue;
    auto solution = set.solve(u);
    ++sets;
    if (!solution) continue;  // its pieces are too short to show what they are pieces of
    ++solved;
    set.forEachPoint([&](const Point& p) {
      ASSERT_EQ(solution->evaluate(valuesAt(vars, p)), p[1]) << text(solution);
    });
  }
  EXPECT_GE(solved, sets - 2);
}

TEST_P(RandomSets, BecomeConditions) {
  int expressed = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    Random random(seed + 6000);
    Case a = randomCase(context, random, vars, GetParam());
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + text(a.set));
    Set projected = a.set.projectOnto({t, v});
    auto condition = projected.toCondition();
    if (!condition) continue;
    ++expressed;
    ASSERT_EQ(bruteForce({t, v}, *condition), pointsOf(projected));
    ASSERT_EQ(a.set.contains({0, 1, -1}),
              std::count(a.points.begin(), a.points.end(), Point{0, 1, -1}) == 1);
  }
  EXPECT_EQ(expressed, 80);
}

TEST_P(RandomSets, PullBackAndAccess) {
  const Var x = Var::dim(3);
  const Var y = Var::dim(4);
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed + 7000);
    Case target = randomCase(context, random, {x, y}, GetParam());
    Case domain = randomCase(context, random, vars, false);
    std::vector<IndexExpr> at{random.expr(vars, GetParam()), random.expr(vars, GetParam())};
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + text(target.set) + " at " + text(at[0]) +
                 ", " + text(at[1]));
    std::vector<Point> inside;
    std::vector<Point> graph;
    for (const Point& p : domain.points) {
      auto values = valuesAt(vars, p);
      Point image{at[0].evaluate(values), at[1].evaluate(values)};
      if (target.condition.evaluate(valuesAt({x, y}, image))) inside.push_back(p);
      graph.push_back({p[0], p[1], p[2], image[0], image[1]});
    }
    ASSERT_EQ(pointsOf(target.set.preimage(domain.set, at)), inside);
    ASSERT_EQ(pointsOf(Set::access(domain.set, at, {x, y})), graph);
  }
}

TEST(Set, BoxBoundsMayMentionEarlierVariables) {
  Context context;
  Set triangle = Set::box(context, {t, u}, {0, 0}, {4, IndexExpr(t) + 1});
  EXPECT_EQ(triangle.count(), 10);
  EXPECT_EQ(text(triangle.lowerBound(u)), "0");
  EXPECT_EQ(text(triangle.upperBound(u)), "t + 1");
  EXPECT_EQ(text(triangle.upperBound(t)), "4");
  Set window = Set::box(context, {t, u}, {0, t}, {10, IndexExpr::min(IndexExpr(t) + 3, 10)});
  EXPECT_EQ(text(window.upperBound(u)), "min(t + 3, 10)");
  EXPECT_EQ(text(window.lowerBound(u)), "t");
}

TEST(Set, PrintsAsWritten) {
  Context context;
  EXPECT_EQ(text(Set::box(context, {t, u}, {0, 1}, {10, 3})),
            "{ [t, u] : 0 <= t < 10 and 1 <= u < 3 }");
  EXPECT_EQ(text(Set::universe(context, {t})), "{ [t] }");
  EXPECT_EQ(text(Set::of(context, {t},
                         Condition::within(t, 0, 9) && Condition::equal(IndexExpr::mod(t, 4), 0))),
            "{ [t] : 0 <= t < 9 and t % 4 == 0 }");
  EXPECT_EQ(text(Set::box(context, {t, u}, {0, 0}, {4, t})),
            "{ [t, u] : u < t and t < 4 and u >= 0 }");
}

TEST(Set, CountsWithoutVisiting) {
  Context context;
  EXPECT_EQ(Set::box(context, {t, u}, {0, 0}, {1'000'000, 1'000'000}).count(), 1'000'000'000'000);
  Set triangle = Set::box(context, {t, u, v}, {0, 0, 0}, {1'000'000, 1000, u});
  EXPECT_EQ(triangle.count(), int64_t{1'000'000} * 499'500);
}

TEST(Set, StopsCountingAtALimit) {
  Context context;
  const Set small = Set::box(context, {t, u}, {0, 0}, {4, t});
  EXPECT_TRUE(small.hasMoreThan(5));
  EXPECT_FALSE(small.hasMoreThan(6));
  EXPECT_FALSE(Set::box(context, {t}, {0}, {6}).hasMoreThan(6));
  // Each t has its own number of points: to count them all takes longer than a test may.
  const Set large = Set::box(context, {t, u}, {0, 0}, {int64_t{1} << 40, t});
  EXPECT_TRUE(large.hasMoreThan(1000));
  // It ends before all are found, too.
  const Set pairs = Set::box(context, {t, u}, {0, 0}, {int64_t{1} << 40, IndexExpr::mod(t, 2) + 1});
  EXPECT_TRUE(pairs.hasMoreThan(int64_t{1} << 42));
  const Set largest = Set::box(context, {t, u, v}, {0, 0, 0},
                               {int64_t{1} << 40, int64_t{1} << 40, IndexExpr(u) + 1000});
  EXPECT_TRUE(largest.hasMoreThan(1000));
}

TEST(Set, UnboundedExtremesAreInfinite) {
  Context context;
  Set ray = Set::of(context, {t, u}, Condition::lessEqual(0, t) && Condition::lessEqual(t, u));
  EXPECT_FALSE(ray.isBounded());
  EXPECT_EQ(ray.minimum(t), 0);
  EXPECT_EQ(ray.maximum(t), INT64_MAX);
  EXPECT_EQ(ray.minimum(IndexExpr(t) - u), INT64_MIN);
  EXPECT_EQ(ray.maximum(IndexExpr(t) - u), 0);
  EXPECT_EQ(ray.maximum(IndexExpr::min(t, 7)), 7);
  EXPECT_EQ(ray.upperBound(u), std::nullopt);
  EXPECT_EQ(text(ray.lowerBound(u)), "t");
  EXPECT_EQ(Set::universe(context, {t}).minimum(t), INT64_MIN);
  EXPECT_EQ(Set::empty(context, {t}).minimum(t), std::nullopt);
}

TEST(Set, ValuesStandForTheirWholeRange) {
  Context context;
  auto bound = [](const IndexExpr& e) { return std::make_shared<const IndexExpr>(e); };
  IndexExpr value = IndexExpr::value(0, bound(0), bound(t));
  Set domain = Set::box(context, {t}, {0}, {4});
  // For t = 0 the value's range has no points.
  EXPECT_EQ(pointsOf(Set::access(domain, {value + 1}, {u})),
            (std::vector<Point>{{1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {3, 3}}));
  Set target = Set::box(context, {u}, {2}, {9});
  EXPECT_EQ(pointsOf(target.preimage(domain, {value})), (std::vector<Point>{{3}}));
  EXPECT_EQ(domain.maximum(value), 2);
  EXPECT_EQ(domain.maximum(IndexExpr::value(0, nullptr, nullptr)), INT64_MAX);
}

TEST(Set, WithoutVariables) {
  Context context;
  EXPECT_EQ(Set::universe(context, {}).count(), 1);
  EXPECT_EQ(Set::of(context, {}, Condition::never()).count(), 0);
  EXPECT_EQ(pointsOf(Set::universe(context, {})), std::vector<Point>{{}});
  Set line = Set::box(context, {t}, {0}, {5});
  EXPECT_EQ(line.projectOnto({}).count(), 1);
  EXPECT_EQ(Set::universe(context, {}).join(line).count(), 5);
  EXPECT_EQ(Set::universe(context, {}).preimage(line, {}).count(), 5);
  Set triangle = Set::box(context, {t, u}, {0, 0}, {4, t});
  EXPECT_EQ(triangle.projectOnto({}).count(), 1);
  EXPECT_EQ(triangle.intersect(Condition::less(t, u)).projectOnto({}).count(), 0);
}

TEST(Set, NeighboursUniteToABox) {
  Context context;
  Set first = Set::box(context, {t}, {0}, {1});
  Set rest = Set::box(context, {t}, {1}, {1000});
  EXPECT_EQ(text(first.unite(rest)), "{ [t] : 0 <= t < 1000 }");
  EXPECT_EQ(text(first.unite(rest).subtract(first)), "{ [t] : 1 <= t < 1000 }");
}

// isl 0.25 fuses these two images into one piece that has (3, 0), too.
TEST(Set, UnionsOfImagesWithQuotientsHaveNoMorePoints) {
  Context context;
  auto image = [&](const IndexExpr& second, int count) {
    return Set::of(context, {t, u, v},
                   Condition::equal(t, v) && Condition::equal(u, second) &&
                       Condition::nonNegative(v) &&
                       Condition::nonNegative(IndexExpr(count - 1) - v))
        .projectOnto({t, u});
  };
  const Set halves = image(IndexExpr::floorDiv(v, 2), 2), rests = image(IndexExpr::mod(v, 2), 4);
  const Set box = Set::box(context, {t, u}, {0, 0}, {4, 4});

  const Set both = halves.unite(rests).intersect(box).coalesce();
  const std::vector<Point> points{{0, 0}, {1, 0}, {1, 1}, {2, 0}, {3, 1}};
  EXPECT_EQ(pointsOf(both), points);
  EXPECT_EQ(pointsOf(box.subtract(box.subtract(both))), points);
}

TEST(Set, LargeBoundsStayExact) {
  Context context;
  int64_t large = int64_t{1} << 40;
  Set set = Set::box(context, {t, u}, {0, t}, {large, IndexExpr(t) + 2});
  EXPECT_EQ(set.maximum(u), large);
  EXPECT_EQ(set.maximum(IndexExpr(t) + u), 2 * large - 1);
  EXPECT_EQ(set.fix(t, large - 1).lexmax(), (Point{large - 1, large}));
}

TEST(Set, StopsAtTheOperationBudget) {
  Context context(20'000);
  Random random(7);
  auto exhaust = [&] {
    Set covered = Set::empty(context, {t, u, v});
    for (int i = 0; i < 40; ++i) {
      Condition part = Condition::always();
      for (Var var : {t, u, v}) {
        part = part && Condition::equal(IndexExpr::mod(var, random.pick(5, 11)), random.pick(0, 4));
      }
      covered = covered.unite(Set::of(context, {t, u, v}, part));
    }
    return Set::universe(context, {t, u, v}).subtract(covered).isEmpty();
  };
  EXPECT_THROW(exhaust(), OperationLimit);
  // The context goes on working.
  EXPECT_EQ(Set::box(context, {t, u}, {0, 0}, {4, t}).count(), 6);
}

}  // namespace
}  // namespace rlc::polyhedral
