#include "jit/cpu/scaled_draws.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace scaled_draws_test {

TEST(ScaledDraws, AreThoseOfOneRange) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 8);
  const auto draw = [&](uint64_t stream, DType type = DType::F32) {
    return b.random(loops::ExprNode::Draw::Uniform01, type, stream, {ix(0)}, ix(0), 1);
  };
  const auto store = [&](Expr value) { b.store(x, ix(0), std::move(value)); };
  store(f32(1) + f32(2) * draw(1));
  store(f32(0.5) * (draw(1) * f32(2) + f32(1)));
  store(f32(1) + f32(2) * draw(2));  // another shift
  store(f32(3) + f32(2) * draw(2));
  store(f32(1) + f32(2) * draw(3));  // also as it is
  store(draw(3));
  store(draw(4) * f32(2));                    // no shift
  store(b.get(x, ix(1)) + f32(2) * draw(5));  // a shift that is not known
  store(f32(0.0) + f32(-2) * draw(6));        // zeros of two signs
  store(f32(-0.0) + f32(-2) * draw(6));
  EXPECT_EQ(scaledStreams(b.program), (std::set<uint64_t>{1}));
}

}  // namespace scaled_draws_test
}  // namespace rlc::cpu
