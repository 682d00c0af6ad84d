// Regions are the loops below those that only order them.
#include "compiler/loops/regions.h"

#include <gtest/gtest.h>

namespace rlc::loops {
namespace {

Stmt& addLoop(Block& block, Stmt::Loop kind) {
  block.push_back(std::make_unique<Stmt>());
  block.back()->kind = Stmt::Kind::For;
  block.back()->loop = kind;
  return *block.back();
}

TEST(Regions, LoopsBelowThoseThatOrderThem) {
  Program program;
  Stmt& iterations = addLoop(program.body, Stmt::Loop::Sequential);
  Stmt& rollout = addLoop(iterations.body, Stmt::Loop::Parallel);
  addLoop(rollout.body, Stmt::Loop::Lanes);
  Stmt& epochs = addLoop(iterations.body, Stmt::Loop::Sequential);
  Stmt& learning = addLoop(epochs.body, Stmt::Loop::Parallel);
  Stmt& sums = addLoop(program.body, Stmt::Loop::Sequential);
  addLoop(sums.body, Stmt::Loop::Lanes);

  numberRegions(program);
  EXPECT_EQ(rollout.region, 0);
  EXPECT_EQ(learning.region, 1);
  EXPECT_EQ(sums.region, 2);
  EXPECT_EQ(iterations.region, -1);
  EXPECT_EQ(regionsOf(program), (std::vector<const Stmt*>{&rollout, &learning, &sums}));
}

// A run's own steps are told apart where they have lanes; a recurrence of numbers stays one part.
TEST(Regions, ARootLoopOrdersLanesOnly) {
  Program program;
  Stmt& steps = addLoop(program.body, Stmt::Loop::Sequential);
  steps.rootLoop = true;
  Stmt& layer = addLoop(steps.body, Stmt::Loop::Lanes);
  Stmt& numbers = addLoop(program.body, Stmt::Loop::Sequential);
  numbers.rootLoop = true;
  addLoop(numbers.body, Stmt::Loop::Sequential);
  EXPECT_EQ(regionsOf(program), (std::vector<const Stmt*>{&layer, &numbers}));
}

}  // namespace
}  // namespace rlc::loops
