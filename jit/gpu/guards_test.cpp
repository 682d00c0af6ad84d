// Kernels that have nothing to do are not launched.
#include <gtest/gtest.h>

#include "jit/gpu/module.h"
#include "jit/gpu/test_programs.h"

namespace rlc::gpu {
namespace {

Expr below(loops::VarId v, int64_t bound) {
  return loops::op(ScalarOp::Lt, {var(v), index(bound)});
}

StmtPtr when(Expr condition, StmtPtr body) {
  auto result = std::make_unique<Stmt>();
  result->kind = Stmt::Kind::If;
  result->value = std::move(condition);
  result->body.push_back(std::move(body));
  return result;
}

// The sum of squares over 4096 lanes, in two of eight iterations of the host.
TEST(Guards, HoldBackAKernelAndWhatCombinesItsSums) {
  Program program;
  program.buffers = {arena("x", 1, 0), arena("y", 4096, 64)};
  program.arenaBytes = program.residentBytes = 64 + 4 * 4096;
  program.variables = 4;
  const Expr y = loops::load(1, DType::F32, var(0));
  auto lanes = loop(Stmt::Loop::Lanes, 0, 4096,
                    when(below(1, 2), statement(Stmt::Kind::Accumulate, 0, index(0), y * y)));
  lanes->reductions.push_back({0, -1, loops::Combine::Sum});
  program.body.push_back(loop(Stmt::Loop::Sequential, 1, 8, std::move(lanes)));
  GenerateOptions options;
  options.gridWork = 1000;
  const Module module = generate(program, options);
  ASSERT_EQ(module.kernels.size(), 2u);
  for (const Kernel& kernel : module.kernels) EXPECT_EQ(kernel.guards.size(), 1u);
  EXPECT_EQ(module.source.find("if ((v1 < 2ll))"),
            std::string::npos);  // looked at once, before all
}

}  // namespace
}  // namespace rlc::gpu
