#include "compiler/polyhedral/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "compiler/polyhedral/testing.h"

namespace rlc::polyhedral {
namespace {

using testing::bruteForce;
using testing::Random;
using testing::smallBox;
using testing::t;
using testing::u;
using testing::valuesAt;

const std::vector<Var> loops{Var::dim(100), Var::dim(101), Var::dim(102)};

struct Visit {
  int statement;
  Point instance;
  bool operator==(const Visit&) const = default;
};

void run(const ScanNode& node, std::map<Var, int64_t>& values, std::vector<Visit>& out) {
  auto at = [&](Var var) { return values.at(var); };
  switch (node.kind) {
    case ScanNode::Kind::Block:
      for (const auto& child : node.children) run(*child, values, out);
      return;
    case ScanNode::Kind::For: {
      int64_t hi = node.hi.evaluate(at);
      for (int64_t i = node.lo.evaluate(at); i < hi; i += node.step) {
        values[node.var] = i;
        run(*node.children[0], values, out);
      }
      values.erase(node.var);
      return;
    }
    case ScanNode::Kind::If:
      if (node.condition.evaluate(at)) {
        run(*node.children[0], values, out);
      } else if (node.children.size() > 1) {
        run(*node.children[1], values, out);
      }
      return;
    case ScanNode::Kind::Statement: {
      Visit visit{node.statement, {}};
      for (const IndexExpr& e : node.instance) visit.instance.push_back(e.evaluate(at));
      out.push_back(visit);
      return;
    }
  }
}

std::vector<Visit> runAll(const ScanNode& node) {
  std::map<Var, int64_t> values;
  std::vector<Visit> out;
  run(node, values, out);
  return out;
}

int countKind(const ScanNode& node, ScanNode::Kind kind) {
  int count = node.kind == kind;
  for (const auto& child : node.children) count += countKind(*child, kind);
  return count;
}

TEST(Scan, VisitsRandomStatementsInTheOrderOfTheirSchedules) {
  Context context;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<ScheduledStatement> statements;
    std::vector<std::pair<Point, Visit>> expected;
    for (int k = 0; k < 3; ++k) {
      Condition condition = random.condition({t, u}, seed % 2 == 1, 1) && smallBox({t, u});
      // The last time dimension tells the statements apart.
      std::vector<IndexExpr> time{
          IndexExpr(t) + random.pick(-2, 2),
          IndexExpr(u) * random.pick(1, 2) + IndexExpr(t) * random.pick(0, 1), k};
      statements.push_back({10 + k, Set::of(context, {t, u}, condition), time});
      for (const Point& p : bruteForce({t, u}, condition)) {
        Point when;
        for (const IndexExpr& e : time) when.push_back(e.evaluate(valuesAt({t, u}, p)));
        expected.push_back({when, {10 + k, p}});
      }
    }
    std::sort(expected.begin(), expected.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Visit> visits = runAll(*scan(context, statements, loops));
    ASSERT_EQ(visits.size(), expected.size());
    for (size_t i = 0; i < visits.size(); ++i) ASSERT_EQ(visits[i], expected[i].second);
  }
}

TEST(Scan, ATriangleIsTwoPlainLoops) {
  Context context;
  Set triangle = Set::box(context, {t, u}, {0, 0}, {10, IndexExpr(t) + 1});
  auto nest = scan(context, {{0, triangle, {t, u}}}, {loops[0], loops[1]});
  ASSERT_EQ(nest->kind, ScanNode::Kind::For);
  EXPECT_EQ(nest->lo, IndexExpr(0));
  EXPECT_EQ(nest->hi, IndexExpr(10));
  EXPECT_EQ(nest->timeDim, 0);
  const ScanNode& inner = *nest->children[0];
  ASSERT_EQ(inner.kind, ScanNode::Kind::For);
  EXPECT_EQ(inner.hi, IndexExpr(loops[0]) + 1);
  ASSERT_EQ(inner.children[0]->kind, ScanNode::Kind::Statement);
  EXPECT_EQ(inner.children[0]->instance, (std::vector<IndexExpr>{loops[0], loops[1]}));
}

TEST(Scan, EqualRangesShareALoopWithoutGuards) {
  Context context;
  Set line = Set::box(context, {t}, {0}, {10});
  auto nest = scan(context, {{0, line, {t, 0}}, {1, line, {t, 1}}}, {loops[0], loops[1]});
  EXPECT_EQ(countKind(*nest, ScanNode::Kind::For), 1);
  EXPECT_EQ(countKind(*nest, ScanNode::Kind::If), 0);
  EXPECT_EQ(countKind(*nest, ScanNode::Kind::Statement), 2);
}

TEST(Scan, StridesBecomeSteps) {
  Context context;
  Set even = Set::of(context, {t},
                     Condition::within(t, 0, 100) && Condition::equal(IndexExpr::mod(t, 4), 1));
  auto nest = scan(context, {{0, even, {t}}}, {loops[0]});
  ASSERT_EQ(nest->kind, ScanNode::Kind::For);
  EXPECT_EQ(nest->step, 4);
  EXPECT_EQ(nest->lo, IndexExpr(1));
  EXPECT_EQ(countKind(*nest, ScanNode::Kind::If), 0);
}

TEST(Scan, StatementsApartFollowEachOther) {
  Context context;
  Set first = Set::box(context, {t}, {0}, {1});
  Set rest = Set::box(context, {t, u}, {0, 0}, {9, t});
  auto nest = scan(context, {{7, rest, {IndexExpr(t) + 1, 1, u}}, {3, first, {0, 0, 0}}}, loops);
  ASSERT_EQ(nest->kind, ScanNode::Kind::Block);
  EXPECT_EQ(nest->children[0]->statement, 3);
  EXPECT_EQ(nest->children[0]->instance, std::vector<IndexExpr>{0});
  EXPECT_EQ(nest->children[1]->kind, ScanNode::Kind::For);
  EXPECT_EQ(nest->children[1]->lo, IndexExpr(2));
  EXPECT_EQ(countKind(*nest, ScanNode::Kind::For), 2);
  EXPECT_EQ(countKind(*nest, ScanNode::Kind::If), 0);
}

TEST(Scan, NothingToDo) {
  Context context;
  auto nest = scan(context, {{0, Set::empty(context, {t}), {t}}}, {loops[0]});
  EXPECT_TRUE(runAll(*nest).empty());
  EXPECT_TRUE(runAll(*scan(context, {}, {loops[0]})).empty());
}

// x[t, u] = f(x[t-1, u+1], x[t, u-1]): t carries the first, u the second dependence.
TEST(IslScheduler, OrdersEveryDependence) {
  Context context;
  const Var t2 = Var::dim(2);
  const Var u2 = Var::dim(3);
  Set domain = Set::box(context, {t, u}, {0, 0}, {6, 6});
  auto relation = [&](const IndexExpr& fromT, const IndexExpr& fromU) {
    return Set::access(domain, {fromT, fromU}, {t2, u2})
        .intersect(Condition::within(t2, 0, 6) && Condition::within(u2, 0, 6));
  };
  std::vector<Dependence> dependences{
      {0, 0, relation(IndexExpr(t) - 1, IndexExpr(u) + 1), {t, u}, {t2, u2}},
      {0, 0, relation(t, IndexExpr(u) - 1), {t, u}, {t2, u2}}};
  const auto schedule = scheduleWithIsl(context, {domain}, dependences, Effort::Good).schedule;
  ASSERT_TRUE(schedule);
  const auto& time = schedule->time[0];
  ASSERT_EQ(schedule->parallel.size(), time.size());
  for (const Dependence& dependence : dependences) {
    dependence.relation.forEachPoint([&](const Point& p) {
      Point sink, source;
      for (const IndexExpr& e : time) {
        sink.push_back(e.evaluate(valuesAt({t, u}, {p[0], p[1]})));
        source.push_back(e.evaluate(valuesAt({t, u}, {p[2], p[3]})));
      }
      ASSERT_LT(source, sink);
    });
  }
}

TEST(IslScheduler, FindsParallelDimensionsAndSeparatesStatements) {
  Context context;
  const Var b = Var::dim(4);
  const Var t2 = Var::dim(2);
  const Var b2 = Var::dim(5);
  Set domain = Set::box(context, {b, t}, {0, 0}, {8, 6});
  Set recurrence =
      Set::access(domain, {b, IndexExpr(t) - 1}, {b2, t2}).intersect(Condition::lessEqual(0, t2));
  Set use = Set::access(domain, {b, t}, {b2, t2});
  const auto schedule =
      scheduleWithIsl(context, {domain, domain},
                      {{0, 0, recurrence, {b, t}, {b2, t2}}, {1, 0, use, {b, t}, {b2, t2}}},
                      Effort::Good)
          .schedule;
  ASSERT_TRUE(schedule);
  EXPECT_TRUE(std::count(schedule->parallel.begin(), schedule->parallel.end(), true) >= 1);
  std::vector<ScheduledStatement> statements{{0, domain, schedule->time[0]},
                                             {1, domain, schedule->time[1]}};
  std::vector<Var> vars;
  for (size_t k = 0; k < schedule->parallel.size(); ++k) {
    vars.push_back(Var::dim(200 + static_cast<int>(k)));
  }
  std::map<Point, int> producedAt;
  int step = 0;
  for (const Visit& visit : runAll(*scan(context, statements, vars))) {
    if (visit.statement == 0) producedAt[visit.instance] = step;
    if (visit.statement == 1) {
      ASSERT_TRUE(producedAt.count(visit.instance));
    }
    ++step;
  }
  EXPECT_EQ(step, 96);
}

// With ever more operations allowed there is first nothing, then some order, at last a good one.
TEST(IslScheduler, FindsSomeOrderWhereAGoodOneTakesTooLong) {
  int hurried = 0;
  bool good = false;
  for (unsigned long budget = 1000; budget < 100'000'000 && !good; budget += budget / 4) {
    Context context(budget);
    const Var t2 = Var::dim(2);
    const Var u2 = Var::dim(3);
    try {
      Set domain = Set::box(context, {t, u}, {0, 0}, {6, 6});
      auto relation = [&](const IndexExpr& fromT, const IndexExpr& fromU) {
        return Set::access(domain, {fromT, fromU}, {t2, u2})
            .intersect(Condition::within(t2, 0, 6) && Condition::within(u2, 0, 6));
      };
      const std::vector<Dependence> dependences{
          {0, 0, relation(IndexExpr(t) - 1, IndexExpr(u) + 1), {t, u}, {t2, u2}},
          {0, 0, relation(t, IndexExpr(u) - 1), {t, u}, {t2, u2}}};
      const IslSearch best = scheduleWithIsl(context, {domain}, dependences, Effort::Good);
      good = best.schedule.has_value();
      EXPECT_NE(good, best.outOfBudget);
      if (!good)
        hurried +=
            scheduleWithIsl(context, {domain}, dependences, Effort::Any).schedule.has_value();
    } catch (const OperationLimit&) {
      continue;
    }
  }
  EXPECT_GT(hurried, 0);
  EXPECT_TRUE(good);
}

TEST(IslScheduler, ACycleHasNoSchedule) {
  Context context;
  const Var t2 = Var::dim(2);
  Set domain = Set::box(context, {t}, {0}, {6});
  Set same = Set::access(domain, {t}, {t2});
  for (const Effort effort : {Effort::Good, Effort::Any}) {
    const IslSearch search = scheduleWithIsl(context, {domain}, {{0, 0, same, {t}, {t2}}}, effort);
    EXPECT_FALSE(search.schedule);
    EXPECT_FALSE(search.outOfBudget);
  }
}

}  // namespace
}  // namespace rlc::polyhedral
