// Which kernels loop programs become.
#include <gtest/gtest.h>

#include "jit/gpu/module.h"
#include "jit/gpu/test_programs.h"

namespace rlc::gpu {
namespace {

// x[v0] = y[v0] * y[v0] over 4096 lanes
Program squares() {
  Program program;
  program.buffers = {arena("x", 4096, 0), arena("y", 4096, 16384)};
  program.arenaBytes = program.residentBytes = 32768;
  program.variables = 4;
  const Expr y = loops::load(1, DType::F32, var(0));
  program.body.push_back(
      loop(Stmt::Loop::Lanes, 0, 4096, statement(Stmt::Kind::Store, 0, var(0), y * y)));
  return program;
}

// The kernels where a loop of some thousand operations is a launch.
std::string kernelsOf(const Program& program) {
  GenerateOptions options;
  options.gridWork = 1000;
  return generate(program, options).source;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Generate, GivesALargeLoopAThreadForEachIteration) {
  const Program program = squares();
  GenerateOptions options;
  options.gridWork = 1000;
  const Module module = generate(program, options);
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.kernels[0].threads, options.threads);
  EXPECT_EQ(module.kernels[0].hi->literal.i, 4096);
  EXPECT_EQ(count(module.source, "__syncthreads"), 0);
}

TEST(Generate, KeepsASmallLoopInOneBlock) {
  const Program program = squares();
  GenerateOptions options;
  options.gridWork = 1e9;
  const Module module = generate(program, options);
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_FALSE(module.kernels[0].lo);
}

TEST(Generate, CombinesTheSumsOfBlocksInASecondKernel) {
  Program program = squares();
  const Expr y = loops::load(1, DType::F32, var(0));
  program.body[0]->body[0] = statement(Stmt::Kind::Accumulate, 0, index(7), y);
  program.body[0]->reductions.push_back({0, -1, loops::Combine::Sum});
  GenerateOptions options;
  options.gridWork = 1000;
  const Module module = generate(program, options);
  ASSERT_EQ(module.kernels.size(), 2u);
  EXPECT_EQ(count(module.source, "acrossBlock<Sum>"), 1);
  EXPECT_EQ(count(module.source, "acrossCopies<Sum"), 1);
  EXPECT_GE(module.scratchBytes, 4096 / options.threads * 4);
}

TEST(Generate, TakesBlocksThatACutMakesForOneLoop) {
  // 64 blocks of 512 lanes: a block alone is less than a launch is worth
  Program program = squares();
  program.buffers = {arena("x", 1, 0), arena("y", 32768, 64)};
  program.arenaBytes = program.residentBytes = 64 + 4 * 32768;
  const Expr y = loops::load(1, DType::F32, var(0));
  const Expr first = var(1) * index(512);
  auto lanes = loop(Stmt::Loop::Lanes, 0, 0, statement(Stmt::Kind::Accumulate, 0, index(0), y * y));
  lanes->lo = first;
  lanes->hi = loops::op(ScalarOp::Min, {first + index(512), index(32768)});
  lanes->reductions.push_back({0, -1, loops::Combine::Sum});
  program.body[0] = loop(Stmt::Loop::Parallel, 1, 64, std::move(lanes));
  program.body[0]->reductions.push_back({0, -1, loops::Combine::Sum});
  GenerateOptions options;
  options.gridWork = 50000;
  const Module module = generate(program, options);
  ASSERT_EQ(module.kernels.size(), 2u);
  for (const Step& step : module.steps) EXPECT_EQ(step.kind, Step::Kind::Launch);
  EXPECT_EQ(module.kernels[0].hi->literal.i, 32768);
}

// x[8 * v1 + v0] = y[8 * v1 + v0] for 64 rows of 8, outside in any order
Program rows(bool elements) {
  Program program = squares();
  const Expr at = var(0) + var(1) * index(8);
  auto row = loop(Stmt::Loop::Lanes, 0, 8,
                  statement(Stmt::Kind::Store, 0, at, loops::load(1, DType::F32, at)));
  program.body[0] = loop(Stmt::Loop::Sequential, 1, 64, std::move(row));
  program.body[0]->elements = elements;
  return program;
}

TEST(Generate, SharesAWholeNestOfElementsAmongABlocksThreads) {
  GenerateOptions options;
  options.gridWork = 1e9;
  const Module module = generate(rows(true), options);
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(count(module.source, "for ("), 1);
  EXPECT_EQ(count(module.source, "= 512ll"), 1);
}

TEST(Generate, LaunchesANestOfElementsWhereThatPays) {
  GenerateOptions options;
  options.gridWork = 100;
  const Module module = generate(rows(true), options);
  ASSERT_EQ(module.kernels.size(), 1u);
  ASSERT_TRUE(module.kernels[0].hi);
  EXPECT_EQ(module.kernels[0].hi->literal.i, 512);
}

TEST(Generate, KeepsTheOrderOfRowsThatIsNotSaidToBeFree) {
  GenerateOptions options;
  options.gridWork = 1e9;
  const Module module = generate(rows(false), options);
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.program->body[0]->loop, Stmt::Loop::Sequential);
  EXPECT_EQ(count(module.source, "= 512ll"), 0);
}

TEST(Generate, ComparesLoopVariablesOfTheHostInEachThread) {
  // for v2: if 5 <= v2: lanes ...; a report keeps the loop on the host
  Program program = rows(true);
  auto test = std::make_unique<Stmt>();
  test->kind = Stmt::Kind::If;
  test->value = loops::op(ScalarOp::Le, {index(5), var(2)});
  test->body.push_back(std::move(program.body[0]));
  program.body.clear();
  auto outer = loop(Stmt::Loop::Sequential, 2, 10, std::move(test));
  auto emit = std::make_unique<Stmt>();
  emit->kind = Stmt::Kind::Emit;
  emit->sink = 0;
  emit->args = {var(2)};
  outer->body.push_back(std::move(emit));
  program.body.push_back(std::move(outer));
  const Module module = generate(program, {});
  EXPECT_EQ(count(module.source, "__shared__"), 0);
  EXPECT_EQ(count(module.source, "(5ll <= v2)"), 1);
}

TEST(Generate, LeavesALoopWithEmittedValuesToTheHost) {
  Program program = squares();
  auto inner = std::move(program.body[0]);
  program.body.clear();
  auto outer = loop(Stmt::Loop::Sequential, 1, 10, std::move(inner));
  auto emit = std::make_unique<Stmt>();
  emit->kind = Stmt::Kind::Emit;
  emit->sink = 0;
  emit->args = {var(1)};
  outer->body.push_back(std::move(emit));
  program.body.push_back(std::move(outer));
  const Module module = generate(program, {});
  ASSERT_EQ(module.steps.size(), 1u);
  EXPECT_EQ(module.steps[0].kind, Step::Kind::Loop);
  ASSERT_EQ(module.steps[0].body.size(), 2u);
  EXPECT_EQ(module.steps[0].body[1].kind, Step::Kind::Emit);
}

TEST(Generate, GivesOutputsThreadsWhereLanesOnlyAddUp) {
  Program program = squares();
  program.buffers[0].elements = 64 * 4;
  // x[v1] += y[v0], for all v1: no barrier in the loop over lanes
  auto sum = loop(Stmt::Loop::Sequential, 1, 256,
                  statement(Stmt::Kind::Accumulate, 0, var(1), loops::load(1, DType::F32, var(0))));
  program.body[0] = loop(Stmt::Loop::Lanes, 0, 4096, std::move(sum));
  program.body[0]->reductions.push_back({0, -1, loops::Combine::Sum});
  GenerateOptions options;
  options.gridWork = 1000;
  const Module module = generate(program, options);
  EXPECT_EQ(count(module.source, "acrossBlock"), 0);
  EXPECT_EQ(count(module.source, "Threads are the sums' elements"), 1);
}

// out[4096 * v1 + v0] = sum of w[16 * v1 + v2] * x[4096 * v2 + v0] over v2, for 24 rows of 16
// weights and 4096 lanes
Program dense(loops::BufferId target) {
  Program program;
  program.buffers = {arena("w", 24 * 16, 0), arena("x", 24 * 4096, 4096),
                     arena("out", 24 * 4096, 1 << 20)};
  program.arenaBytes = program.residentBytes = 2 << 20;
  program.variables = 4;
  auto row = loop(Stmt::Loop::Sequential, 1, 24);
  addContraction(*row, 16, loops::load(0, DType::F32, var(1) * index(16) + var(2)),
                 loops::load(1, DType::F32, var(2) * index(4096) + var(0)), target,
                 var(1) * index(4096) + var(0), loops::variable(3, DType::F32));
  program.body.push_back(loop(Stmt::Loop::Lanes, 0, 4096, std::move(row)));
  return program;
}

TEST(Generate, ReadsFromTheHostsMemoryWhatHasNoRoom) {
  Program program = squares();
  program.residentBytes = 16384;
  const std::string text = kernelsOf(program);
  EXPECT_EQ(count(text, "(float*)(run.arena + 0ll)"), 1);
  EXPECT_EQ(count(text, "(run.swapped + 0ll);  // y, in the host's memory"), 1);
}

// Each of 4096 lanes keeps 64 numbers of its own: 1 MiB in all.
Program keeping(int64_t limit) {
  Program program = squares();
  Buffer own;
  own.kind = Buffer::Kind::Private;
  own.elements = 64;
  program.buffers.push_back(own);
  program.scratchLimit = limit;
  auto& body = program.body[0]->body;
  body.insert(body.begin(),
              loop(Stmt::Loop::Sequential, 1, 64,
                   statement(Stmt::Kind::Store, 2, var(1), loops::load(1, DType::F32, var(0)))));
  body.push_back(statement(Stmt::Kind::Store, 0, var(0), loops::load(2, DType::F32, index(63))));
  return program;
}

TEST(Generate, RunsFewerLanesAtATimeWhereMemoryIsLimited) {
  GenerateOptions options;
  options.gridWork = 1000;
  const Module all = generate(keeping(0), options);
  EXPECT_EQ(all.kernels[0].blocksAtATime, 0);
  EXPECT_EQ(all.scratchBytes, 1 << 20);
  const Module few = generate(keeping(1 << 18), options);
  EXPECT_EQ(few.kernels[0].blocksAtATime, 8);
  EXPECT_EQ(few.kernels[0].threads, options.threads);
  EXPECT_EQ(few.scratchBytes, 1 << 18);
}

TEST(Generate, GivesBlocksFewerThreadsWhereOneBlockIsTooMuch) {
  GenerateOptions options;
  options.gridWork = 1000;
  const Module few = generate(keeping(1 << 14), options);
  EXPECT_EQ(few.kernels[0].threads, 64);
  EXPECT_EQ(few.kernels[0].blocksAtATime, 1);
  EXPECT_EQ(few.scratchBytes, 1 << 14);
}

TEST(Generate, RunsEightOutputsOfALaneSideBySide) {
  const std::string text = kernelsOf(dense(2));
  EXPECT_EQ(count(text, "v1 += 8"), 1);
  EXPECT_EQ(count(text, "= fused("), 8);
}

TEST(Generate, KeepsTheOrderOfOutputsThatLaterOnesRead) {
  const std::string text = kernelsOf(dense(1));
  EXPECT_EQ(count(text, "v1 += 8"), 0);
  EXPECT_EQ(count(text, "= fused("), 1);
}

TEST(Generate, CopiesWeightsToSharedMemory) {
  const std::string text = kernelsOf(dense(2));
  EXPECT_EQ(count(text, "staged_b0_w[384];"), 1);
  EXPECT_EQ(count(text, "staged_b1_x"), 0);  // each lane has its own
}

TEST(Generate, CopiesNoWeightsThatTheLanesChange) {
  EXPECT_EQ(count(kernelsOf(dense(0)), "staged_"), 0);
}

}  // namespace
}  // namespace rlc::gpu
