// Loops over elements: neighbours become one, long ones run on all threads.
#include "jit/cpu/share_elements.h"

#include <gtest/gtest.h>

#include "compiler/loops/fuse_elements.h"
#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"
#include "jit/runtime/sum_tree.h"

namespace rlc::cpu {
namespace share_elements_test {

constexpr int64_t kColumns = 37;

using At = std::function<Expr(Expr row, Expr column)>;

Expr inPlace(const Expr& row, const Expr& column) { return row * ix(kColumns) + column; }

// for t: { for r: lanes c: m[r, c] = 0.9 m[r, c] + g[r, c];  for r: lanes c: w[r, c] -= m[at(r, c)]
// }
struct Step {
  int64_t rows = 20, secondRows = 20;
  At read = inPlace;
  bool guarded = false, otherGuard = false, apart = false;
  // Between the loops: nothing; what has nothing to do with them; what changes m.
  enum class Between : uint8_t { Nothing, Other, Change } between = Between::Nothing;

  Builder build() const {
    Builder b;
    const int64_t n = std::max(rows, secondRows) * kColumns;
    const BufferId m = b.arena(DType::F32, n), g = b.arena(DType::F32, n),
                   w = b.arena(DType::F32, n), other = b.arena(DType::F32, n);
    const auto nest = [&](int64_t count, const std::function<void(Expr, Expr)>& body) {
      b.sequential(ix(0), ix(count), [&](Expr r) {
         b.lanes(ix(0), ix(kColumns), [&](Expr c) { body(r, c); });
       }).elements = true;
    };
    b.sequential(ix(0), ix(5), [&](Expr t) {
      const auto when = [&](int64_t from, const std::function<void()>& body) {
        guarded ? b.when(less(ix(from), t), body) : body();
      };
      when(1, [&] {
        nest(rows, [&](Expr r, Expr c) {
          const Expr at = inPlace(r, c);
          b.store(m, at, b.get(m, at) * f32(0.9) + b.get(g, at));
        });
      });
      if (between != Between::Nothing)
        b.store(between == Between::Other ? other : m, ix(3), f32(0.5) * b.get(other, ix(4)));
      when(otherGuard ? 2 : 1, [&] {
        nest(secondRows, [&](Expr r, Expr c) {
          const Expr at = inPlace(r, c);
          b.store(w, at, b.get(w, at) - b.get(apart ? other : m, read(r, c)) * f32(0.1));
        });
      });
    });
    return b;
  }

  // Loops over rows that are left; the results stay what they were.
  int fused() const {
    Builder b = build();
    expectAgrees(b);
    Memory before(b.program), after(b.program);
    runCompiled(b.program, before);
    loops::fuseElements(b.program);
    runCompiled(b.program, after);
    for (BufferId buffer : {0, 2}) EXPECT_EQ(before.bytes(buffer), after.bytes(buffer));
    int loops = 0;
    forEachStmt(b.program.body,
                [&](const Stmt& stmt) { loops += stmt.kind == Stmt::Kind::For && stmt.elements; });
    return loops;
  }
};

TEST(FuseElements, NeighboursWithATensorInCommonAreOneLoop) {
  EXPECT_EQ(Step{}.fused(), 1);
  EXPECT_EQ((Step{.guarded = true}.fused()), 1);
}

TEST(FuseElements, WhatStandsBetweenStaysBehindIfNothingChanges) {
  EXPECT_EQ((Step{.between = Step::Between::Other}.fused()), 1);
  EXPECT_EQ((Step{.between = Step::Between::Change}.fused()), 2);
}

// The second loop gets the moment in a local: the only load of it that is left is the moment's own.
TEST(FuseElements, HandsOverWhatItStores) {
  Builder b = Step{}.build();
  loops::fuseElements(b.program);
  int loads = 0;
  forEachStmt(b.program.body, [&](const Stmt& stmt) {
    if (stmt.kind != Stmt::Kind::Let && stmt.kind != Stmt::Kind::Store) return;
    forEachNode(stmt.value, [&](const ExprNode& node) {
      loads += node.kind == ExprNode::Kind::Load && node.buffer == 0;
    });
  });
  EXPECT_EQ(loads, 1);
}

TEST(FuseElements, WhatReadsOtherElementsStaysApart) {
  const At last = [](Expr r, Expr c) {
    return (ix(19) - r) * ix(kColumns) + (ix(kColumns - 1) - c);
  };
  EXPECT_EQ((Step{.read = last}.fused()), 2);
  const At above = [](Expr r, Expr c) {
    return loops::op(ScalarOp::Max, {r - ix(1), ix(0)}) * ix(kColumns) + c;
  };
  EXPECT_EQ((Step{.read = above}.fused()), 2);
}

TEST(FuseElements, OtherShapesConditionsAndTensorsStayApart) {
  EXPECT_EQ((Step{.secondRows = 19}.fused()), 2);
  EXPECT_EQ((Step{.guarded = true, .otherGuard = true}.fused()), 2);
  EXPECT_EQ((Step{.apart = true}.fused()), 2);
}

int shared(Builder&& b) {
  shareElements(b.program);
  int count = 0;
  forEachStmt(b.program.body, [&](const Stmt& stmt) {
    count += stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Parallel;
  });
  return count;
}

TEST(ShareElements, LongLoopsOnly) {
  EXPECT_EQ(shared(Step{}.build()), 0);
  EXPECT_EQ(shared(Step{.rows = 1000, .secondRows = 900}.build()), 2);
  EXPECT_EQ(shared(Step{.rows = 1000, .secondRows = 20}.build()), 1);
}

// Pieces of a tensor stand under conditions on its rows.
TEST(ShareElements, LongLoopsUnderConditions) {
  Builder b;
  const int64_t rows = 1000;
  const BufferId x = b.arena(DType::F32, rows * kColumns), y = b.arena(DType::F32, rows * kColumns);
  b.sequential(ix(0), ix(rows), [&](Expr r) {
     b.when(less(r, ix(rows - 3)), [&] {
       b.lanes(ix(0), ix(kColumns),
               [&](Expr c) { b.store(y, inPlace(r, c), b.get(x, inPlace(r, c))); });
     });
   }).elements = true;
  expectAgreesAtAllWidths(b);
  EXPECT_EQ(shared(std::move(b)), 1);
}

TEST(ShareElements, DoesNotDependOnThreads) {
  Builder b = Step{.rows = 1001, .secondRows = 1001, .guarded = true}.build();
  loops::fuseElements(b.program);
  expectAgreesAtAllWidths(b);
  expectSameForAllThreads(b.program, 2);
}

// A sum tree's update by so many entries, twice, of which some are equal. `inOrder`: a recurrence
// puts the priorities where the update takes them.
Builder treeUpdates(int64_t entries, bool inOrder = false) {
  constexpr int64_t capacity = 5000, fanout = 16;
  const int64_t size = runtime::SumTreeLayout(capacity, fanout).size;
  Builder b;
  const BufferId tree = b.arena(DType::F32, size), p = b.arena(DType::F32, entries);
  const BufferId positions = b.privateBuffer(DType::I32, entries),
                 priorities =
                     inOrder ? b.arena(DType::F32, entries) : b.privateBuffer(DType::F32, entries);
  b.sequential(ix(0), ix(size), [&](Expr node) { b.store(tree, node, f32(0.0)); });
  b.sequential(ix(0), ix(2), [&](Expr turn) {
    b.sequential(ix(0), ix(entries), [&](Expr entry) {
      if (inOrder)
        return b.store(
            priorities, entry,
            f32(0.5) * b.get(priorities, loops::op(ScalarOp::Max, {entry - ix(1), ix(0)})) +
                b.get(p, entry));
      b.store(positions, entry,
              loops::cast(DType::I32,
                          loops::op(ScalarOp::Mod, {entry * (turn + ix(7)), ix(capacity - 1000)})));
      b.store(priorities, entry, b.get(p, entry));
    });
    b.call(Stmt::Function::TreeUpdate, {ix(capacity), ix(fanout), ix(entries)},
           {{positions, ix(0)}, {priorities, ix(0)}, {tree, ix(0)}, {tree, ix(0)}});
  });
  return b;
}

TEST(ShareElements, EntriesOfLargeTreeUpdates) {
  EXPECT_EQ(shared(treeUpdates(1000)), 0);
  EXPECT_EQ(shared(treeUpdates(6000)), 1);
  const Builder b = treeUpdates(6000);
  expectAgrees(b);
  expectSameForAllThreads(b.program, 0);
  EXPECT_EQ(shared(treeUpdates(6000, true)), 0);
}

}  // namespace share_elements_test
}  // namespace rlc::cpu
