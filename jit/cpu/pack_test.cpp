// What lanes gather in every tile is gathered once.
#include "jit/cpu/pack.h"

#include <gtest/gtest.h>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace pack_test {

// How many stretches are packed, and how many elements in all.
size_t packs(const Builder& b, int64_t* elements = nullptr) {
  loops::Program program = copyProgram(b.program);
  packGathers(program, {32, 64, 32});
  if (elements != nullptr)
    for (size_t k = b.program.buffers.size(); k < program.buffers.size(); ++k)
      *elements += program.buffers[k].elements;
  return program.buffers.size() - b.program.buffers.size();
}

// x[i, k] with lanes far apart: gathered once for all tiles.
TEST(Packing, GathersOnce) {
  Builder b;
  const int64_t rows = 40, columns = 21, samples = 45;
  const BufferId w = b.arena(DType::F32, rows * columns),
                 x = b.arena(DType::F32, (columns + 2) * samples),
                 y = b.arena(DType::F32, rows * samples);
  b.lanes(ix(0), ix(samples), [&](Expr i) {
    b.when(less(b.get(x, i), f32(1.0)), [&] {
      b.sequential(ix(0), ix(rows), [&](Expr m) {
        const Expr sum = b.declare(f32(0.0));
        b.sequential(ix(2), ix(columns), [&](Expr k) {
          b.assign(sum,
                   loops::fma(b.get(w, m * ix(columns) + k),
                              b.get(x, i * ix(columns) + k) * b.get(x, i * ix(columns) + k + ix(1)),
                              sum));
        });
        b.store(y, m * ix(samples) + i, sum);
      });
    });
  });
  EXPECT_EQ(packs(b), 2);
  expectAgreesAtAllWidths(b);
}

// x[of[i], k]: each lane reads the row that its data name, in place or by a variable around the
// nest that has what was read or the row, gathered once for all tiles.
TEST(Packing, GathersOnceWhereDataSay) {
  for (const char* around : {"nothing", "what was read", "the row"}) {
    const std::string has = around;
    Builder b;
    const int64_t rows = 40, columns = 21, samples = 45;
    const BufferId w = b.arena(DType::F32, rows * columns), of = b.arena(DType::I32, samples),
                   x = b.arena(DType::F32, columns * samples),
                   y = b.arena(DType::F32, rows * samples);
    b.lanes(ix(0), ix(samples), [&](Expr i) {
      b.store(of, i, loops::cast(DType::I32, loops::op(ScalarOp::Mod, {i * ix(7), ix(samples)})));
      const Expr read = has == "nothing" ? b.get(of, i) : b.let(b.get(of, i));
      const Expr row = has == "the row" ? b.let(loops::cast(DType::I64, read)) : Expr();
      b.sequential(ix(0), ix(rows), [&](Expr m) {
        const Expr sum = b.declare(f32(0.0));
        b.sequential(ix(0), ix(columns), [&](Expr k) {
          const Expr at = row ? row : b.let(loops::cast(DType::I64, read));
          b.assign(sum,
                   loops::fma(b.get(w, m * ix(columns) + k), b.get(x, k * ix(samples) + at), sum));
        });
        b.store(y, m * ix(samples) + i, sum);
      });
    });
    EXPECT_EQ(packs(b), 1) << has;
    expectAgreesAtAllWidths(b);
  }
}

// y[o, r, s] = sum over u, v of w[o, u, v] x[of[i], r + u, s + v], with images of `type`.
Builder convolution(DType type, int64_t filters, bool writes = false) {
  Builder b;
  const int64_t side = 6, window = 3, out = side - window + 1, samples = 37;
  const BufferId w = b.arena(DType::F32, filters * window * window),
                 of = b.arena(DType::I32, samples), x = b.arena(type, side * side * samples),
                 y = b.arena(DType::F32, filters * out * out * samples);
  b.lanes(ix(0), ix(samples), [&](Expr i) {
    b.store(of, i, loops::cast(DType::I32, loops::op(ScalarOp::Mod, {i * ix(5), ix(samples)})));
    b.sequential(ix(0), ix(filters), [&](Expr o) {
      b.sequential(ix(0), ix(out), [&](Expr r) {
        b.sequential(ix(0), ix(out), [&](Expr s) {
          const Expr sum = b.declare(f32(0.0));
          b.sequential(ix(0), ix(window), [&](Expr u) {
            b.sequential(ix(0), ix(window), [&](Expr v) {
              const Expr image = b.let(loops::cast(DType::I64, b.get(of, i)));
              const Expr pixel = b.get(x, image * ix(side * side) + (r + u) * ix(side) + s + v);
              b.assign(sum, loops::fma(b.get(w, (o * ix(window) + u) * ix(window) + v),
                                       type == DType::F32 ? pixel : loops::cast(DType::F32, pixel),
                                       sum));
            });
          });
          b.store(y, ((o * ix(out) + r) * ix(out) + s) * ix(samples) + i, sum);
          if (writes) b.store(x, i * ix(side * side), f32(1.0));
        });
      });
    });
  });
  return b;
}

TEST(Packing, AWindowThatSlidesReadsOneStretch) {
  for (DType type : {DType::F32, DType::U8, DType::Bool}) {
    const Builder b = convolution(type, 20);
    int64_t elements = 0;
    EXPECT_EQ(packs(b, &elements), 1);
    EXPECT_EQ(elements, 36);
    expectAgreesAtAllWidths(b);
  }
}

// A reshaped image: the index is not linear in the position that is counted.
TEST(Packing, APlaceForEachPointWhereTheIndexIsNotLinear) {
  Builder b;
  const int64_t rows = 40, side = 5, samples = 37;
  const BufferId w = b.arena(DType::F32, rows * side * side),
                 x = b.arena(DType::Bool, side * side * samples),
                 y = b.arena(DType::F32, rows * samples);
  b.lanes(ix(0), ix(samples), [&](Expr i) {
    b.sequential(ix(0), ix(rows), [&](Expr m) {
      const Expr sum = b.declare(f32(0.0));
      b.sequential(ix(0), ix(side * side), [&](Expr k) {
        const Expr row = loops::op(ScalarOp::FloorDiv, {k, ix(side)}),
                   column = loops::op(ScalarOp::Mod, {k, ix(side)});
        const Expr pixel = b.get(x, i * ix(side * side) + column * ix(side) + row);
        b.assign(sum, loops::fma(b.get(w, m * ix(side * side) + k), loops::cast(DType::F32, pixel),
                                 sum));
      });
      b.store(y, m * ix(samples) + i, sum);
    });
  });
  int64_t elements = 0;
  EXPECT_EQ(packs(b, &elements), 1);
  EXPECT_EQ(elements, 25);
  expectAgreesAtAllWidths(b);
}

// Few filters share what their tile loads, and the window slides over each pixel: it is used more
// often than that.
TEST(Packing, AWindowOfFewFilters) {
  for (const int64_t filters : {1, 2, 4}) {
    const Builder b = convolution(DType::F32, filters);
    EXPECT_EQ(packs(b), 1) << filters;
    expectAgreesAtAllWidths(b);
  }
}

// All sums of a few outputs are one tile, which gathers each element once.
TEST(Packing, AFewUsesDoNotPay) {
  for (const int64_t rows : {1, 8}) {
    Builder b;
    const int64_t columns = 21, samples = 45;
    const BufferId w = b.arena(DType::F32, rows * columns),
                   x = b.arena(DType::F32, columns * samples),
                   y = b.arena(DType::F32, rows * samples);
    b.lanes(ix(0), ix(samples), [&](Expr i) {
      b.sequential(ix(0), ix(rows), [&](Expr m) {
        const Expr sum = b.declare(f32(0.0));
        b.sequential(ix(0), ix(columns), [&](Expr k) {
          b.assign(sum,
                   loops::fma(b.get(w, m * ix(columns) + k), b.get(x, i * ix(columns) + k), sum));
        });
        b.store(y, m * ix(samples) + i, sum);
      });
    });
    EXPECT_EQ(packs(b), 0) << rows;
  }
}

TEST(Packing, WhatTheNestWritesIsReadEachTime) {
  const Builder b = convolution(DType::F32, 20, true);
  EXPECT_EQ(packs(b), 0);
}

}  // namespace pack_test
}  // namespace rlc::cpu
