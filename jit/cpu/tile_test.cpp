// Tiled contractions compute what the plain loops do.
#include "jit/cpu/tile.h"

#include <gtest/gtest.h>

#include <functional>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace tile_test {

// y[m, i] = tanh?(sum over k of w[m, k] x[k, i] + c[m]), i in lanes
Builder layer(int64_t rows, int64_t columns, int64_t samples) {
  Builder b;
  const BufferId w = b.arena(DType::F32, rows * columns), c = b.arena(DType::F32, rows);
  const BufferId x = b.arena(DType::F32, columns * samples),
                 y = b.arena(DType::F32, rows * samples);
  b.lanes(ix(0), ix(samples), [&](Expr i) {
    b.sequential(ix(0), ix(rows), [&](Expr m) {
      const Expr sum = b.declare(b.get(c, m));
      b.sequential(ix(0), ix(columns), [&](Expr k) {
        b.assign(sum,
                 loops::fma(b.get(w, m * ix(columns) + k), b.get(x, k * ix(samples) + i), sum));
      });
      b.store(y, m * ix(samples) + i, loops::op(ScalarOp::Max, {sum, f32(0.0)}));
    });
  });
  return b;
}

int countLoops(const loops::Program& program) {
  int loops = 0;
  forEachStmt(program.body, [&](const Stmt& stmt) { loops += stmt.kind == Stmt::Kind::For; });
  return loops;
}

int countAssigns(const loops::Program& program) {
  int assigns = 0;
  forEachStmt(program.body, [&](const Stmt& stmt) { assigns += stmt.kind == Stmt::Kind::Assign; });
  return assigns;
}

TEST(Tiling, GivesTheSameBits) {
  for (int64_t rows : {1, 2, 5, 12, 13, 29, 64}) {
    const Builder b = layer(rows, 9, 45);
    for (int width : {4, 16, 32}) expectAgrees(b, {.width = width});
  }
}

TEST(Tiling, RunsSeveralSumsSideBySide) {
  const Builder b = layer(64, 48, 32);
  const loops::Program tiled = tileContractions(b.program, {32, 64, 32});
  EXPECT_EQ(countAssigns(b.program), 1);
  EXPECT_EQ(countAssigns(tiled), 8);
  EXPECT_EQ(countLoops(tiled), 3);
}

// Sixteen rows of 4 KiB would have all their lines in one set of a cache of eight ways.
TEST(Tiling, RowsThatMeetInTheCacheAreFewer) {
  const auto sums = [](int64_t columns) {
    return countAssigns(tileContractions(layer(64, columns, 16).program, {16, 64, 32}));
  };
  EXPECT_EQ(sums(1000), 16);
  EXPECT_EQ(sums(512), 16);
  EXPECT_EQ(sums(1024), 8);
  EXPECT_EQ(sums(4096), 8);
}

constexpr int64_t kImage = 9, kWindow = 3, kOut = 4, kChannels = 24;

// y[o, i, j] = sum over k, u, v of w[o, k, u, v] x[k, 2 i + u, 2 j + v] + c[o], lanes are images;
// `place` says where a result lies.
Builder convolution(int64_t filters, int64_t images,
                    const std::function<Expr(Expr o, Expr i, Expr j)>& place) {
  Builder b;
  const BufferId w = b.arena(DType::F32, filters * kChannels * kWindow * kWindow),
                 x = b.arena(DType::F32, kChannels * kImage * kImage * images),
                 c = b.arena(DType::F32, filters),
                 y = b.arena(DType::F32, 2 * filters * kOut * kOut * images);
  b.lanes(ix(0), ix(images), [&](Expr lane) {
    b.sequential(ix(0), ix(filters), [&](Expr o) {
      b.sequential(ix(0), ix(kOut), [&](Expr i) {
        b.sequential(ix(0), ix(kOut), [&](Expr j) {
          const Expr sum = b.declare(f32(0.0));
          b.sequential(ix(0), ix(kChannels), [&](Expr k) {
            b.sequential(ix(0), ix(kWindow), [&](Expr u) {
              b.sequential(ix(0), ix(kWindow), [&](Expr v) {
                const Expr weight = ((o * ix(kChannels) + k) * ix(kWindow) + u) * ix(kWindow) + v,
                           pixel = (k * ix(kImage) + ix(2) * i + u) * ix(kImage) + ix(2) * j + v;
                b.assign(sum,
                         loops::fma(b.get(w, weight), b.get(x, pixel * ix(images) + lane), sum));
              });
            });
          });
          b.store(y, place(o, i, j) * ix(images) + lane, sum + b.get(c, o));
        });
      });
    });
  });
  return b;
}

// Of sequential loops, outer before inner.
std::vector<int64_t> lengths(const loops::Program& program) {
  std::vector<int64_t> result;
  forEachStmt(program.body, [&](const Stmt& stmt) {
    if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Sequential)
      result.push_back(*tripCount(stmt));
  });
  return result;
}

Expr byFilter(const Expr& o, const Expr& i, const Expr& j) {
  return (o * ix(kOut) + i) * ix(kOut) + j;
}

TEST(Tiling, ReordersConvolutionsWithTheSameBits) {
  expectAgreesAtAllWidths(convolution(13, 21, byFilter));
  const Builder b = convolution(40, 16, byFilter);
  const loops::Program tiled = tileContractions(b.program, {16, 64, 32});
  EXPECT_GE(countAssigns(tiled), 8);
  EXPECT_EQ(lengths(b.program).front(), 40);
  EXPECT_EQ(lengths(tiled).front(), kOut) << "the images' rows are around the filters";
}

// Results on top of each other: the last one written stays.
TEST(Tiling, KeepsTheOrderOfWhatSharesPlaces) {
  const auto shared = [](const Expr& o, const Expr& i, const Expr& j) {
    return o + i * ix(2) + j * ix(3);
  };
  const Builder b = convolution(40, 16, shared);
  EXPECT_EQ(lengths(tileContractions(b.program, {16, 64, 32})).front(), 40);
  expectAgrees(b);
}

TEST(Tiling, LeavesDependentRowsAlone) {
  Builder b;
  const BufferId w = b.arena(DType::F32, 400), x = b.arena(DType::F32, 20 * 32);
  b.lanes(ix(0), ix(32), [&](Expr i) {
    b.sequential(ix(1), ix(20), [&](Expr m) {
      const Expr sum = b.declare(f32(0.0));
      b.sequential(ix(0), ix(8), [&](Expr k) {
        b.assign(sum, loops::fma(b.get(w, m * ix(20) + k), b.get(x, k * ix(32) + i), sum));
      });
      b.store(x, m * ix(32) + i, sum);
    });
  });
  EXPECT_EQ(countAssigns(tileContractions(b.program, {32, 64, 32})), 1);
  expectAgreesAtAllWidths(b);
}

TEST(Tiling, LeavesSharedPlacesAlone) {
  for (bool shifted : {false, true}) {
    Builder b;
    const BufferId w = b.arena(DType::F32, 400), x = b.arena(DType::F32, 20 * 32),
                   y = b.arena(DType::F32, 22 * 32);
    b.lanes(ix(0), ix(32), [&](Expr i) {
      b.sequential(ix(0), ix(20), [&](Expr m) {
        const Expr sum = b.declare(f32(0.0));
        b.store(y, (shifted ? m + ix(1) : ix(0)) * ix(32) + i, f32(1.0));
        b.sequential(ix(0), ix(8), [&](Expr k) {
          b.assign(sum, loops::fma(b.get(w, m * ix(20) + k), b.get(x, k * ix(32) + i), sum));
        });
        b.accumulate(y, (shifted ? m : ix(0)) * ix(32) + i, sum);
      });
    });
    EXPECT_EQ(countAssigns(tileContractions(b.program, {32, 64, 32})), 1);
    expectAgrees(b);
  }
}

TEST(Tiling, MatrixProductsWithLanesInside) {
  Builder b;
  const int64_t n = 37, inner = 11, columns = 45;
  const BufferId x = b.arena(DType::F32, n * inner), y = b.arena(DType::F32, inner * columns),
                 z = b.arena(DType::F32, n * columns);
  b.parallel(ix(0), ix(n), [&](Expr i) {
    b.lanes(ix(0), ix(columns), [&](Expr j) {
      const Expr sum = b.declare(f32(0.0));
      b.sequential(ix(0), ix(inner), [&](Expr k) {
        b.assign(sum, loops::fma(b.get(x, i * ix(inner) + k), b.get(y, k * ix(columns) + j), sum));
      });
      b.store(z, i * ix(columns) + j, sum);
    });
  });
  EXPECT_GT(countAssigns(tileContractions(b.program, {32, 64, 32})), 4);
  expectAgreesAtAllWidths(b);
}

// x[1] = x[0] w, where both are parts of one buffer: loops over elements may run in any order.
TEST(Tiling, ReadsOtherPartsOfWhatIsWritten) {
  constexpr int64_t n = 36;
  for (bool elements : {false, true}) {
    Builder b;
    const BufferId x = b.arena(DType::F32, 2 * n * n), w = b.arena(DType::F32, n * n);
    Stmt& rows = b.sequential(ix(0), ix(n), [&](Expr i) {
      b.lanes(ix(0), ix(n), [&](Expr j) {
        const Expr sum = b.declare(f32(0.0));
        b.sequential(ix(0), ix(n), [&](Expr k) {
          b.assign(sum, loops::fma(b.get(x, i * ix(n) + k), b.get(w, k * ix(n) + j), sum));
        });
        b.store(x, ix(n * n) + i * ix(n) + j, sum);
      });
    });
    rows.elements = elements;
    EXPECT_EQ(countAssigns(tileContractions(b.program, {32, 64, 32})) > 1, elements);
    expectAgreesAtAllWidths(b);
  }
}

// The rows' sums on the way stand in one place for all rows.
TEST(Tiling, LeavesRowsThatShareWhatTheyKeep) {
  constexpr int64_t n = 36;
  Builder b;
  const BufferId x = b.arena(DType::F32, n * n), w = b.arena(DType::F32, n * n),
                 y = b.arena(DType::F32, n * n), sums = b.privateBuffer(DType::F32, n);
  Stmt& rows = b.sequential(ix(0), ix(n), [&](Expr i) {
    b.lanes(ix(0), ix(n), [&](Expr j) {
      const Expr sum = b.declare(f32(0.0));
      b.sequential(ix(0), ix(n), [&](Expr k) {
        b.assign(sum, loops::fma(b.get(x, i * ix(n) + k), b.get(w, k * ix(n) + j), sum));
      });
      b.store(sums, ix(0), sum);
      b.store(y, i * ix(n) + j, b.get(sums, ix(0)) * f32(0.5));
    });
  });
  rows.elements = true;
  EXPECT_EQ(countAssigns(tileContractions(b.program, {32, 64, 32})), 1);
  expectAgreesAtAllWidths(b);
}

// Sums over lanes and an outer sequential range, a square tile of results.
TEST(Tiling, DotProductsOverLanes) {
  Builder b;
  const int64_t rows = 10, columns = 14, steps = 6, samples = 50;
  const BufferId x = b.arena(DType::F32, rows * steps * samples),
                 y = b.arena(DType::F32, columns * steps * samples);
  const BufferId z = b.arena(DType::F32, rows * columns);
  b.sequential(ix(0), ix(rows), [&](Expr m) {
    b.sequential(ix(0), ix(columns), [&](Expr k) {
      const Expr sum = b.declare(f32(0.0));
      b.sequential(ix(0), ix(steps), [&](Expr t) {
        Stmt& lanes = b.lanes(ix(0), ix(samples), [&](Expr i) {
          b.assign(sum, loops::fma(b.get(x, (t * ix(rows) + m) * ix(samples) + i),
                                   b.get(y, (t * ix(columns) + k) * ix(samples) + i), sum));
        });
        lanes.reductions = {{-1, sum->var, loops::Combine::Sum}};
      });
      b.accumulate(z, m * ix(columns) + k, sum);
    });
  });
  EXPECT_GE(countAssigns(tileContractions(b.program, {32, 64, 32})), 6);
  expectAgreesAtAllWidths(b, 1e-4);
}

// total += v[m] max(sum over k of w[m, k] x[k, i], 0): the sums of a tile side by side, what is
// made of them one after the other; not where a sum begins with the total so far.
TEST(Tiling, SumsOfSums) {
  constexpr int64_t rows = 29, columns = 9, samples = 45;
  for (const bool fromTotal : {false, true}) {
    Builder b;
    const BufferId w = b.arena(DType::F32, rows * columns), v = b.arena(DType::F32, rows),
                   x = b.arena(DType::F32, columns * samples), y = b.arena(DType::F32, samples);
    b.lanes(ix(0), ix(samples), [&](Expr i) {
      const Expr total = b.declare(f32(0.0));
      b.sequential(ix(0), ix(rows), [&](Expr m) {
        const Expr sum = b.declare(fromTotal ? total : f32(0.0));
        b.sequential(ix(0), ix(columns), [&](Expr k) {
          b.assign(sum,
                   loops::fma(b.get(w, m * ix(columns) + k), b.get(x, k * ix(samples) + i), sum));
        });
        b.assign(total, loops::fma(b.get(v, m), loops::op(ScalarOp::Max, {sum, f32(0.0)}), total));
      });
      b.store(y, i, total);
    });
    EXPECT_EQ(countAssigns(tileContractions(b.program, {32, 64, 32})) > 2, !fromTotal);
    for (int width : {4, 16, 32}) expectAgrees(b, {.width = width});
  }
}

TEST(OuterProducts, AreSummedOverLanes) {
  for (int64_t samples : {32, 77}) {
    for (const auto& [rows, columns] :
         {std::pair<int64_t, int64_t>{3, 8}, {7, 23}, {30, 64}, {26, 100}, {40, 3}, {5, 4}}) {
      Builder b;
      const BufferId dz = b.arena(DType::F32, rows * samples),
                     x = b.arena(DType::F32, columns * samples);
      const BufferId dw = b.arena(DType::F32, rows * columns),
                     half = b.arena(DType::F32, rows * columns);
      const BufferId a = b.privateBuffer(DType::F32, columns);
      Stmt& loop = b.lanes(ix(0), ix(samples), [&](Expr i) {
        b.sequential(ix(0), ix(columns),
                     [&](Expr k) { b.store(a, k, b.get(x, k * ix(samples) + i)); });
        const auto nest = [&](BufferId to) {
          b.sequential(ix(0), ix(rows), [&](Expr m) {
            const Expr d = b.let(b.get(dz, m * ix(samples) + i));
            b.sequential(ix(0), ix(columns),
                         [&](Expr k) { b.accumulate(to, m * ix(columns) + k, d * b.get(a, k)); });
          });
        };
        nest(dw);
        b.when(less(b.get(x, i), f32(0.0)), [&] { nest(half); });
      });
      loop.reductions = {{dw, -1, loops::Combine::Sum}, {half, -1, loops::Combine::Sum}};
      expectAgreesAtAllWidths(b, 1e-3);
    }
  }
}

}  // namespace tile_test
}  // namespace rlc::cpu
