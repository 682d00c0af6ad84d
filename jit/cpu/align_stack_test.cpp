// The stack is aligned for vectors wherever they are computed.
#include "jit/cpu/align_stack.h"

#include <gtest/gtest.h>

#include "jit/cpu/target.h"
#include "jit/cpu/testing/emitted_module.h"

namespace rlc::cpu {
namespace align_stack_test {

TEST(AlignStack, WhatTheHostCallsAlignsItForTheRest) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 256 * 4096);
  b.parallel(ix(0), ix(256), [&](Expr block) {
    const Expr first = block * ix(4096);
    b.lanes(first, first + ix(4096), [&](Expr i) { b.store(x, i, b.get(x, i) * f32(2.0)); });
  });
  const EmittedModule emitted(b);
  const int bytes = host().vectorBytes;
  if (bytes <= 16) GTEST_SKIP() << "every stack is aligned so far";
  EXPECT_EQ(emitted.module->getOverrideStackAlignment(), static_cast<unsigned>(bytes));
  int entries = 0;
  for (const llvm::Function& function : *emitted.module) {
    if (function.isDeclaration()) continue;
    const bool called = !function.hasLocalLinkage() || function.hasAddressTaken();
    EXPECT_EQ(function.hasFnAttribute("stackrealign"), called) << function.getName().str();
    entries += called ? 1 : 0;
  }
  EXPECT_EQ(entries, 2) << "the program, and the chunks of its loop";
}

}  // namespace align_stack_test
}  // namespace rlc::cpu
