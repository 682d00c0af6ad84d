#include "jit/gpu/guards.h"

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

StmtPtr square(loops::BufferId target) {
  const Expr y = loops::load(1, DType::F32, var(0));
  return statement(Stmt::Kind::Store, target, var(0), y * y);
}

TEST(Guards, AreThePartsThatAllStatementsHave) {
  auto lanes = loop(Stmt::Loop::Lanes, 0, 64,
                    when(loops::op(ScalarOp::And, {below(1, 3), below(2, 5)}), square(0)));
  lanes->body.push_back(when(below(1, 3), when(below(0, 9), square(0))));
  const auto guards = commonGuards({lanes.get()}, {1, 2});
  ASSERT_EQ(guards.size(), 1u);
  EXPECT_EQ(guards[0]->args[1]->literal.i, 3);
}

TEST(Guards, AreNoneWhereSomethingIsDoneInAnyCase) {
  auto lanes = loop(Stmt::Loop::Lanes, 0, 64, when(below(1, 3), square(0)));
  lanes->body.push_back(square(0));
  EXPECT_TRUE(commonGuards({lanes.get()}, {1}).empty());
  auto other = when(below(1, 3), square(0));
  other->otherwise.push_back(square(0));
  EXPECT_TRUE(commonGuards({other.get()}, {1}).empty());
}

TEST(Guards, AreOfWhatIsKnownOutside) {
  const auto lanes = loop(Stmt::Loop::Lanes, 0, 64, when(below(0, 3), square(0)));
  EXPECT_TRUE(commonGuards({lanes.get()}, {1}).empty());
  const Expr loaded = loops::op(ScalarOp::Lt, {loops::load(1, DType::F32, var(1)),
                                               loops::literal(Scalar::ofFloat(DType::F32, 1))});
  const auto read = loop(Stmt::Loop::Lanes, 0, 64, when(loaded, square(0)));
  EXPECT_TRUE(commonGuards({read.get()}, {1}).empty());
}

TEST(Guards, LeaveWhatDefinesSomethingForLaterKernels) {
  const auto defined = local(Stmt::Kind::Let, 3, loops::literal(Scalar::ofFloat(DType::F32, 1)));
  const auto guarded = when(below(1, 3), square(0));
  EXPECT_TRUE(commonGuards({defined.get(), guarded.get()}, {1}).empty());
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
