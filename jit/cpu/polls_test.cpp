// Where loops look whether to stop, that looking changes nothing, and that it ends them.
#include <gtest/gtest.h>

#include <atomic>

#include "jit/cpu/plan.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace polls_test {

using Draw = loops::ExprNode::Draw;

int64_t pollsOf(const Builder& b, const Stmt& loop) {
  const Plan plan = makePlan(b.program, {});
  const auto found = plan.polls.find(&loop);
  return found == plan.polls.end() ? 0 : found->second;
}

TEST(Polls, OnlyLoopsThatLastLook) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 1000);
  const Stmt& brief = b.sequential(ix(0), ix(1000), [&](Expr i) { b.store(x, i, f32(1.0)); });
  const Stmt& lasting =
      b.sequential(ix(0), ix(1) * ix(100000000), [&](Expr) { b.store(x, ix(0), f32(2.0)); });
  EXPECT_EQ(pollsOf(b, brief), 0);
  EXPECT_GT(pollsOf(b, lasting), 100000);
}

TEST(Polls, OutermostLoopsLookAtEachIterationThatHoldsALoop) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 1000);
  const Stmt *inner = nullptr, *innermost = nullptr;
  const Stmt& outer = b.sequential(ix(0), ix(10), [&](Expr) {
    inner = &b.sequential(ix(0), ix(1000), [&](Expr j) {
      innermost = &b.sequential(ix(0), ix(10000), [&](Expr) { b.accumulate(x, j, f32(1.0)); });
    });
  });
  EXPECT_EQ(pollsOf(b, outer), 1);
  EXPECT_GE(pollsOf(b, *inner), 16);
  EXPECT_EQ(pollsOf(b, *innermost), 0);
}

TEST(Polls, BoundsThatDependOnOuterLoopsAreEstimated) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 1000), n = b.parameter(DType::I32);
  const Stmt *triangle = nullptr, *block = nullptr, *unknown = nullptr;
  b.sequential(ix(0), ix(500), [&](Expr i) {
    triangle = &b.sequential(i, ix(500), [&](Expr k) { b.accumulate(x, k, f32(1.0)); });
    const Expr first = b.let(i * ix(100000));
    const Expr last = loops::op(ScalarOp::Min, {first + ix(16), ix(40000000)});
    block = &b.sequential(first, last, [&](Expr) { b.accumulate(x, ix(0), f32(1.0)); });
    unknown = &b.sequential(ix(0), loops::cast(DType::I64, b.get(n, ix(0))),
                            [&](Expr) { b.accumulate(x, ix(0), f32(1.0)); });
  });
  EXPECT_EQ(pollsOf(b, *triangle), 0);
  EXPECT_EQ(pollsOf(b, *block), 0);
  EXPECT_GT(pollsOf(b, *unknown), 0);
}

// A large tree in which little is set.
TEST(Polls, AnUpdateOfATreeCountsItsEntries) {
  Builder b;
  const int64_t capacity = 1 << 24;
  const BufferId tree = b.arena(DType::F32, 2 * capacity), positions = b.arena(DType::I32, 4),
                 priorities = b.arena(DType::F32, 4);
  const Stmt* updates = nullptr;
  b.sequential(ix(0), ix(10), [&](Expr) {
    updates = &b.sequential(ix(0), ix(100), [&](Expr) {
      b.call(Stmt::Function::TreeUpdate, {ix(capacity), ix(16), ix(4)},
             {{positions, ix(0)}, {priorities, ix(0)}, {tree, ix(0)}, {tree, ix(0)}});
    });
  });
  EXPECT_EQ(pollsOf(b, *updates), 0);
}

// Loops that look are cut into strips; a draw counts as many operations, so few iterations make a
// loop long.
TEST(Polls, StripsComputeTheSame) {
  for (const bool descending : {false, true}) {
    Builder b;
    const int64_t n = 60001;
    const BufferId y = b.arena(DType::F32, n), last = b.arena(DType::F32, 2);
    const auto draw = [&](Expr i) {
      return b.random(Draw::Uniform01, DType::F32, 5, {i}, ix(0), 1);
    };
    b.lanes(ix(0), ix(n), [&](Expr i) { b.store(y, i, draw(i) + f32(1.0)); });
    Stmt& order = b.sequential(ix(3), ix(n), [&](Expr i) {
      b.store(last, ix(0), loops::fma(b.get(last, ix(0)), f32(0.5), draw(i)));
      b.store(y, i, b.get(y, i) + b.get(last, ix(0)));
      b.exit(i, less(f32(2.9999), b.get(y, i)));
    });
    order.descending = descending;
    EXPECT_GT(pollsOf(b, order), 1);
    for (int width : {1, 16}) expectAgrees(b, {.width = width});
  }
}

TEST(Polls, AStopLeavesEveryKindOfLoop) {
  const int64_t forever = int64_t{1} << 40;
  const auto stops = [](Builder& b) {
    CompileOptions options;
    options.cache = false;
    const auto executable = compile(b.program, options);
    Memory memory(b.program);
    const std::atomic<bool> stop{true};
    RunContext context;
    context.arena = memory.arena();
    context.arenaBytes = b.program.arenaBytes;
    context.stop = &stop;
    EXPECT_EQ(executable->run(context).kind, Outcome::Kind::Stopped);
  };
  for (const auto kind : {Stmt::Loop::Sequential, Stmt::Loop::Lanes, Stmt::Loop::Parallel}) {
    Builder b;
    const BufferId x = b.arena(DType::F32, 64);
    b.loop(kind, ix(0), ix(forever),
           [&](Expr i) { b.store(x, loops::op(ScalarOp::Mod, {i, ix(64)}), f32(1.0)); });
    stops(b);
    Builder nested;
    const BufferId y = nested.arena(DType::F32, 64);
    nested.loop(kind, ix(0), ix(64), [&](Expr i) {
      nested.sequential(ix(0), ix(forever), [&](Expr) { nested.accumulate(y, i, f32(1.0)); });
    });
    stops(nested);
  }
}

}  // namespace polls_test
}  // namespace rlc::cpu
