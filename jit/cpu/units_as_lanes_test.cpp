// Learning with units for lanes computes what the loops over samples do.
#include "jit/cpu/units_as_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "jit/cpu/ask_ahead.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace units_as_lanes_test {

struct Shape {
  int64_t chunks = 32, length = 32;  // of the parallel loop, samples of each
  int64_t samples = 0;               // of all, where the last chunk has fewer; 0: whole chunks
  int64_t inputs = 4, units = 64, outputs = 2;
  bool byColumns = false;   // neighbouring units' weights lie side by side
  bool writes = false;      // the weights, in each sample
  bool keepsNoise = false;  // each sample draws what it adds to a unit
  bool exits = false;       // a sample leaves a loop
  bool scales = false;      // what an output sums, by a number of its own
  bool hankel = false;      // one more gradient, whose units share elements
  int64_t steps = 0;        // of learning, around the batch; 0: the gradient alone
  bool longRows = false;    // a condition that differs between samples looks at all units
};

// A network's gradient over a shuffled minibatch: two layers of tangents, and outputs whose error
// depends on the sample.
struct Learning {
  Builder b;
  BufferId order, rows, w1, c1, w2, c2, w3, dw1, dc1, dw2, dc2, dw3, loss, shared;

  explicit Learning(const Shape& shape) {
    const auto [chunks, length, all, inputs, units, outputs, byColumns, writes, noise, exits,
                scales, hankel, steps, longRows] = shape;
    const int64_t samples = all == 0 ? chunks * length : all, stride = 8 * ((inputs + 8) / 8);
    const auto floats = [&](int64_t count) { return b.arena(DType::F32, count); };
    order = b.arena(DType::I32, samples);
    rows = floats(samples * stride);
    w1 = floats(units * inputs), c1 = floats(units), w2 = floats(units * units);
    c2 = floats(units), w3 = floats(outputs * units);
    dw1 = floats(units * inputs), dc1 = floats(units), dw2 = floats(units * units);
    dc2 = floats(units), dw3 = floats(outputs * units), loss = floats(1),
    shared = floats(2 * units);
    b.program.residentBytes = b.program.arenaBytes;
    const auto own = [&](int64_t count) { return b.privateBuffer(DType::F32, count); };
    const BufferId h1 = own(units), h2 = own(units), y = own(outputs), d2 = own(units),
                   d1 = own(units), e = own(outputs);
    const auto each = [&](int64_t count, const Builder::Body& body) {
      b.sequential(ix(0), ix(count), body).elements = true;
    };
    const auto scaled = [&](const Expr& x) { return x * f32(0.125); };
    const auto tanh = [](const Expr& x) { return loops::op(ScalarOp::Tanh, {x}); };
    const auto slope = [](const Expr& x) { return f32(1) - x * x; };
    const auto at = [&, n = units, m = inputs, columns = byColumns](int64_t width, const Expr& j,
                                                                    const Expr& k) {
      return columns && width == n ? k * ix(n) + j : j * ix(width) + k;
    };
    const auto gradient = [&](Expr) {
      Stmt& parallel = b.parallel(ix(0), ix(chunks), [&, n = length](Expr chunk) {
        const Expr lo = chunk * ix(n);
        Stmt& loop = b.lanes(lo, loops::op(ScalarOp::Min, {lo + ix(n), ix(samples)}), [&](Expr i) {
          const Expr row = b.let(loops::cast(DType::I64, b.get(order, i)) * ix(stride));
          each(units, [&](Expr j) {
            const Expr sum = b.declare(f32(0));
            b.sequential(ix(0), ix(inputs), [&](Expr k) {
              b.assign(sum, loops::fma(b.get(w1, j * ix(inputs) + k), b.get(rows, row + k), sum));
            });
            b.store(h1, j, tanh(scaled(sum) + b.get(c1, j)));
          });
          each(units, [&](Expr j) {
            const Expr sum = b.declare(f32(0));
            b.sequential(ix(0), ix(units), [&](Expr k) {
              b.assign(sum, loops::fma(b.get(w2, at(units, j, k)), b.get(h1, k), sum));
            });
            Expr value = scaled(sum) + b.get(c2, j);
            if (noise)
              value =
                  value + b.random(loops::ExprNode::Draw::Uniform01, DType::F32, 3, {i}, j, units);
            b.store(h2, j, tanh(value));
          });
          each(outputs, [&](Expr a) {
            const Expr scale = scales ? b.let(b.get(c2, a)) : f32(1);
            const Expr sum = b.declare(f32(0.25));
            b.sequential(ix(0), ix(units), [&](Expr k) {
              b.assign(sum, loops::fma(scale * b.get(w3, a * ix(units) + k), b.get(h2, k), sum));
            });
            b.store(y, a, scaled(sum));
          });
          if (writes) b.store(w2, ix(0), f32(1));
          const Expr target = b.let(b.get(rows, row + ix(inputs)));
          const Expr first = b.let(loops::cast(DType::F32, less(target, b.get(y, ix(0)))));
          each(outputs, [&](Expr a) { b.store(e, a, b.get(y, a) - target * f32(0.5)); });
          b.when(less(target, f32(0)), [&] {
            b.store(e, ix(0), b.get(e, ix(0)) * f32(0.25));
            if (longRows)
              b.sequential(ix(0), ix(units), [&](Expr k) {
                b.store(e, ix(0), b.get(e, ix(0)) + scaled(b.get(h2, k)));
              });
          });
          if (exits) b.sequential(ix(0), ix(4), [&](Expr t) { b.exit(t, less(target, f32(0))); });
          each(units, [&](Expr j) {
            const Expr sum = b.declare(f32(0));
            b.sequential(ix(0), ix(outputs), [&](Expr a) {
              b.assign(sum, loops::fma(b.get(w3, a * ix(units) + j), b.get(e, a), sum));
            });
            b.store(d2, j, (sum + first) * slope(b.get(h2, j)));
          });
          each(units, [&](Expr k) {
            const Expr sum = b.declare(f32(0));
            b.sequential(ix(0), ix(units), [&](Expr j) {
              b.assign(sum, loops::fma(b.get(d2, j), b.get(w2, at(units, j, k)), sum));
            });
            b.store(d1, k, scaled(sum) * slope(b.get(h1, k)));
          });
          b.accumulate(loss, ix(0), b.get(e, ix(0)));
          each(units, [&](Expr j) {
            each(inputs, [&](Expr k) {
              b.accumulate(dw1, j * ix(inputs) + k, b.get(d1, j) * b.get(rows, row + k));
            });
          });
          each(units, [&](Expr j) { b.accumulate(dc1, j, b.get(d1, j)); });
          each(units, [&](Expr j) {
            each(units, [&](Expr k) {
              b.accumulate(dw2, j * ix(units) + k, b.get(d2, j) * b.get(h1, k));
            });
          });
          if (hankel)
            each(units, [&](Expr j) {
              each(units,
                   [&](Expr k) { b.accumulate(shared, j + k, b.get(d2, j) * b.get(h1, k)); });
            });
          each(units, [&](Expr j) { b.accumulate(dc2, j, b.get(d2, j)); });
          each(outputs, [&](Expr a) {
            each(units,
                 [&](Expr j) { b.accumulate(dw3, a * ix(units) + j, b.get(e, a) * b.get(h2, j)); });
          });
        });
        for (BufferId sum : sums()) loop.reductions.push_back({sum, -1, loops::Combine::Sum});
      });
      for (BufferId sum : sums()) parallel.reductions.push_back({sum, -1, loops::Combine::Sum});
    };
    if (steps == 0) {
      gradient(ix(0));
      return;
    }
    b.sequential(ix(0), ix(steps), [&](Expr step) {
      gradient(step);
      for (const auto& [weights, sum] : {std::pair{w1, dw1}, {w2, dw2}, {w3, dw3}})
        each(b.program.buffers[static_cast<size_t>(sum)].elements,
             [&](Expr k) { b.store(weights, k, b.get(weights, k) - f32(1e-4) * b.get(sum, k)); });
    });
  }

  std::vector<BufferId> sums() const { return {dw1, dc1, dw2, dc2, dw3, loss, shared}; }
};

// What has become of the loops.
struct Found {
  int lanes = 0, wide = 0, packed = 0, prefetches = 0;
  int64_t chunks = 0;
  bool operator==(const Found&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Found& found) {
  return out << found.lanes << " loops of lanes, " << found.wide << " wide, " << found.packed
             << " packed, " << found.prefetches << " prefetches, " << found.chunks << " chunks";
}

Found found(const Shape& shape, Batches batches = Batches::Large, bool wideBlocks = true) {
  loops::Program program = copyProgram(Learning(shape).b.program);
  exchangeUnits(program, {32, 64, 32, false, wideBlocks}, batches);
  Found result;
  forEachStmt(program.body, [&](const Stmt& stmt) {
    if (stmt.kind == Stmt::Kind::Call) ++result.prefetches;
    if (stmt.kind != Stmt::Kind::For) return;
    if (stmt.loop == Stmt::Loop::Parallel) result.chunks = *tripCount(stmt);
    if (stmt.loop == Stmt::Loop::Lanes && stmt.comment != "pack") {
      ++result.lanes;
      result.wide += stmt.wide ? 1 : 0;
    }
  });
  for (const Buffer& buffer : program.buffers) result.packed += buffer.name == "packed" ? 1 : 0;
  return result;
}

// Nine loops over units, one of sums over them behind one that sets those to zero, three of
// samples. 1,024 samples in chunks of 32 are 16 chunks of 64.
TEST(UnitsAsLanes, TakeALoopOverSamplesApart) {
  EXPECT_EQ(found({}),
            (Found{.lanes = 14, .wide = 10, .packed = 2, .prefetches = 0, .chunks = 16}));
  EXPECT_EQ(found({}, Batches::Large, false).wide, 0);
  EXPECT_EQ(found({.byColumns = true}).packed, 2);  // those that the way back reads
  EXPECT_EQ(found({.units = 48}).wide, 0);
}

// A batch that is not worth a second thread is one's, a block after the other.
TEST(UnitsAsLanes, GiveASmallBatchToOneThread) {
  const Found one = found({.chunks = 3, .units = 48, .steps = 2}, Batches::Small);
  EXPECT_EQ(one.chunks, 1);
  EXPECT_EQ(one.lanes, 2 * 14);  // 64 samples, and 32
  EXPECT_EQ(found({.chunks = 4, .samples = 101, .units = 48, .steps = 2}, Batches::Small).lanes,
            2 * 14);
  EXPECT_EQ(found({.chunks = 1, .units = 48, .steps = 2}, Batches::Small).lanes, 1);  // few samples
  EXPECT_EQ(found({.chunks = 8, .units = 96, .steps = 2}, Batches::Small).chunks,
            8);  // threads share them
  EXPECT_EQ(found({.chunks = 3, .units = 48, .steps = 2}).lanes, 1);
}

TEST(UnitsAsLanes, AskForTheNextBlock) {
  const Found blocks = found({.chunks = 8, .length = 1088});
  EXPECT_EQ(blocks.prefetches, 4);
  EXPECT_EQ(found({.chunks = 8, .length = 128}).prefetches, 0);  // 32 KiB of rows
}

// The loops as they are: one of lanes.
TEST(UnitsAsLanes, LeaveWhatDoesNotPay) {
  for (const Shape& shape :
       {Shape{.chunks = 31}, Shape{.units = 12}, Shape{.writes = true}, Shape{.keepsNoise = true},
        Shape{.exits = true}, Shape{.chunks = 128, .length = 8, .samples = 1020}})
    EXPECT_EQ(found(shape).lanes, 1);
}

// Nothing is asked for under conditions: the array that tells the place may not reach so far.
TEST(UnitsAsLanes, AskForWhatIsReadInAnyCase) {
  Builder b;
  const BufferId order = b.arena(DType::I32, 64), x = b.arena(DType::F32, 1 << 20),
                 sum = b.arena(DType::F32, 1);
  const auto gather = [&](const Expr& at) {
    b.accumulate(sum, ix(0), b.get(x, loops::cast(DType::I64, b.get(order, at))));
  };
  Stmt& lanes = b.lanes(ix(0), ix(64), [&](Expr i) {
    b.when(less(b.get(sum, ix(0)), f32(0)), [&] { gather(i + ix(1'000'000)); });
    b.sequential(ix(0), ix(0), [&](Expr k) { gather(i + k); });
  });
  EXPECT_TRUE(askAhead(b.program, lanes, ix(64), 64, {}).empty());
  Builder::Body body = [&](Expr i) { gather(i); };
  EXPECT_EQ(askAhead(b.program, b.lanes(ix(0), ix(64), body), ix(64), 64, {}).size(), 4u);
}

void expectLearns(const Shape& shape) {
  const Learning learning(shape);
  const loops::Program& program = learning.b.program;
  const int64_t samples = program.buffers[static_cast<size_t>(learning.order)].elements;
  const auto shuffle = [&](Memory& memory) {
    for (int64_t i = 0; i < samples; ++i)
      memory.set(learning.order, i, static_cast<double>((i * 37 + 11) % samples));
  };
  Memory expected(program);
  shuffle(expected);
  runReference(program, expected.arena(), expected.parameters(), 7);
  for (int width : {0, 4, 8, 16, 32}) {
    Memory actual(program);
    shuffle(actual);
    runCompiled(program, actual, {.width = width, .threads = 2});
    for (BufferId sum : learning.sums()) {
      double largest = 0, error = 0;
      for (int64_t k = 0; k < program.buffers[static_cast<size_t>(sum)].elements; ++k) {
        largest = std::max(largest, std::abs(expected.get(sum, k)));
        error = std::max(error, std::abs(expected.get(sum, k) - actual.get(sum, k)));
      }
      EXPECT_LT(error, 2e-5 * largest) << "buffer " << sum << ", " << width << " lanes";
      EXPECT_GT(largest, 0);
    }
  }
}

TEST(UnitsAsLanes, AreWhatTheLoopsCompute) {
  expectLearns({});
  expectLearns({.units = 32, .byColumns = true});
  expectLearns({.units = 32, .scales = true});
  expectLearns({.units = 32, .hankel = true});
  expectLearns({.units = 32, .longRows = true});
}

TEST(UnitsAsLanes, AreRightForAnySize) {
  expectLearns({.chunks = 9, .length = 149, .inputs = 3, .units = 37, .outputs = 1});
  expectLearns(
      {.chunks = 8, .length = 200, .samples = 1587, .inputs = 17, .units = 70, .outputs = 5});
  expectLearns({.chunks = 2, .length = 640, .inputs = 20, .units = 18, .outputs = 18});
}

TEST(UnitsAsLanes, AreRightForSmallBatches) {
  expectLearns({.chunks = 3, .units = 48, .steps = 2});
  expectLearns({.chunks = 3, .samples = 83, .units = 37, .outputs = 1, .steps = 2});
}

TEST(UnitsAsLanes, DoNotDependOnThreads) {
  const Learning learning({.chunks = 8, .length = 200, .samples = 1587, .units = 32});
  expectSameForAllThreads(learning.b.program, learning.dw2);
}

}  // namespace units_as_lanes_test
}  // namespace rlc::cpu
