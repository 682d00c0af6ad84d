// Products of matrices by panels of columns compute what the plain loops do.
#include "jit/cpu/panels.h"

#include <gtest/gtest.h>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/share_elements.h"
#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace panels_test {

// c[i, j] = sum over k of a[i, k] b[k, j], and what may differ.
struct Product {
  int64_t rows = 40, steps = 75, columns = 133;
  bool transposed = false;  // b[j, k]
  bool own = false;         // each row has a `b` of its own
  bool elements = true;     // rows in any order
  bool outer = false;       // the rows are those of five matrices
  DType type = DType::F32;  // of b

  Builder build() const {
    Builder b;
    const int64_t outerRows = outer ? 5 : 1, innerRows = rows / outerRows;
    const BufferId x = b.arena(DType::F32, rows * steps),
                   w = b.arena(type, steps * columns + (own ? rows : 0)),
                   y = b.arena(DType::F32, rows * columns);
    const auto body = [&](const Expr& i) {
      b.lanes(ix(0), ix(columns), [&](Expr j) {
        const Expr sum = b.declare(f32(0.0));
        b.sequential(ix(0), ix(steps), [&](Expr k) {
          const Expr place = transposed ? j * ix(steps) + k : k * ix(columns) + j;
          const Expr factor = b.get(w, own ? place + i : place);
          b.assign(sum,
                   loops::fma(b.get(x, i * ix(steps) + k), loops::cast(DType::F32, factor), sum));
        });
        b.store(y, i * ix(columns) + j, loops::op(ScalarOp::Max, {sum, f32(0.0)}));
      });
    };
    Stmt& loop = b.sequential(ix(0), ix(outerRows), [&](Expr o) {
      if (!outer) return body(o);
      b.sequential(ix(0), ix(innerRows), [&](Expr i) { body(o * ix(innerRows) + i); }).elements =
          elements;
    });
    loop.elements = elements;
    if (!outer) loop.hi = ix(rows);
    b.program.residentBytes = b.program.arenaBytes;
    return b;
  }

  loops::Program packed() const {
    loops::Program program = copyProgram(build().program);
    packPanels(program, {32, 64, 32});
    return program;
  }

  // Panels' storage.
  std::vector<Buffer> panels() const {
    std::vector<Buffer> found;
    for (const Buffer& buffer : packed().buffers)
      if (buffer.kind == Buffer::Kind::Thread) found.push_back(buffer);
    return found;
  }
};

TEST(Panels, LieTogetherInTheOrderOfTheirReads) {
  const Product product;
  const auto panels = product.panels();
  ASSERT_EQ(panels.size(), 2);  // of whole panels and of the last, narrower one
  EXPECT_EQ(panels[0].elements, 75 * 32);
  EXPECT_EQ(panels[1].elements, 75 * 5);
  expectAgreesAtAllWidths(product.build());
}

TEST(Panels, GatherTransposedMatricesOnce) {
  for (int64_t steps : {16, 37, 75}) {
    const Product product{.steps = steps, .transposed = true};
    EXPECT_EQ(product.panels().size(), 2);
    expectAgreesAtAllWidths(product.build());
  }
}

TEST(Panels, OfMatricesBehindEachOther) {
  const Product product{.rows = 60, .outer = true};
  EXPECT_EQ(product.panels().size(), 2);
  expectAgreesAtAllWidths(product.build());
}

TEST(Panels, OfOtherTypes) {
  const Product product{.steps = 140, .type = DType::BF16};
  const auto panels = product.panels();
  ASSERT_EQ(panels.size(), 2);
  EXPECT_EQ(panels[0].type, DType::BF16);
  expectAgreesAtAllWidths(product.build());
}

TEST(Panels, GiveTheSameBitsOnAnyNumberOfThreads) {
  // Panels for threads, rows in blocks for threads, and rows of one narrow panel.
  for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{70, 260}, {512, 96}, {131, 43}})
    for (int threads : {1, 2, 5}) {
      const Product product{.rows = rows, .steps = 120, .columns = columns, .transposed = true};
      EXPECT_FALSE(product.panels().empty());
      expectAgrees(product.build(), {.threads = threads});
    }
}

// A row's 32 columns of y are lines of the cache 0 and 1, and, where a row begins inside a line, 2.
TEST(Panels, AskAheadForRowsOfLargeMatrices) {
  const auto asked = [](const loops::Program& program) {
    std::vector<size_t> lines;
    forEachStmt(program.body, [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::Call && stmt.function == Stmt::Function::Prefetch)
        lines.push_back(stmt.places.size());
    });
    return lines;
  };
  EXPECT_TRUE(asked(Product{}.packed()).empty());
  const Product large{.rows = 512, .columns = 270};
  loops::Program program = large.packed();
  EXPECT_EQ(asked(program), (std::vector<size_t>{3, 2}));  // of whole panels and of the last one
  shareElements(program);                                  // threads share it all the same
  EXPECT_EQ(program.body.front()->loop, Stmt::Loop::Parallel);
  expectAgreesAtAllWidths(large.build());
}

TEST(Panels, AreLeftOutWhereTheyDoNotPay) {
  EXPECT_FALSE(Product{}.panels().empty());
  EXPECT_TRUE(Product{.rows = 15}.panels().empty());
  EXPECT_TRUE((Product{.steps = 15, .transposed = true}.panels().empty()));
  EXPECT_TRUE((Product{.columns = 31, .transposed = true}.panels().empty()));
  EXPECT_TRUE((Product{.steps = 30}.panels().empty()));  // the first level's cache has all of it
  EXPECT_TRUE((Product{.steps = 100000}.panels().empty()));
}

TEST(Panels, LeaveRowsThatDiffer) {
  for (const Product& product : {Product{.own = true}, Product{.elements = false},
                                 Product{.elements = false, .outer = true}}) {
    EXPECT_TRUE(product.panels().empty());
    expectAgreesAtAllWidths(product.build());
  }
}

// sum over k in i..i + 75 of w[k, j]: each row has a window of its own.
TEST(Panels, LeaveWindowsThatMoveWithTheRows) {
  Builder b;
  const int64_t rows = 40, steps = 75, columns = 133;
  const BufferId w = b.arena(DType::F32, (rows + steps) * columns),
                 y = b.arena(DType::F32, rows * columns);
  b.sequential(ix(0), ix(rows), [&](Expr i) {
     b.lanes(ix(0), ix(columns), [&](Expr j) {
       const Expr sum = b.declare(f32(0.0));
       b.sequential(i, i + ix(steps),
                    [&](Expr k) { b.assign(sum, sum + b.get(w, k * ix(columns) + j)); });
       b.store(y, i * ix(columns) + j, sum);
     });
   }).elements = true;
  b.program.residentBytes = b.program.arenaBytes;
  expectAgreesAtAllWidths(b);
}

// Two matrices that all rows read, the first at a place that takes more arithmetic than its
// panel's.
TEST(Panels, OfFactorsOfOneSum) {
  Builder b;
  const int64_t rows = 40, steps = 75, columns = 133;
  const BufferId v = b.arena(DType::F32, steps * columns), w = b.arena(DType::F32, steps * columns),
                 x = b.arena(DType::F32, rows * steps), y = b.arena(DType::F32, rows * columns);
  b.sequential(ix(0), ix(rows), [&](Expr i) {
     b.lanes(ix(0), ix(columns), [&](Expr j) {
       const Expr sum = b.declare(f32(0.0));
       b.sequential(ix(0), ix(steps), [&](Expr k) {
         const Expr back = (ix(steps - 1) - k) + (ix(columns - 1) - j) * ix(steps);
         const Expr factor = b.get(v, back) * b.get(w, k * ix(columns) + j);
         b.assign(sum, loops::fma(b.get(x, i * ix(steps) + k), factor, sum));
       });
       b.store(y, i * ix(columns) + j, sum);
     });
   }).elements = true;
  b.program.residentBytes = b.program.arenaBytes;
  loops::Program program = copyProgram(b.program);
  packPanels(program, {32, 64, 32});
  EXPECT_EQ(program.buffers.size(), b.program.buffers.size() + 4);
  expectAgreesAtAllWidths(b);
}

// Rows that lie in a file are read once, not by every panel.
TEST(Panels, LeaveWhatLiesInAFile) {
  Builder b = Product{}.build();
  b.program.residentBytes = b.program.buffers[0].offset + 64;
  loops::Program program = copyProgram(b.program);
  packPanels(program, {32, 64, 32});
  EXPECT_EQ(program.buffers.size(), b.program.buffers.size());
}

}  // namespace panels_test
}  // namespace rlc::cpu
