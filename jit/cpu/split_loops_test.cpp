// Loops are cut where a condition on their variable changes.
#include "jit/cpu/split_loops.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace split_loops_test {

Expr atMost(Expr a, Expr b) { return loops::op(ScalarOp::Le, {std::move(a), std::move(b)}); }

// x[t + 1] from x[t], with conditions that begin, end or hold once.
Builder chain(int64_t lo, int64_t hi, bool descending) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 8 * 64);
  b.lanes(ix(0), ix(7), [&](Expr lane) {
    b.sequential(ix(lo), ix(hi), [&](Expr t) {
       const auto at = [&](Expr k) { return lane * ix(64) + std::move(k); };
       b.when(atMost(ix(0), t * ix(-1) + ix(lo)), [&] { b.store(x, at(t), f32(0.25)); });
       b.when(
           atMost(ix(lo + 1), t), [&] { b.store(x, at(t), b.get(x, at(t - ix(1))) * f32(1.5)); },
           [&] { b.store(x, at(t + ix(1)), f32(2.0)); });
       b.when(loops::op(ScalarOp::And,
                        {less(t, ix(hi - 1)), loops::op(ScalarOp::Ne, {t, ix(lo + 3)})}),
              [&] { b.store(x, at(t + ix(2)), b.get(x, at(t)) + f32(1.0)); });
     }).descending = descending;
  });
  return b;
}

int count(const Block& block, Stmt::Kind kind) {
  int found = 0;
  forEachStmt(block, [&](const Stmt& stmt) {
    found += stmt.kind == kind && stmt.loop == Stmt::Loop::Sequential;
  });
  return found;
}

TEST(SplitLoops, AgreeUpAndDownAndForShortLoops) {
  for (bool descending : {false, true})
    for (int64_t trip : {1, 2, 3, 4, 5, 30})
      expectAgreesAtAllWidths(chain(2, 2 + trip, descending));
}

TEST(SplitLoops, NoConditionIsLeft) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 100);
  b.sequential(ix(0), ix(100), [&](Expr t) {
    b.when(less(t, ix(1)), [&] { b.store(x, t, f32(1.0)); });
    b.when(less(ix(0), t), [&] { b.store(x, t, b.get(x, t - ix(1)) * f32(0.5)); });
  });
  splitLoops(b.program);
  EXPECT_EQ(count(b.program.body, Stmt::Kind::If), 0);
  EXPECT_EQ(count(b.program.body, Stmt::Kind::For), 2);
}

TEST(SplitLoops, LoopsThatAreLeftAndConditionsOfOtherVariablesStay) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 100);
  b.sequential(ix(0), ix(10), [&](Expr outer) {
    b.sequential(ix(0), ix(10),
                 [&](Expr t) { b.when(less(t, outer), [&] { b.store(x, t, f32(1.0)); }); });
  });
  b.sequential(ix(0), ix(10), [&](Expr t) {
    b.when(less(t, ix(1)), [&] { b.store(x, t, f32(1.0)); });
    b.exit(t, less(f32(0.0), b.get(x, t + ix(1))));
  });
  splitLoops(b.program);
  EXPECT_EQ(count(b.program.body, Stmt::Kind::For), 3);
  EXPECT_EQ(count(b.program.body, Stmt::Kind::If), 2);
}

}  // namespace split_loops_test
}  // namespace rlc::cpu
