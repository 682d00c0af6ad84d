// What decides about the next iteration's draws comes first, and they are drawn as without that.
#include "jit/cpu/early_draws.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace early_draws_test {

constexpr int64_t kWidth = 32, kSteps = 40;

struct Options {
  int64_t together = 1000;  // in the steps that these divide all lanes begin again
  bool drawsLater = false;  // the stream also draws behind what decides
};

// A walk for each of `count` lanes, which begins again the step after it has left [-1, 1].
Builder walks(int64_t count, Options options = {}) {
  using Draw = loops::ExprNode::Draw;
  Builder b;
  const BufferId last = b.arena(DType::F32, count), place = b.privateBuffer(DType::F32, 1),
                 speed = b.privateBuffer(DType::F32, 1), over = b.privateBuffer(DType::Bool, 1);
  b.parallel(ix(0), ix((count + kWidth - 1) / kWidth), [&](Expr block) {
    const Expr lo = block * ix(kWidth);
    b.lanes(lo, loops::op(ScalarOp::Min, {lo + ix(kWidth), ix(count)}), [&](Expr i) {
      b.store(place, ix(0), f32(0.0));
      b.store(speed, ix(0), f32(0.25));
      b.store(over, ix(0), loops::op(ScalarOp::Lt, {ix(0), i}));
      b.sequential(ix(0), ix(kSteps), [&](Expr t) {
        const auto uniform = [&](uint64_t stream, int64_t element) {
          return b.random(Draw::Uniform01, DType::F32, stream, {i, t}, ix(element), 4);
        };
        const auto again = [&](int64_t element) {
          return f32(-0.5) + f32(1.0) * uniform(1, element);
        };
        const Expr begins = b.let(b.get(over, ix(0)));
        b.store(place, ix(0),
                b.let(loops::op(ScalarOp::Select, {begins, again(0), b.get(place, ix(0))})));
        b.store(speed, ix(0),
                b.let(loops::op(ScalarOp::Select, {begins, again(3), b.get(speed, ix(0))})));
        const Expr push = b.let(uniform(3, 1) - f32(0.5));
        const Expr next = b.let(b.get(place, ix(0)) + b.get(speed, ix(0)));
        b.store(speed, ix(0), b.get(speed, ix(0)) + push * push * push);
        if (options.drawsLater) b.store(speed, ix(0), b.get(speed, ix(0)) * uniform(1, 2));
        b.store(place, ix(0), next);
        const Expr whole = loops::op(ScalarOp::Mod, {t, ix(options.together)});
        b.store(over, ix(0),
                loops::op(ScalarOp::Or,
                          {less(f32(1.0), next * next), loops::op(ScalarOp::Eq, {whole, ix(0)})}));
      });
      b.store(last, i, b.get(place, ix(0)));
    });
  });
  return b;
}

std::optional<EarlyDraws> found(const loops::Program& program) {
  std::optional<EarlyDraws> result;
  forEachStmt(program.body, [&](const Stmt& stmt) {
    if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Sequential)
      result = earlyDraws(program, stmt);
  });
  return result;
}

TEST(EarlyDraws, DecidesFirst) {
  const Builder b = walks(kWidth);
  const auto early = found(b.program);
  ASSERT_TRUE(early);
  EXPECT_EQ(early->stream, 1u);
  const auto position = [&](const std::function<bool(const Stmt&)>& which) {
    return std::ranges::find_if(early->order, [&](const Stmt* stmt) { return which(*stmt); }) -
           early->order.begin();
  };
  const auto decides = position([&](const Stmt& stmt) {
    return stmt.kind == Stmt::Kind::Store && stmt.buffer == early->condition;
  });
  const auto pushes = position([&](const Stmt& stmt) {
    return stmt.kind == Stmt::Kind::Let && stmt.value->kind == loops::ExprNode::Kind::Op &&
           stmt.value->op == ScalarOp::Sub;
  });
  EXPECT_LT(decides, pushes);
}

TEST(EarlyDraws, NotOfAStreamThatDrawsLater) {
  EXPECT_FALSE(found(walks(kWidth, {.drawsLater = true}).program));
}

TEST(EarlyDraws, DrawsTheSame) {
  for (const int64_t together : {1000, 5, 1})
    for (const int64_t count : {64 * 16, 64 * 16 + 37}) {
      expectAgrees(walks(count, {.together = together}));
      expectAgrees(walks(count, {.together = together, .drawsLater = true}));
    }
  expectAgreesAtAllWidths(walks(64 * 16 + 37));
}

}  // namespace early_draws_test
}  // namespace rlc::cpu
