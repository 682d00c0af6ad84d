// Which programs a GPU is worth, by estimate.
#include "jit/gpu/cost.h"

#include <gtest/gtest.h>

#include "jit/gpu/test_programs.h"

namespace rlc::gpu {
namespace {

// By their data sheets, as Device counts from clocks: an H100 SXM, 132 processors of 128 lanes at
// 1.98 GHz and 3.35 TB/s.
const DeviceDescription kDevice{"H100", 132, 90, size_t{80} << 30, 66.9e12, 3.35e12};

// `times` times: each of `width` lanes takes `terms` steps of x = x * x + x.
Program program(int64_t times, int64_t width, int64_t terms, int64_t arenaBytes = 1 << 20) {
  Program made;
  made.buffers = {arena("y", width, 0)};
  made.arenaBytes = made.residentBytes = arenaBytes;
  made.variables = 4;
  auto lanes = loop(Stmt::Loop::Lanes, 0, width);
  const Expr x = loops::variable(3, DType::F32);
  addContraction(*lanes, terms, x, x, 0, var(0), x);
  made.body.push_back(loop(Stmt::Loop::Sequential, 1, times, std::move(lanes)));
  return made;
}

TEST(Cost, WideLoopsWithMuchToDoAreWorthAGpu) {
  EXPECT_TRUE(paysOnGpu(program(100, 1 << 20, 10000), kDevice, 16));
}

TEST(Cost, LittleWorkIsNotWorthToStart) {
  EXPECT_FALSE(paysOnGpu(program(1, 1 << 20, 1000), kDevice, 16));
}

// A second of one thread's work in all; a million launches take longer.
TEST(Cost, ManyShortLoopsAreNot) {
  EXPECT_FALSE(paysOnGpu(program(1000000, 1 << 14, 8), kDevice, 16));
  EXPECT_TRUE(paysOnGpu(program(1000, 1 << 14, 8000), kDevice, 1));
}

// The same arithmetic by few lanes.
TEST(Cost, NarrowLoopsAreNot) {
  EXPECT_TRUE(paysOnGpu(program(10, 1 << 18, 1 << 18), kDevice, 16));
  EXPECT_FALSE(paysOnGpu(program(10, 1 << 8, 1 << 28), kDevice, 16));
}

// Blocks of lanes are as wide as they are together, not as each of them times the last one's end.
TEST(Cost, BlocksOfFewLanesAreNarrow) {
  const auto blocks = [](int64_t count) {
    Program made = program(10, 1 << 8, int64_t{1} << 28);
    Stmt& times = *made.body[0];
    StmtPtr lanes = std::move(times.body[0]);
    const Expr first = var(4) * index(32);
    made.variables = 5;
    lanes->lo = first;
    lanes->hi = loops::op(ScalarOp::Min, {first + index(32), index(32 * count)});
    times.body[0] = loop(Stmt::Loop::Parallel, 4, count, std::move(lanes));
    return paysOnGpu(made, kDevice, 16);
  };
  EXPECT_FALSE(blocks(64));
  EXPECT_TRUE(blocks(4096));
}

// Next to no arithmetic: where no cache holds what is stored, the GPU's memory is the faster one.
TEST(Cost, MemoryCounts) {
  const auto worth = [](int64_t arenaBytes) {
    return paysOnGpu(program(400, 1 << 27, 1, arenaBytes), kDevice, 64);
  };
  EXPECT_TRUE(worth(int64_t{4} << 27));
  EXPECT_FALSE(worth(1 << 20));
}

}  // namespace
}  // namespace rlc::gpu
