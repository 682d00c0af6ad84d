// What threads fetch before a parallel loop, and whether it is worth calling them.
#include "jit/cpu/shared_reads.h"

#include <gtest/gtest.h>

#include "jit/cpu/plan.h"
#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace shared_reads_test {

struct Product {
  Builder b;
  BufferId weights = -1;

  std::vector<const Stmt*> parallel() const {
    std::vector<const Stmt*> result;
    forEachStmt(b.program.body, [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Parallel)
        result.push_back(&stmt);
    });
    return result;
  }
  std::vector<BufferId> shared() const {
    return sharedReads(b.program, *parallel().at(0), b.program.body.at(0).get()).buffers;
  }
  // Whether other threads are called for each parallel loop.
  std::vector<bool> calls() const {
    const Plan plan = makePlan(b.program, PlanOptions());
    std::vector<bool> result;
    for (const Stmt* loop : parallel()) result.push_back(plan.parallel.at(loop).operations > 0);
    return result;
  }
};

// for t: { y[i, s] = sum over k of w[i, k] x[k, s], of all samples s by lanes;  w[0] = t, where
// `changes`;  y[s] = 2 y[s] by chunks, shared as the loop before }
Product product(int64_t rows, int64_t inner, int64_t blocks = 4, bool changes = true) {
  Product p;
  Builder& b = p.b;
  const int64_t samples = 16 * blocks;
  p.weights = b.arena(DType::F32, rows * inner);
  const BufferId x = b.arena(DType::F32, inner * samples), y = b.arena(DType::F32, rows * samples);
  b.sequential(ix(0), ix(3), [&](Expr) {
    b.parallel(ix(0), ix(blocks), [&](Expr block) {
      b.lanes(block * ix(16), block * ix(16) + ix(16), [&](Expr s) {
        b.sequential(ix(0), ix(rows), [&](Expr i) {
          b.store(y, i * ix(samples) + s, f32(0.0));
          b.sequential(ix(0), ix(inner), [&](Expr k) {
            b.accumulate(y, i * ix(samples) + s,
                         b.get(p.weights, i * ix(inner) + k) * b.get(x, k * ix(samples) + s));
          });
        });
      });
    });
    b.parallel(ix(0), ix(samples), [&](Expr s) {
       b.sequential(ix(0), ix(rows), [&](Expr i) {
         const Expr at = i * ix(samples) + s;
         b.store(y, at, b.get(y, at) * f32(2.0));
       });
     }).sharedAsLast = true;
    if (changes) b.store(p.weights, ix(0), b.get(y, ix(0)));
  });
  b.program.residentBytes = b.program.arenaBytes;
  return p;
}

TEST(SharedReads, AreWhatAllChunksReadAtTheSamePoints) {
  const Product p = product(64, 48);
  EXPECT_EQ(p.shared(), std::vector<BufferId>{p.weights});
}

TEST(SharedReads, LeaveOutWhatIsSmallAndWhatNothingChanges) {
  EXPECT_TRUE(product(8, 16).shared().empty());
  EXPECT_TRUE(product(64, 48, 4, false).shared().empty());
}

TEST(SharedReads, AreNotFetchedWhereACacheDoesNotHoldThem) {
  const auto fit = [](const Product& p) {
    return sharedReads(p.b.program, *p.parallel().at(0), p.b.program.body.at(0).get()).fit();
  };
  EXPECT_TRUE(fit(product(64, 48)));
  EXPECT_FALSE(fit(product(512, 512)));
}

TEST(SharedReads, ThreadsAreCalledForWhatIsWorthThem) {
  EXPECT_EQ(product(64, 48, 4).calls(), (std::vector{false, false}));
  EXPECT_EQ(product(64, 48, 400).calls(), (std::vector{true, true}));
  EXPECT_EQ(product(64, 48, 4, false).calls(), (std::vector{true, true}));
}

}  // namespace shared_reads_test
}  // namespace rlc::cpu
