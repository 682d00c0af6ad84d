// What lies where under a limit of memory: copies of tensors of the host's memory, partial sums.
#include <gtest/gtest.h>

#include "jit/gpu/module.h"
#include "jit/gpu/test_programs.h"

namespace rlc::gpu {
namespace {

constexpr int64_t kRow = 4096;

// x[v0] = y[v1, v0] * y[v1, v0] over 4096 lanes, for v1 of eight rows; y lies in the host's memory.
Program rows(int64_t transferBytes) {
  Program program;
  program.buffers = {arena("x", kRow, 0), arena("y", 8 * kRow, 65536)};
  program.residentBytes = 65536;
  program.arenaBytes = 65536 + 8 * kRow * 4;
  program.transferBytes = transferBytes;
  program.variables = 4;
  const Expr y = loops::load(1, DType::F32, var(1) * index(kRow) + var(0));
  program.body.push_back(
      loop(Stmt::Loop::Sequential, 1, 8,
           loop(Stmt::Loop::Lanes, 0, kRow, statement(Stmt::Kind::Store, 0, var(0), y * y))));
  return program;
}

Module moduleOf(const Program& program) {
  GenerateOptions options;
  options.gridWork = 1000;
  return generate(program, options);
}

TEST(Memory, CopiesTheRowThatAKernelReads) {
  const Module module = moduleOf(rows(2 * 4 * kRow));
  ASSERT_EQ(module.kernels.size(), 1u);
  ASSERT_EQ(module.kernels[0].transfers.size(), 1u);
  const Transfer& transfer = module.kernels[0].transfers[0];
  EXPECT_EQ(transfer.buffer, 1);
  EXPECT_EQ(transfer.elements, kRow);
  EXPECT_FALSE(transfer.written);
  EXPECT_FALSE(module.kernels[0].reachesHost);
  EXPECT_NE(module.source.find("(run.copies[0] + 0ll);  // y, in the host's memory, a copy"),
            std::string::npos);
}

TEST(Memory, LeavesInTheHostsMemoryWhatHalfTheRoomForCopiesDoesNotHold) {
  const Module module = moduleOf(rows(2 * 4 * kRow - 1));
  EXPECT_TRUE(module.kernels[0].transfers.empty());
  EXPECT_TRUE(module.kernels[0].reachesHost);
}

TEST(Memory, CopiesBackWhatAKernelChanges) {
  Program program = rows(2 * 4 * kRow);
  const Expr at = var(1) * index(kRow) + var(0);
  Stmt& store = *program.body[0]->body[0]->body[0];
  store.buffer = 1;
  store.index = at;
  const Module module = moduleOf(program);
  ASSERT_EQ(module.kernels[0].transfers.size(), 1u);
  EXPECT_TRUE(module.kernels[0].transfers[0].written);
}

// The sum over 65536 lanes of what each keeps 64 numbers for, into each of `sums` elements.
Program sums(int count, int64_t limit) {
  Program program;
  program.buffers = {arena("x", 4, 0), arena("y", 65536, 64)};
  Buffer own;
  own.kind = loops::Buffer::Kind::Private;
  own.elements = 64;
  program.buffers.push_back(own);
  program.arenaBytes = program.residentBytes = 64 + 4 * 65536;
  program.scratchLimit = limit;
  program.variables = 4;
  for (int k = 0; k < count; ++k) {
    auto lanes =
        loop(Stmt::Loop::Lanes, 0, 65536,
             loop(Stmt::Loop::Sequential, 1, 64,
                  statement(Stmt::Kind::Store, 2, var(1), loops::load(1, DType::F32, var(0)))));
    lanes->body.push_back(
        statement(Stmt::Kind::Accumulate, 0, index(k), loops::load(2, DType::F32, index(63))));
    lanes->reductions.push_back({0, -1, loops::Combine::Sum});
    program.body.push_back(std::move(lanes));
  }
  return program;
}

TEST(Memory, PartialSumsOfLaunchesShareMemory) {
  const Module one = moduleOf(sums(1, 0)), three = moduleOf(sums(3, 0));
  EXPECT_EQ(three.kernels.size(), 6u);
  EXPECT_EQ(three.scratchBytes, one.scratchBytes);
}

TEST(Memory, BlocksKeepTheirThreadsWhereFewerWouldSaveNothing) {
  const GenerateOptions options;
  const Module less = moduleOf(sums(1, 65536)), none = moduleOf(sums(1, 1));
  EXPECT_EQ(less.kernels[0].threads, options.threads);
  EXPECT_LE(less.scratchBytes, 65536);
  EXPECT_EQ(none.kernels[0].threads, options.threads);
}

}  // namespace
}  // namespace rlc::gpu
