#include "compiler/loops/guards.h"

#include <gtest/gtest.h>

#include <utility>

#include "compiler/loops/expressions.h"
#include "compiler/loops/testing.h"

namespace rlc::loops {
namespace {

using namespace testing;

Expr below(VarId v, int64_t bound) { return op(ScalarOp::Lt, {at(v), index(bound)}); }

StmtPtr over(VarId v, StmtPtr body) { return loop(v, index(0), index(64), std::move(body)); }

StmtPtr let(Expr value) {
  auto result = std::make_unique<Stmt>();
  result->kind = Stmt::Kind::Let;
  result->value = std::move(value);
  return result;
}

StmtPtr work(BufferId target) {
  auto result = std::make_unique<Stmt>();
  result->kind = Stmt::Kind::Store;
  result->value = load(1, DType::F32, index(0));
  result->buffer = target;
  result->index = index(0);
  return result;
}

// How many conditions stand in the block, and how many loops are around the innermost one.
std::pair<int, int> conditions(const Block& block, int depth = 0) {
  std::pair<int, int> found{0, 0};
  for (const StmtPtr& stmt : block) {
    const bool isIf = stmt->kind == Stmt::Kind::If;
    if (isIf) found = {found.first + 1, std::max(found.second, depth)};
    for (const Block* inside : {&stmt->body, &stmt->otherwise}) {
      const auto [count, deepest] = conditions(*inside, depth + (stmt->kind == Stmt::Kind::For));
      found = {found.first + count, std::max(found.second, deepest)};
    }
  }
  return found;
}

GuardHoisting fromAll() {
  return {[](const Stmt&, const std::vector<const Stmt*>&) { return true; },
          [](const Stmt&) { return true; }};
}

TEST(Guards, AreThePartsThatAllStatementsHave) {
  const auto lanes = over(0, when(op(ScalarOp::And, {below(1, 3), below(2, 5)}), work(0)));
  lanes->body.push_back(when(below(1, 3), when(below(0, 9), work(0))));
  const auto guards = commonGuards({lanes.get()}, {1, 2});
  ASSERT_EQ(guards.size(), 1u);
  EXPECT_TRUE(sameExpr(guards[0], below(1, 3)));
}

TEST(Guards, AreNoneWhereSomethingIsDoneInAnyCase) {
  const auto lanes = over(0, when(below(1, 3), work(0)));
  lanes->body.push_back(work(0));
  EXPECT_TRUE(commonGuards({lanes.get()}, {1}).empty());
  const auto other = when(below(1, 3), work(0));
  other->otherwise.push_back(work(0));
  EXPECT_TRUE(commonGuards({other.get()}, {1}).empty());
}

TEST(Guards, AreOfWhatIsKnownOutside) {
  const auto lanes = over(0, when(below(0, 3), work(0)));
  EXPECT_TRUE(commonGuards({lanes.get()}, {1}).empty());
  const Expr data =
      op(ScalarOp::Lt, {load(1, DType::F32, at(1)), literal(Scalar::ofFloat(DType::F32, 1))});
  EXPECT_TRUE(commonGuards({over(0, when(data, work(0))).get()}, {1}).empty());
}

TEST(Guards, ExcludeEachOtherWhereTheyNeverHoldAtOnce) {
  const auto atLeast = [](int variable, int64_t low) {  // 0 <= v - low
    return op(ScalarOp::Le, {index(0), at(variable) + index(-low)});
  };
  const auto atMost = [](int variable, int64_t high) {  // 0 <= high - v
    return op(ScalarOp::Le, {index(0), index(high) - at(variable)});
  };
  const auto first = when(op(ScalarOp::And, {atLeast(2, 5), atMost(1, 0)}), work(0));
  EXPECT_TRUE(excludeEachOther(*first, *when(atLeast(1, 1), work(0))));
  EXPECT_TRUE(excludeEachOther(*when(atLeast(1, 1), work(0)), *first));
  EXPECT_FALSE(excludeEachOther(*first, *when(atLeast(1, 0), work(0))));
  EXPECT_FALSE(excludeEachOther(*first, *when(atLeast(3, 1), work(0))));
  const auto either = when(atLeast(1, 1), work(0));
  either->otherwise.push_back(work(0));
  EXPECT_FALSE(excludeEachOther(*first, *either));
  EXPECT_FALSE(excludeEachOther(*first, *work(0)));
}

TEST(Guards, StandAroundABlock) {
  Block block;
  block.push_back(work(0));
  block.push_back(work(1));
  guardAll(block, {});
  EXPECT_EQ(block.size(), 2u);
  guardAll(block, {below(1, 3), below(2, 5)});
  ASSERT_EQ(block.size(), 1u);
  EXPECT_EQ(block.front()->body.size(), 2u);
  EXPECT_EQ(commonGuardsOf(block, {1, 2}).size(), 2u);
}

// In a loop without iterations nothing divides.
TEST(Guards, DoNotDivideByWhatMayBeZero) {
  const auto by = [](Expr divisor) {
    const Expr rest = op(ScalarOp::Mod, {at(1), std::move(divisor)});
    return over(0, when(op(ScalarOp::Eq, {rest, index(0)}), work(0)));
  };
  EXPECT_EQ(commonGuards({by(index(4)).get()}, {1, 2}).size(), 1u);
  EXPECT_TRUE(commonGuards({by(index(0)).get()}, {1, 2}).empty());
  EXPECT_TRUE(commonGuards({by(at(2)).get()}, {1, 2}).empty());
}

TEST(Guards, LeaveWhatDefinesSomethingForLaterStatements) {
  const auto defined = let(literal(Scalar::ofFloat(DType::F32, 1)));
  const auto guarded = when(below(1, 3), work(0));
  EXPECT_TRUE(commonGuards({defined.get(), guarded.get()}, {1}).empty());
}

// for t: for m: for k: { if t < 3: a;  let;  if t < 3 && k < 2: b }
TEST(Guards, StandAroundTheOutermostLoopThatDoesNotChangeThem) {
  auto inner = over(2, when(below(0, 3), work(0)));
  inner->body.push_back(let(literal(Scalar::ofFloat(DType::F32, 1))));
  inner->body.push_back(when(op(ScalarOp::And, {below(0, 3), below(2, 2)}), work(0)));
  Block block;
  block.push_back(over(0, over(1, std::move(inner))));
  hoistGuards(block, fromAll());
  EXPECT_EQ(conditions(block), std::pair(2, 3));  // k < 2 stays
  const Stmt& outer = *block[0]->body[0];
  ASSERT_EQ(outer.kind, Stmt::Kind::If);
  EXPECT_TRUE(sameExpr(outer.value, below(0, 3)));
}

TEST(Guards, StandOnlyAroundTheLoopsAskedFor) {
  const auto hoisted = [](const GuardHoisting& which) {
    Block block;
    block.push_back(over(0, over(1, over(2, when(below(0, 3), work(0))))));
    hoistGuards(block, which);
    return conditions(block);
  };
  GuardHoisting which = fromAll();
  EXPECT_EQ(hoisted(which), std::pair(1, 1));
  which.from = [](const Stmt&, const auto& around) { return around.size() > 1; };
  EXPECT_EQ(hoisted(which), std::pair(1, 2));
  which = fromAll();
  which.about = [](const Stmt& loop) { return loop.var != 0; };
  EXPECT_EQ(hoisted(which), std::pair(1, 3));
}

TEST(Guards, ThatHoldAreNotAskedAgain) {
  Block block;
  block.push_back(when(op(ScalarOp::And, {below(1, 3), below(0, 9)}), work(0)));
  block.push_back(when(below(1, 3), work(2)));
  block[1]->otherwise.push_back(work(3));
  dropGuards(block, {below(1, 3)});
  ASSERT_EQ(block.size(), 2u);
  EXPECT_TRUE(sameExpr(block[0]->value, below(0, 9)));
  EXPECT_EQ(block[1]->buffer, 2);
}

}  // namespace
}  // namespace rlc::loops
