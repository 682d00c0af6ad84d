// Sums over lanes of elements that lie side by side are those that the plain loops compute.
#include "jit/cpu/row_sums.h"

#include <gtest/gtest.h>

#include <functional>

#include "jit/cpu/plan.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace row_sums_test {

// sums[m] += d[m, i], half of them only for some lanes, and products with what all rows share.
struct Sums {
  Builder b;
  BufferId d, x, sums, some, products;

  Sums(int64_t rows, int64_t samples)
      : d(b.arena(DType::F32, rows * samples)),
        x(b.arena(DType::F32, samples)),
        sums(b.arena(DType::F32, rows)),
        some(b.arena(DType::F32, rows)),
        products(b.arena(DType::F32, rows + 3)) {
    Stmt& loop = b.lanes(ix(0), ix(samples), [&](Expr i) {
      const auto add = [&](BufferId to, int64_t first, const std::function<Expr(Expr)>& value) {
        b.sequential(ix(0), ix(rows), [&](Expr m) { b.accumulate(to, m + ix(first), value(m)); });
      };
      const auto own = [&](const Expr& m) { return b.get(d, m * ix(samples) + i); };
      add(sums, 0, own);
      b.when(less(b.get(x, i), f32(0.0)), [&] { add(some, 0, own); });
      add(products, 3, [&](const Expr& m) { return b.get(x, i) * own(m); });
    });
    for (BufferId buffer : {sums, some, products})
      loop.reductions.push_back({buffer, -1, loops::Combine::Sum});
  }
  size_t matched(PlanOptions options) { return makePlan(b.program, options).rowSums.size(); }
};

TEST(RowSums, AreThoseOfThePlainLoops) {
  for (int64_t samples : {16, 64, 77})
    for (int64_t rows : {2, 8, 13, 16, 64, 70}) {
      SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(samples) + " samples");
      expectAgreesAtAllWidths(Sums(rows, samples).b, 1e-4);
    }
}

// Small integers are added up exactly in any order.
TEST(RowSums, AddEachLaneOnce) {
  constexpr int64_t rows = 35, samples = 77;
  Sums s(rows, samples);
  for (int width : {4, 8, 16, 32, 64}) {
    Memory expected(s.b.program), actual(s.b.program);
    for (Memory* memory : {&expected, &actual}) {
      for (int64_t k = 0; k < rows * samples; ++k)
        memory->set(s.d, k, static_cast<double>(k * k % 1013 - 300));
      for (int64_t i = 0; i < samples; ++i) memory->set(s.x, i, static_cast<double>(i % 7 - 3));
      for (BufferId to : {s.sums, s.some})
        for (int64_t m = 0; m < rows; ++m) memory->set(to, m, static_cast<double>(m));
      for (int64_t m = 0; m < rows + 3; ++m) memory->set(s.products, m, 1.0);
    }
    runReference(s.b.program, expected.arena(), expected.parameters(), 0);
    runCompiled(s.b.program, actual, {.width = width});
    for (BufferId to : {s.sums, s.some, s.products})
      for (int64_t m = 0; m < rows; ++m)
        ASSERT_EQ(expected.get(to, m), actual.get(to, m)) << width << " lanes, row " << m;
  }
}

TEST(RowSums, AreWorthARegister) {
  PlanOptions options;
  options.width = 32;
  EXPECT_EQ(Sums(64, 64).matched(options), 3u);
  EXPECT_EQ(Sums(8, 64).matched(options), 3u);
  EXPECT_EQ(Sums(7, 64).matched(options), 0u);
  options.vectorBytes = 32;
  EXPECT_EQ(Sums(7, 64).matched(options), 3u);
  options.vectorBytes = 8;
  EXPECT_EQ(Sums(64, 64).matched(options), 0u);
}

// Rows shorter than a register, all in one piece.
TEST(RowSums, TakeSmallMatricesWhole) {
  for (const auto& [columns, apart] : {std::pair<int64_t, int64_t>{4, 4}, {4, 5}, {8, 8}, {3, 3}}) {
    Builder b;
    constexpr int64_t rows = 13, samples = 77;
    const BufferId d = b.arena(DType::F32, rows * samples),
                   x = b.arena(DType::F32, columns * samples),
                   dw = b.arena(DType::F32, rows * apart);
    Stmt& loop = b.lanes(ix(0), ix(samples), [&](Expr i) {
      b.sequential(ix(0), ix(rows), [&](Expr m) {
        b.sequential(ix(0), ix(columns), [&, row = apart](Expr k) {
          b.accumulate(dw, m * ix(row) + k,
                       b.get(d, m * ix(samples) + i) * b.get(x, k * ix(samples) + i));
        });
      });
    });
    loop.reductions = {{dw, -1, loops::Combine::Sum}};
    PlanOptions options;
    options.width = 32;
    EXPECT_EQ(makePlan(b.program, options).rowSums.size(), columns == 4 && apart == 4 ? 1u : 0u)
        << columns << " columns, " << apart << " apart";
    expectAgreesAtAllWidths(b, 1e-4);
  }
}

}  // namespace row_sums_test
}  // namespace rlc::cpu
