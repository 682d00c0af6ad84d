// Which contractions of lanes a warp computes together.
#include <gtest/gtest.h>

#include "jit/gpu/module.h"
#include "jit/gpu/test_programs.h"

namespace rlc::gpu {
namespace {

GenerateOptions rounding(bool rounds) {
  GenerateOptions options;
  options.gridWork = 1;
  options.roundFactors = rounds;
  return options;
}

bool contains(const Program& program, const GenerateOptions& options, const std::string& text) {
  return generate(program, options).source.find(text) != std::string::npos;
}

// for lanes v0 in 0..64, outputs v1: b[v0 + 64 v1] = sum over v2 in 0..32 of w[32 v1 + v2] * x[v0 +
// 64 v2]
Program layer(int64_t outputs) {
  Program program;
  program.buffers = {arena("w", 32 * outputs, 0), arena("x", 64 * 32, 1 << 16),
                     arena("y", 64 * outputs, 1 << 17)};
  program.arenaBytes = program.residentBytes = 1 << 18;
  program.variables = 4;
  StmtPtr each = loop(Stmt::Loop::Sequential, 1, outputs);
  addContraction(*each, 32, loops::load(0, DType::F32, index(32) * var(1) + var(2)),
                 loops::load(1, DType::F32, var(0) + index(64) * var(2)), 2,
                 var(0) + index(64) * var(1), loops::variable(3, DType::F32));
  program.body.push_back(loop(Stmt::Loop::Lanes, 0, 64, std::move(each)));
  return program;
}

// for lanes v0 in 0..64, v1, v2 in 0..count: s[count v1 + v2] += a[64 v1 + v0] * b[64 v2 + v0],
// beside another statement or alone
Program gradient(int64_t count, bool alone = false) {
  Program program;
  program.buffers = {arena("a", 64 * count, 0), arena("b", 64 * count, 1 << 16),
                     arena("s", count * count, 1 << 17), arena("c", 64, 1 << 18)};
  program.arenaBytes = program.residentBytes = 1 << 19;
  program.variables = 3;
  StmtPtr lanes = loop(Stmt::Loop::Lanes, 0, 64);
  if (!alone)
    lanes->body.push_back(
        statement(Stmt::Kind::Store, 3, var(0), loops::load(0, DType::F32, var(0))));
  StmtPtr sum = statement(Stmt::Kind::Accumulate, 2, index(count) * var(1) + var(2),
                          loops::load(0, DType::F32, index(64) * var(1) + var(0)) *
                              loops::load(1, DType::F32, index(64) * var(2) + var(0)));
  lanes->body.push_back(loop(Stmt::Loop::Sequential, 1, count,
                             loop(Stmt::Loop::Sequential, 2, count, std::move(sum))));
  lanes->reductions.push_back({2, -1, loops::Combine::Sum});
  program.body.push_back(std::move(lanes));
  return program;
}

TEST(Contraction, TensorCoresTakeALayerWhereFactorsMayBeRounded) {
  EXPECT_TRUE(contains(layer(32), rounding(true), "LaneOutputs<Tf32>"));
  EXPECT_FALSE(contains(layer(32), rounding(false), "LaneOutputs"));
}

TEST(Contraction, FewOutputsAreNotWorthATile) {
  EXPECT_FALSE(contains(layer(8), rounding(true), "LaneOutputs"));
}

TEST(Contraction, AnOlderGpuHasNoTensorCoresForIt) {
  GenerateOptions options = rounding(true);
  options.tensorCores = false;
  EXPECT_FALSE(contains(layer(32), options, "LaneOutputs"));
  EXPECT_TRUE(contains(gradient(16), options, "LaneSums<Registers>"));
}

TEST(Contraction, SumsOverLanesOfProductsAreTiles) {
  EXPECT_TRUE(contains(gradient(16), rounding(false), "LaneSums<Registers>"));
  EXPECT_TRUE(contains(gradient(16), rounding(true), "LaneSums<Tf32>"));
  EXPECT_FALSE(contains(gradient(4), rounding(true), "LaneSums"));
}

TEST(Contraction, SumsOfALoopThatDoesNothingElseAreTilesOnTensorCores) {
  EXPECT_TRUE(contains(gradient(16, true), rounding(true), "LaneSums<Tf32>"));
  const Module exact = generate(gradient(16, true), rounding(false));
  EXPECT_NE(exact.source.find("Threads are the sums' elements."), std::string::npos);
}

TEST(Contraction, BlocksOfPartsOfAWarpHaveNoTiles) {
  GenerateOptions options = rounding(true);
  options.threads = options.teamThreads = 16;
  EXPECT_FALSE(contains(gradient(16), options, "WarpTile"));
}

}  // namespace
}  // namespace rlc::gpu
