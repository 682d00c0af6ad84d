// Every kind of statement, in scalar code, in lanes of every width, with remainders.
#include <gtest/gtest.h>

#include <atomic>

#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace statement_test {

using loops::Combine;
using Draw = loops::ExprNode::Draw;

TEST(Lanes, CoverEveryCount) {
  for (int64_t n = 1; n <= 37; ++n) {
    Builder b;
    const BufferId x = b.arena(DType::F32, 40), y = b.arena(DType::F32, 40);
    b.lanes(ix(0), ix(n),
            [&](Expr i) { b.store(y, i + ix(2), b.get(x, i) * f32(2.0) + f32(1.0)); });
    for (int width : {4, 16, 32}) expectAgrees(b, {.width = width});
  }
}

TEST(Lanes, WithBoundsKnownAtRunTime) {
  Builder b;
  const BufferId n = b.parameter(DType::I32);
  const BufferId x = b.arena(DType::F32, 200), y = b.arena(DType::F32, 200);
  const Expr hi = loops::cast(DType::I64, b.get(n, ix(0)));
  b.lanes(ix(0), hi, [&](Expr i) { b.store(y, i, b.get(x, i + ix(1))); });
  b.lanes(hi + ix(50), hi * ix(40), [&](Expr i) { b.store(y, i, b.get(x, i + ix(1))); });
  expectAgreesAtAllWidths(b);
}

// Each lane reads a row of its own, whole: where the row begins is a gather, a condition leaves
// some lanes out (whose places may be anywhere), and a row's last element is the buffer's.
TEST(Lanes, LoopsOverRows) {
  for (int64_t length : {4, 8, 16, 12, 32})
    for (bool descending : {false, true}) {
      Builder b;
      constexpr int64_t lanes = 21;
      const BufferId x = b.arena(DType::F32, 8 * length), n = b.arena(DType::I32, 8 * length),
                     y = b.arena(DType::F32, lanes), z = b.arena(DType::I32, lanes);
      const BufferId row = b.constant(
          DType::I32, {7, 3, 0, 5, 900, 1, 6, 2, 4, -70000, 3, 7, 0, 1, 12, 2, 5, 6, 4, 1, 7});
      b.lanes(ix(0), ix(lanes), [&](Expr i) {
        const Expr of = b.let(loops::cast(DType::I64, b.get(row, i)));
        const Expr exists =
            loops::op(ScalarOp::And, {loops::op(ScalarOp::Le, {ix(0), of}), less(of, ix(8))});
        b.when(exists, [&] {
          const Expr sum = b.declare(f32(0)), last = b.declare(i32(0));
          b.sequential(ix(0), ix(length), [&](Expr k) {
             const Expr at = b.let(of * ix(length) + k);
             b.assign(sum, sum * f32(0.5) + b.get(x, at));
             b.assign(last,
                      loops::op(ScalarOp::Select, {loops::op(ScalarOp::Lt, {i32(0), b.get(n, at)}),
                                                   loops::cast(DType::I32, k), last}));
           }).descending = descending;
          b.store(y, i, sum);
          b.store(z, i, last);
        });
      });
      expectAgreesAtAllWidths(b);
    }
}

// Blocks of random words are computed for the lanes that a selection takes them in: none, a few,
// many, others for another word of the block, and others again at the next step, which shares the
// block where a point has one word.
TEST(Lanes, DrawsThatSomeLanesAskFor) {
  constexpr int64_t lanes = 37, steps = 9;
  for (const auto& [modulus, below] :
       {std::pair{1, 1}, std::pair{2, 1}, std::pair{40, 1}, std::pair{40, 0}}) {
    Builder b;
    std::vector<BufferId> results;
    for (int k = 0; k < 10; ++k) results.push_back(b.arena(DType::F32, lanes * steps));
    b.lanes(ix(0), ix(lanes), [&](Expr i) {
      b.sequential(ix(0), ix(steps), [&](Expr t) {
        const auto asks = [&](int64_t factor) {
          return less(loops::op(ScalarOp::Mod, {i * ix(factor) + t * ix(3), ix(modulus)}),
                      ix(below));
        };
        const auto draw = [&](uint64_t stream, int64_t element, int64_t count) {
          return b.random(Draw::Uniform01, DType::F32, stream, {i, t}, ix(element), count);
        };
        const auto keep = [&](size_t k, Expr value) {
          b.store(results[k], t * ix(lanes) + i, value);
        };
        keep(0, loops::op(ScalarOp::Select, {asks(7), draw(1, 0, 4), f32(-1)}));
        keep(1, loops::op(ScalarOp::Select, {asks(7), draw(1, 1, 4), f32(-1)}));
        keep(2, loops::op(ScalarOp::Select, {asks(11), f32(-1), draw(1, 2, 4)}));
        keep(3, loops::op(ScalarOp::Select,
                          {asks(5), loops::op(ScalarOp::Select, {asks(7), draw(2, 0, 1), f32(-2)}),
                           f32(-1)}));
        const Expr shared = draw(3, 0, 1);
        keep(4, loops::op(ScalarOp::Select, {asks(7), shared, f32(-1)}) + shared);
        keep(5, loops::op(ScalarOp::Select,
                          {asks(7), f32(-1),
                           b.random(Draw::StandardNormal, DType::F32, 4, {i, t}, ix(0), 1)}));
        // In a range: all draws of stream 5 in the same one, those of stream 6 in two.
        const auto ranged = [&](uint64_t stream, int64_t element, double from, double by) {
          return loops::op(ScalarOp::Select,
                           {asks(7), f32(from) + f32(by) * draw(stream, element, 2), f32(-1)});
        };
        keep(6, ranged(5, 0, -0.05, 0.1));
        keep(7, ranged(5, 1, -0.05, 0.1) * f32(2));
        keep(8, ranged(6, 0, -0.05, 0.1));
        keep(9, ranged(6, 1, 0.5, 3));
      });
    });
    expectAgreesAtAllWidths(b);
  }
}

TEST(Lanes, GatherScatterAndStride) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 300), y = b.arena(DType::F32, 300),
                 z = b.arena(DType::F32, 300);
  const BufferId table = b.constant(DType::I64, {5, 3, 2, 9, 0, 1, 7, 8, 6, 4});
  const BufferId w = b.arena(DType::BF16, 100), flags = b.arena(DType::Bool, 100);
  b.lanes(ix(0), ix(70), [&](Expr i) {
    const Expr digit = b.get(table, loops::op(ScalarOp::Mod, {i, ix(10)}));
    const Expr row = loops::op(ScalarOp::FloorDiv, {i, ix(10)});
    b.store(y, row * ix(10) + digit, b.get(x, i * ix(3)));
    b.store(z, i * ix(4), b.get(x, digit) + b.get(x, ix(299) - i));
    b.store(w, i, loops::cast(DType::BF16, b.get(x, i)) * b.get(w, i));
    b.store(flags, i, loops::op(ScalarOp::Not, {b.get(flags, i)}));
  });
  expectAgreesAtAllWidths(b);
}

TEST(Lanes, UniformStoresKeepTheLastLane) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 64), y = b.arena(DType::F32, 8);
  b.lanes(ix(0), ix(39), [&](Expr i) {
    b.store(y, ix(0), b.get(x, i));
    b.when(less(b.get(x, i), f32(0.0)), [&] { b.store(y, ix(3), b.get(x, i)); });
  });
  expectAgreesAtAllWidths(b);
}

TEST(Lanes, ConditionsMask) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 64), y = b.arena(DType::F32, 64),
                 z = b.arena(DType::I32, 64);
  b.lanes(ix(0), ix(61), [&](Expr i) {
    const Expr v = b.declare(b.get(x, i));
    const Expr count = b.declare(i32(0));
    b.when(
        less(v, f32(0.0)),
        [&] {
          b.assign(v, loops::op(ScalarOp::Neg, {v}));
          b.when(
              less(f32(1.0), v), [&] { b.assign(count, i32(2)); }, [&] { b.store(z, i, i32(9)); });
        },
        [&] {
          b.when(less(ix(30), i), [&] { b.assign(v, b.get(x, i - ix(31))); });
          b.sequential(ix(0), ix(3), [&](Expr) { b.assign(count, count + i32(1)); });
        });
    b.store(y, i, v + loops::cast(DType::F32, count));
  });
  expectAgreesAtAllWidths(b);
}

TEST(Lanes, LoopsWithBoundsOfTheirOwn) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 200), y = b.arena(DType::F32, 400),
                 n = b.arena(DType::I32, 64);
  const auto sum = [&](Expr i, int64_t at, Expr lo, Expr hi, bool descending) {
    const Expr total = b.declare(f32(0.0));
    Stmt& loop = b.sequential(
        lo, hi, [&](Expr k) { b.assign(total, loops::fma(total, f32(0.5), b.get(x, k))); });
    loop.descending = descending;
    b.store(y, i + ix(at), total);
  };
  b.lanes(ix(0), ix(45), [&](Expr i) {
    const Expr m = b.let(loops::op(ScalarOp::Max, {ix(0), loops::cast(DType::I64, b.get(n, i))}));
    for (bool descending : {false, true}) {
      const int64_t at = descending ? 200 : 0;
      sum(i, at, ix(0), m, descending);
      sum(i, at + 45, m, ix(50), descending);
      sum(i, at + 90, i, i + ix(9), descending);
      sum(i, at + 135, m, m + m + loops::op(ScalarOp::Mod, {i, ix(3)}), descending);
    }
  });
  expectAgreesAtAllWidths(b);
}

TEST(Lanes, LeaveLoopsOneByOne) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 1024), first = b.arena(DType::I64, 64),
                 sum = b.arena(DType::F32, 64);
  b.lanes(ix(0), ix(51), [&](Expr i) {
    const Expr found = b.declare(ix(-1));
    const Expr total = b.declare(f32(0.0));
    b.sequential(ix(0), ix(20), [&](Expr k) {
      const Expr v = b.let(b.get(x, i * ix(20) + k));
      b.when(less(f32(1.0), v), [&] {
        b.assign(found, k);
        b.exit(k, less(f32(1.2), v));
        b.assign(total, total + f32(10.0));
      });
      b.assign(total, total + v);
      b.sequential(ix(0), ix(3), [&](Expr) {
        b.assign(total, total + f32(1.0));
        b.exit(k, less(v, f32(-1.5)));
      });
      b.assign(total, total + f32(100.0));
    });
    b.store(first, i, found);
    b.store(sum, i, total);
  });
  expectAgreesAtAllWidths(b);
}

TEST(Scalar, ExitDescendingAndNesting) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 64), y = b.arena(DType::F32, 64);
  b.sequential(ix(0), ix(8), [&](Expr i) {
    Stmt& inner = b.sequential(ix(0), ix(8), [&](Expr j) {
      b.exit(j, less(f32(1.5), b.get(x, i * ix(8) + j)));
      b.store(y, i * ix(8) + j, b.get(x, i * ix(8) + j));
      b.emit(2, {i, j});
    });
    inner.descending = true;
    b.exit(i, less(ix(5), i));
  });
  expectAgrees(b);
}

TEST(Reductions, OfLanes) {
  for (DType type : {DType::F32, DType::F64, DType::I32, DType::I64, DType::U8}) {
    Builder b;
    const BufferId x = b.arena(type, 512), sums = b.arena(type, 8), counts = b.arena(type, 20);
    const auto one =
        loops::literal(isFloat(type) ? Scalar::ofFloat(type, 1) : Scalar::ofInt(type, 1));
    const Expr best = b.declare(
        loops::literal(isFloat(type) ? Scalar::ofFloat(type, -1e9) : Scalar::ofInt(type, 0)));
    Stmt& loop = b.lanes(ix(0), ix(333), [&](Expr i) {
      const Expr v = b.let(b.get(x, i));
      b.accumulate(sums, ix(0), v);
      b.accumulate(sums, ix(1), one);
      b.when(less(one, v), [&] { b.accumulate(sums, ix(0), one); });
      b.sequential(ix(0), ix(20), [&](Expr k) { b.accumulate(counts, k, v); });
      b.assign(best, loops::op(ScalarOp::Max, {best, v}));
    });
    loop.reductions = {
        {sums, -1, Combine::Sum}, {counts, -1, Combine::Sum}, {-1, best->var, Combine::Max}};
    b.store(sums, ix(7), best);
    const BufferId extremes = b.arena(type, 2);
    b.lanes(ix(0), ix(21), [&](Expr i) {
      b.accumulate(extremes, ix(0), b.get(x, i), Combine::Max);
      b.accumulate(extremes, ix(1), b.get(x, i), Combine::Min);
    });
    const BufferId bins = b.arena(type, 10);
    b.lanes(ix(0), ix(77), [&](Expr i) {
      b.accumulate(bins, loops::op(ScalarOp::Mod, {i * i, ix(10)}), b.get(x, i));
    });
    expectAgreesAtAllWidths(b, 1e-4);
  }
}

TEST(Reductions, CountTruths) {
  for (int64_t lanes : {16, 37}) {
    Builder b;
    const BufferId x = b.arena(DType::F32, lanes), flag = b.arena(DType::I32, 3),
                   counts = b.arena(DType::I32, 9), bytes = b.arena(DType::U8, 3);
    b.sequential(ix(0), ix(3), [&](Expr t) {
      const Expr all = b.let(less(b.get(flag, t), i32(1)));
      Stmt& loop = b.lanes(ix(0), ix(lanes), [&](Expr i) {
        const Expr truth = less(f32(0.0), b.get(x, i));
        const auto chosen = [&](Expr condition) {
          return loops::op(ScalarOp::Select,
                           {std::move(condition), loops::cast(DType::I32, truth), i32(0)});
        };
        b.accumulate(counts, t, loops::cast(DType::I32, truth));
        b.accumulate(counts, t + ix(3), chosen(less(b.get(x, i), f32(0.5))));
        b.accumulate(counts, t + ix(6), chosen(all));  // of all lanes, or of none
        b.accumulate(bytes, t, loops::cast(DType::U8, truth));
      });
      loop.reductions = {{counts, -1, loops::Combine::Sum}, {bytes, -1, loops::Combine::Sum}};
    });
    expectAgreesAtAllWidths(b);
  }
}

TEST(Reductions, DoNotDependOnThreads) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 64 * 1000), sums = b.arena(DType::F32, 70),
                 y = b.arena(DType::F32, 64 * 1000);
  const Expr total = b.declare(f32(0.0));
  const Expr scale = b.let(b.get(x, ix(3)));
  Stmt& loop = b.parallel(ix(0), ix(1000), [&](Expr p) {
    Stmt& inner = b.lanes(p * ix(64), p * ix(64) + ix(64), [&](Expr i) {
      b.store(y, i, b.get(x, i) * scale);
      b.accumulate(sums, ix(5), b.get(x, i));
      b.sequential(ix(10), ix(70), [&](Expr k) {
        b.accumulate(sums, k, b.get(x, i) * loops::cast(DType::F32, k));
      });
    });
    inner.reductions = {{sums, -1, Combine::Sum}};
    b.assign(total, total + b.get(x, p));
  });
  loop.reductions = {{sums, -1, Combine::Sum}, {-1, total->var, Combine::Sum}};
  b.store(sums, ix(0), total);
  expectAgrees(b, {.threads = 2}, 1e-3);
  expectSameForAllThreads(b.program, sums);
}

TEST(Faults, NameTheFirstLane) {
  Builder b;
  b.program.faults.resize(3);
  const BufferId x = b.arena(DType::F32, 64), y = b.arena(DType::F32, 64);
  b.sequential(ix(0), ix(4), [&](Expr t) {
    b.lanes(ix(0), ix(41), [&](Expr i) {
      b.check(loops::op(ScalarOp::Not,
                        {loops::op(ScalarOp::And, {loops::op(ScalarOp::Eq, {i, ix(38)}),
                                                   loops::op(ScalarOp::Eq, {t, ix(2)})})}),
              1, {t, i, i * i});
      b.store(y, i, b.get(x, i));
    });
    b.emit(0, {t});
  });
  expectAgreesAtAllWidths(b);
}

TEST(Faults, LeaveParallelLoops) {
  Builder b;
  b.program.faults.resize(1);
  const BufferId y = b.arena(DType::F32, 100000);
  b.parallel(ix(0), ix(100000), [&](Expr i) {
    b.check(loops::op(ScalarOp::Ne, {i, ix(77777)}), 0, {i});
    b.store(y, i, f32(1.0));
  });
  b.emit(0, {});
  for (int threads : {1, 4}) expectAgrees(b, {.threads = threads});
}

// The first fault comes up after much work, those behind it at once.
TEST(Faults, AreTheSameForAnyThreads) {
  Builder b;
  b.program.faults.resize(2);
  constexpr int64_t n = 1024, first = 300;
  const BufferId y = b.arena(DType::F32, n);
  b.parallel(ix(0), ix(n), [&](Expr i) {
    b.check(loops::op(ScalarOp::Le, {i, ix(first)}), 0, {i});
    const Expr sum = b.declare(f32(1));
    b.sequential(ix(0), ix(10000), [&](Expr) { b.assign(sum, sum * f32(0.5) + b.get(y, i)); });
    b.store(y, i, sum);
    b.check(loops::op(ScalarOp::Ne, {i, ix(first)}), 1, {i});
  });
  CompileOptions options;
  options.cache = false;
  const auto executable = compile(b.program, options);
  alignas(64) float arena[n] = {};
  for (const int threads : {1, 2, 3, 16})
    for (int round = 0; round < 10; ++round) {
      RunContext context;
      context.arena = arena;
      context.arenaBytes = sizeof arena;
      context.threads = threads;
      const Outcome outcome = executable->run(context);
      ASSERT_EQ(outcome.kind, Outcome::Kind::Fault);
      EXPECT_EQ(outcome.fault, 1) << threads << " threads";
      EXPECT_EQ(outcome.coordinates, std::vector<int64_t>{first}) << threads << " threads";
    }
}

TEST(Stop, IsPolled) {
  Builder b;
  b.sequential(ix(0), ix(1000000), [&](Expr t) { b.emit(0, {t}); });
  CompileOptions options;
  options.cache = false;
  const auto executable = compile(b.program, options);
  std::atomic<bool> stop{false};
  int seen = 0;
  RunContext context;
  context.stop = &stop;
  context.emit = [&](int, std::span<const int64_t> at) {
    ++seen;
    if (at[0] == 10) stop = true;
  };
  EXPECT_EQ(executable->run(context).kind, Outcome::Kind::Stopped);
  EXPECT_EQ(seen, 11);
  context.emit = [&](int, std::span<const int64_t>) { throw std::runtime_error("disk full"); };
  stop = false;
  EXPECT_THROW(executable->run(context), std::runtime_error);
}

TEST(Calls, SortAndPermute) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 400), sorted = b.arena(DType::F32, 400),
                 order = b.arena(DType::I32, 400);
  const BufferId shuffled = b.arena(DType::I32, 400);
  const BufferId keys = b.privateBuffer(DType::F32, 7), ranks = b.privateBuffer(DType::I32, 7);
  b.call(Stmt::Function::Sort, {ix(100), ix(2), ix(1), ix(0)}, {{x, ix(0)}, {sorted, ix(0)}});
  b.call(Stmt::Function::ArgSort, {ix(100), ix(1), ix(1), ix(1)}, {{x, ix(0)}, {order, ix(0)}});
  b.sequential(ix(0), ix(3), [&](Expr t) {
    b.call(Stmt::Function::Permutation, {t, ix(100), ix(1)}, {{shuffled, t * ix(100)}}).stream = 99;
  });
  b.lanes(ix(0), ix(37), [&](Expr i) {
    b.sequential(ix(0), ix(7), [&](Expr k) { b.store(keys, k, b.get(x, i * ix(7) + k)); });
    b.call(Stmt::Function::ArgSort, {ix(7), ix(1), ix(1), ix(0)}, {{keys, ix(0)}, {ranks, ix(0)}});
    b.sequential(ix(0), ix(7),
                 [&](Expr k) { b.store(order, ix(100) + i * ix(7) + k, b.get(ranks, k)); });
  });
  expectAgreesAtAllWidths(b);
}

TEST(Random, DrawsAreTheReferences) {
  for (int coordinates = 0; coordinates <= 5; ++coordinates) {
    Builder b;
    const BufferId shape = b.arena(DType::F32, 64);
    const BufferId u32 = b.arena(DType::F32, 64), u64 = b.arena(DType::F64, 64),
                   n32 = b.arena(DType::F32, 64), n64 = b.arena(DType::F64, 64),
                   whole = b.arena(DType::I32, 64), gamma = b.arena(DType::F32, 64);
    b.lanes(ix(0), ix(53), [&](Expr i) {
      std::vector<Expr> at;
      for (int k = 0; k < coordinates; ++k) at.push_back(k % 2 == 0 ? i + ix(k) : ix(7 * k - 9));
      const Expr element = coordinates == 0 ? i : ix(2);
      const auto draw = [&](Draw kind, DType type, std::vector<Expr> parameters) {
        return b.random(kind, type, 1234567 + static_cast<uint64_t>(kind), at, element, 64,
                        std::move(parameters));
      };
      b.store(u32, i, draw(Draw::Uniform01, DType::F32, {}));
      b.store(u64, i, draw(Draw::Uniform01, DType::F64, {}));
      b.store(n32, i, draw(Draw::StandardNormal, DType::F32, {}));
      b.store(n64, i, draw(Draw::StandardNormal, DType::F64, {}));
      b.store(whole, i, draw(Draw::UniformInt, DType::I32, {i32(-3), i32(90)}));
      b.store(gamma, i,
              draw(Draw::StandardGamma, DType::F32,
                   {loops::op(ScalarOp::Abs, {b.get(shape, i)}) + f32(0.25)}));
    });
    for (int width : {1, 8, 32}) expectAgrees(b, {.width = width});
  }
}

TEST(Random, NeighboursShareBlocks) {
  for (int64_t first : {0, 1, 4, 6, -8}) {
    Builder b;
    const BufferId u32 = b.arena(DType::F32, 80), u64 = b.arena(DType::F64, 80),
                   n32 = b.arena(DType::F32, 80), whole = b.arena(DType::I32, 80);
    b.lanes(ix(0), ix(77), [&](Expr i) {
      const auto draw = [&](Draw kind, DType type, std::vector<Expr> parameters) {
        return b.random(kind, type, 5, {ix(9), ix(3), i + ix(first)}, ix(0), 1,
                        std::move(parameters));
      };
      b.store(u32, i, draw(Draw::Uniform01, DType::F32, {}));
      b.store(u64, i, draw(Draw::Uniform01, DType::F64, {}));
      b.store(n32, i, draw(Draw::StandardNormal, DType::F32, {}));
      b.store(whole, i,
              draw(Draw::UniformInt, DType::I32, {i32(0), loops::cast(DType::I32, i) + i32(1)}));
    });
    expectAgreesAtAllWidths(b);
  }
}

TEST(Nested, LanesInsideLanesAndParallelInsideParallel) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 900), y = b.arena(DType::F32, 900);
  b.parallel(ix(0), ix(30), [&](Expr p) {
    b.parallel(ix(0), ix(2), [&](Expr q) {
      b.lanes(ix(0), ix(15), [&](Expr i) {
        const Expr total = b.declare(f32(0.0));
        b.lanes(ix(0), ix(5), [&](Expr j) { b.assign(total, total + b.get(x, i * ix(5) + j)); });
        b.store(y, p * ix(30) + q * ix(15) + i, total);
      });
    });
  });
  for (int width : {0, 8}) expectAgrees(b, {.width = width, .threads = 3});
}

}  // namespace statement_test
}  // namespace rlc::cpu
