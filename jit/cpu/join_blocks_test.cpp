// Blocks of lanes that wait for themselves are joined, and compute what they did.
#include "jit/cpu/join_blocks.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace join_blocks_test {

constexpr int64_t kWidth = 32, kSteps = 40;

// A random walk for each of `count` lanes, that begins again where it has left [-1, 1].
Builder walks(int64_t count, bool nested = false, int64_t lanesOfBlock = kWidth) {
  using Draw = loops::ExprNode::Draw;
  Builder b;
  const BufferId last = b.arena(DType::F32, count), place = b.privateBuffer(DType::F32, 1);
  b.parallel(ix(0), ix((count + lanesOfBlock - 1) / lanesOfBlock), [&](Expr block) {
    const Expr lo = block * ix(lanesOfBlock);
    b.lanes(lo, loops::op(ScalarOp::Min, {lo + ix(lanesOfBlock), ix(count)}), [&](Expr i) {
      b.store(place, ix(0), f32(0.0));
      b.sequential(ix(0), ix(kSteps), [&](Expr t) {
        const auto uniform = [&](uint64_t stream, int64_t element) {
          return b.random(Draw::Uniform01, DType::F32, stream, {i, t}, ix(element), 4);
        };
        const auto step = [&] {
          const Expr from = b.let(b.get(place, ix(0)));
          const Expr out = b.let(less(f32(1.0), from * from));
          const Expr again = uniform(1, 0) * f32(0.5) - uniform(1, 3) * f32(0.5);
          const Expr normal = b.random(Draw::StandardNormal, DType::F32, 2, {i, t}, ix(0), 1);
          b.store(place, ix(0),
                  loops::op(ScalarOp::Select, {out, again * normal, from}) + uniform(3, 1) -
                      f32(0.375));
        };
        if (nested)
          b.sequential(ix(0), ix(2), [&](Expr) { step(); });
        else
          step();
      });
      b.store(last, i, b.get(place, ix(0)));
    });
  });
  return b;
}

std::vector<int64_t> lengths(const loops::Program& program) {
  std::vector<int64_t> result;
  forEachStmt(program.body, [&](const Stmt& stmt) {
    if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Lanes)
      result.push_back(tripCount(stmt).value_or(-1));
  });
  return result;
}

TEST(JoinBlocks, JoinsBlocksThatWait) {
  Builder whole = walks(64 * 16);
  joinBlocks(whole.program, kWidth);
  EXPECT_EQ(lengths(whole.program), std::vector<int64_t>{64});
  Builder cut = walks(64 * 16 + 37);
  joinBlocks(cut.program, kWidth);
  EXPECT_EQ(lengths(cut.program), (std::vector<int64_t>{64, 37}));
}

// Where a thread has many lanes, their number is told, so that twice as many are planned at once.
TEST(JoinBlocks, TellsLongBlocksApart) {
  Builder whole = walks(256 * 4, false, 256);
  joinBlocks(whole.program, kWidth);
  EXPECT_EQ(lengths(whole.program), std::vector<int64_t>{256});
}

TEST(JoinBlocks, LeavesOthers) {
  Builder few = walks(64 * 15);  // so few that threads need all
  joinBlocks(few.program, kWidth);
  EXPECT_EQ(lengths(few.program), std::vector<int64_t>{-1});
  Builder nested = walks(64 * 16, true);
  joinBlocks(nested.program, kWidth);
  EXPECT_EQ(lengths(nested.program), std::vector<int64_t>{-1});
}

TEST(JoinBlocks, ComputesTheSame) {
  for (int64_t count : {64 * 15, 64 * 16, 64 * 16 + 1, 64 * 16 + 37}) {
    expectAgreesAtAllWidths(walks(count));
    expectAgrees(walks(count));  // of the width that the machine has, joined
    expectAgrees(walks(count, false, 256));
  }
}

// Few lanes, all, and none ask for what is drawn.
TEST(JoinBlocks, LanesThatAskGetTheirDraws) {
  for (const double limit : {-1.0, 0.05, 0.5, 2.0}) {
    Builder b;
    const BufferId sums = b.arena(DType::F32, 64 * 16);
    b.lanes(ix(0), ix(64 * 16), [&](Expr i) {
      const Expr sum = b.declare(f32(0.0));
      b.sequential(ix(0), ix(kSteps), [&](Expr t) {
        const auto uniform = [&](uint64_t stream, Expr step, int64_t element, int64_t count) {
          return b.random(loops::ExprNode::Draw::Uniform01, DType::F32, stream, {i, step},
                          ix(element), count);
        };
        const Expr asks = b.let(less(uniform(1, t, 0, 1), f32(limit)));
        const Expr draws = uniform(2, t, 0, 1) + uniform(3, t, 2, 4) + uniform(4, t + t, 1, 2);
        b.assign(sum, sum + loops::op(ScalarOp::Select, {asks, draws, f32(0.0)}));
      });
      b.store(sums, i, sum);
    });
    expectAgreesAtAllWidths(b);
  }
}

}  // namespace join_blocks_test
}  // namespace rlc::cpu
