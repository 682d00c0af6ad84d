#include "compiler/loops/executions.h"

#include <gtest/gtest.h>

#include "compiler/loops/testing.h"

namespace rlc::loops {
namespace {

using namespace testing;

Expr both(Expr a, Expr b) { return op(ScalarOp::And, {std::move(a), std::move(b)}); }
Expr is(Expr a, Expr b) { return op(ScalarOp::Eq, {std::move(a), std::move(b)}); }
Expr atMost(Expr a, Expr b) { return op(ScalarOp::Le, {std::move(a), std::move(b)}); }
Expr modulo(Expr a, int64_t m) { return op(ScalarOp::Mod, {std::move(a), index(m)}); }

StmtPtr leaf() {
  auto stmt = std::make_unique<Stmt>();
  stmt->index = index(0);
  stmt->value = index(0);
  return stmt;
}

// How often the innermost statement runs.
Count runs(StmtPtr outermost) {
  const Stmt* inner = outermost.get();
  while (!inner->body.empty()) inner = inner->body.front().get();
  Program program;
  program.body.push_back(std::move(outermost));
  const Executions found = executionsOf(program);
  const auto at = found.find(inner);
  return at == found.end() ? Count{} : at->second;
}

TEST(Executions, AConditionOnTheLoopsVariableHoldsWhereItHolds) {
  for (int64_t n : {1, 2, 7, 300, 301, 1000, 500000}) {
    int64_t after = std::max<int64_t>(0, n - 300);
    EXPECT_EQ(runs(loop(0, index(0), index(n), when(atMost(index(300), at(0)), leaf()))).times,
              after)
        << n;
    EXPECT_EQ(runs(loop(0, index(0), index(n), when(is(at(0), index(299)), leaf()))).times,
              n >= 300)
        << n;
  }
}

TEST(Executions, EverySoManyIterations) {
  for (int64_t n : {1, 2, 99, 100, 1001}) {
    int64_t expected = 0;
    for (int64_t v = 0; v < n; ++v) expected += (v + 1) % 7 == 3 && v >= 41;
    const Count count = runs(loop(
        0, index(0), index(n),
        when(both(is(modulo(at(0) + index(1), 7), index(3)), atMost(index(41), at(0))), leaf())));
    EXPECT_EQ(count.times, static_cast<double>(expected)) << n;
    EXPECT_TRUE(count.exact);
  }
}

// 5,000,000 iterations in 3,000 classes, each with two loops inside: too many to walk through one
// by one, but neighbouring classes are alike.
TEST(Executions, ManyClassesThatAreAlike) {
  const auto triangle = [] {
    return loop(1, index(0), index(100),
                loop(2, index(0), at(1), loop(3, index(0), modulo(at(0), 3000), leaf())));
  };
  for (int64_t n : {3000, 4500, 5000000}) {
    const Count found = runs(
        loop(0, index(0), index(n), when(atMost(index(1000), modulo(at(0), 3000)), triangle())));
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += i % 3000 < 1000 ? 0 : i % 3000;
    EXPECT_EQ(found.times, sum * (99 * 100 / 2)) << n;
    EXPECT_TRUE(found.exact);
  }
}

TEST(Executions, PeriodsOfALongCommonMultiple) {
  for (int64_t n : {1000, 100000, 3000000}) {
    const Count found = runs(loop(
        0, index(0), index(n),
        when(both(atMost(modulo(at(0), 1000), index(2)), atMost(modulo(at(0), 999), index(500))),
             leaf())));
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += i % 1000 <= 2 && i % 999 <= 500;
    EXPECT_EQ(found.times, sum) << n;
    EXPECT_TRUE(found.exact);
  }
}

TEST(Executions, MultiplesModuloWrapWhereTheyWrap) {
  const Expr tripled = op(ScalarOp::Mul, {at(0), index(3)});
  for (int64_t n : {10, 99, 100, 1000}) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += i * 3 % 100;
    EXPECT_EQ(
        runs(loop(0, index(0), index(n), loop(1, index(0), modulo(tripled, 100), leaf()))).times,
        sum)
        << n;
  }
}

TEST(Executions, ConditionsOnTwoLoops) {
  // v < w within 0..n x 0..m, and those on a diagonal.
  const int64_t n = 50, m = 23;
  const auto nest = [&](Expr condition) {
    return loop(0, index(0), index(n),
                loop(1, index(0), index(m), when(std::move(condition), leaf())));
  };
  EXPECT_EQ(runs(nest(atMost(at(0) + index(1), at(1)))).times, m * (m - 1) / 2);
  EXPECT_EQ(runs(nest(is(at(0), at(1)))).times, m);
  EXPECT_EQ(runs(nest(is(modulo(at(0) + at(1), 2), index(0)))).times, n / 2 * m);
}

TEST(Executions, LengthsThatStopGrowing) {
  // for v in 0..100: for w in max(0, v - 10)..v: 0 + 1 + ... + 10, then ten each.
  const Expr lo = op(ScalarOp::Max, {index(0), at(0) - index(10)});
  EXPECT_EQ(runs(loop(0, index(0), index(100), loop(1, lo, at(0), leaf()))).times, 55 + 89 * 10);
}

TEST(Executions, AConditionOnDataIsDoubtful) {
  const Expr data =
      op(ScalarOp::Lt, {load(0, DType::F32, at(0)), literal(Scalar::ofFloat(DType::F32, 0.0))});
  const Count count = runs(loop(0, index(0), index(10), when(data, leaf())));
  EXPECT_EQ(count.times, 10);
  EXPECT_EQ(count.doubtful, 10);
  // ... wherever the data lie,
  const Expr ring = op(ScalarOp::Lt, {load(0, DType::F32, modulo(at(0), 1000003)),
                                      literal(Scalar::ofFloat(DType::F32, 0.0))});
  EXPECT_TRUE(
      runs(loop(0, index(0), index(3000000), when(both(ring, atMost(at(0), index(3))), leaf())))
          .exact);
  // ... but for what is known of it.
  EXPECT_EQ(
      runs(loop(0, index(0), index(10), when(both(data, atMost(at(0), index(3))), leaf()))).times,
      4);
}

TEST(Executions, AnElseRunsWhereTheConditionDoesNot) {
  StmtPtr branch = when(atMost(at(0), index(3)), leaf());
  branch->otherwise.push_back(leaf());
  const Stmt* otherwise = branch->otherwise.front().get();
  Program program;
  program.body.push_back(loop(0, index(0), index(10), std::move(branch)));
  EXPECT_EQ(executionsOf(program).at(otherwise).times, 6);
}

}  // namespace
}  // namespace rlc::loops
