#include "jit/cpu/flatten_elements.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace flatten_elements_test {

constexpr int64_t kRows = 6, kColumns = 4;

// for r: lanes c: y[at(r, c)] = value(r, c)
struct Rows {
  Builder b;
  BufferId x = b.arena(DType::F32, kRows* kColumns), y = b.arena(DType::F32, kRows* kColumns);

  explicit Rows(const std::function<Expr(Rows&, Expr, Expr)>& value, bool elements = true) {
    b.sequential(ix(0), ix(kRows), [&](Expr r) {
       b.lanes(ix(0), ix(kColumns), [&](Expr c) { b.store(y, place(r, c), value(*this, r, c)); });
     }).elements = elements;
  }
  static Expr place(const Expr& row, const Expr& column) { return row * ix(kColumns) + column; }

  // How long its loop of lanes is then.
  int64_t lanes() {
    flattenElements(b.program);
    int64_t count = 0;
    forEachStmt(b.program.body, [&](const Stmt& stmt) {
      if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Lanes)
        count = tripCount(stmt).value();
    });
    return count;
  }
};

TEST(FlattenElements, MakesOneLoopOfRows) {
  Rows rows([](Rows& it, Expr r, Expr c) {
    return it.b.get(it.x, Rows::place(r, c)) * it.b.get(it.y, ix(3));
  });
  EXPECT_EQ(rows.lanes(), kRows * kColumns);
  EXPECT_EQ(rows.b.program.body.front()->loop, Stmt::Loop::Lanes);
}

TEST(FlattenElements, MakesOneLoopOfRowsOfRows) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 3 * kRows * kColumns);
  const auto elements = [&](int64_t count, const std::function<void(Expr)>& body) {
    b.sequential(ix(0), ix(count), body).elements = true;
  };
  elements(3, [&](Expr plane) {
    elements(kRows, [&](Expr r) {
      b.lanes(ix(0), ix(kColumns), [&](Expr c) {
        const Expr at = (plane * ix(kRows) + r) * ix(kColumns) + c;
        b.store(x, at, b.get(x, at) * f32(2));
      });
    });
  });
  flattenElements(b.program);
  const Stmt& loop = *b.program.body.front();
  EXPECT_EQ(loop.loop, Stmt::Loop::Lanes);
  EXPECT_EQ(tripCount(loop), 3 * kRows * kColumns);
}

TEST(FlattenElements, LeavesRowsThatReadAsColumnsDo) {
  Rows columns([](Rows& it, Expr, Expr c) { return it.b.get(it.x, c); });
  EXPECT_EQ(columns.lanes(), kColumns);
  Rows row([](Rows& it, Expr r, Expr) { return it.b.get(it.x, r); });
  EXPECT_EQ(row.lanes(), kColumns);
  Rows turned([](Rows& it, Expr r, Expr c) { return it.b.get(it.x, c * ix(kRows) + r); });
  EXPECT_EQ(turned.lanes(), kColumns);
}

TEST(FlattenElements, LeavesRowsThatKnowTheirNumbers) {
  Rows numbered([](Rows&, Expr r, Expr c) { return loops::cast(DType::F32, r + c); });
  EXPECT_EQ(numbered.lanes(), kColumns);
}

TEST(FlattenElements, LeavesLoopsThatAreNoElements) {
  Rows ordered([](Rows& it, Expr r, Expr c) { return it.b.get(it.x, Rows::place(r, c)); }, false);
  EXPECT_EQ(ordered.lanes(), kColumns);
}

}  // namespace flatten_elements_test
}  // namespace rlc::cpu
