// Locals of functions with many blocks become values.
#include "jit/cpu/promote.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>

#include "jit/cpu/testing/emitted_module.h"

namespace rlc::cpu {
namespace promote_test {

constexpr int64_t kPoints = 5;

// One loop behind the other, each with a total of its own that grows under a condition and is
// carried to the next.
Builder totals(int loops) {
  Builder b;
  const BufferId x = b.arena(DType::F32, kPoints), sums = b.arena(DType::F32, loops);
  b.sequential(ix(0), ix(2), [&](Expr outer) {
    const Expr carried = b.declare(f32(0.25));
    for (int k = 0; k < loops; ++k) {
      const Expr total = b.declare(f32(0.5 + k));
      b.sequential(ix(0), ix(kPoints), [&](Expr i) {
        b.when(less(i, outer + ix(2)), [&] { b.assign(total, total + b.get(x, i) + carried); });
      });
      b.assign(carried, total * f32(0.5));
      b.store(sums, ix(k), total);
    }
    b.store(x, outer, carried);
  });
  return b;
}

size_t localsLeft(const Builder& b) {
  const EmittedModule emitted(b);
  llvm::FunctionAnalysisManager analyses;
  llvm::PassBuilder().registerFunctionAnalyses(analyses);
  size_t locals = 0;
  for (llvm::Function& function : *emitted.module) {
    if (function.isDeclaration()) continue;
    PromotePass().run(function, analyses);
    EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      locals += llvm::isa<llvm::AllocaInst>(instruction);
  }
  return locals;
}

TEST(Promote, LocalsOfALongFunctionBecomeValues) {
  EXPECT_GT(localsLeft(totals(10)), 10u);  // LLVM's own pass is as quick
  EXPECT_EQ(localsLeft(totals(200)), 0u);
}

TEST(Promote, TheResultsStay) { expectAgrees(totals(200)); }

}  // namespace promote_test
}  // namespace rlc::cpu
