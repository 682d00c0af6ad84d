// What threads fetch before a parallel loop.
#include "jit/cpu/shared_reads.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace {

struct Product {
  Builder b;
  BufferId weights = -1;

  std::vector<BufferId> shared() const {
    std::vector<BufferId> result;
    forEachStmt(b.program.body, [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Parallel)
        result = sharedReads(b.program, stmt);
    });
    return result;
  }
};

// y[i, s] = sum over k of w[i, k] x[k, s], of all samples s by lanes.
Product product(int64_t rows, int64_t inner) {
  Product p;
  Builder& b = p.b;
  p.weights = b.arena(DType::F32, rows * inner);
  const BufferId x = b.arena(DType::F32, inner * 64), y = b.arena(DType::F32, rows * 64);
  b.parallel(ix(0), ix(4), [&](Expr block) {
    b.lanes(block * ix(16), block * ix(16) + ix(16), [&](Expr s) {
      b.sequential(ix(0), ix(rows), [&](Expr i) {
        b.store(y, i * ix(64) + s, f32(0.0));
        b.sequential(ix(0), ix(inner), [&](Expr k) {
          b.accumulate(y, i * ix(64) + s,
                       b.get(p.weights, i * ix(inner) + k) * b.get(x, k * ix(64) + s));
        });
      });
    });
  });
  b.program.residentBytes = b.program.arenaBytes;
  return p;
}

TEST(SharedReads, AreWhatAllChunksReadAtTheSamePoints) {
  const Product p = product(64, 48);
  EXPECT_EQ(p.shared(), std::vector<BufferId>{p.weights});
}

TEST(SharedReads, LeaveOutWhatIsSmallAndWhatACacheDoesNotHold) {
  EXPECT_TRUE(product(8, 16).shared().empty());
  EXPECT_TRUE(product(512, 512).shared().empty());
}

}  // namespace
}  // namespace rlc::cpu
