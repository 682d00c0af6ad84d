// Fetches: which loop asks for what, and that programs compute with them what they compute without.
#include "jit/cpu/fetches.h"

#include <gtest/gtest.h>

#include "jit/cpu/plan.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace fetches_test {

constexpr int64_t kStrip = 256 << 10;  // bytes

// A tensor [rows][lanes] of f32 at the arena's end, and a result in memory.
struct Rows {
  int64_t rows, lanes;
  Builder b;
  BufferId input = -1, result = -1, kept = -1;

  Rows(int64_t rows, int64_t lanes) : rows(rows), lanes(lanes) {
    input = b.arena(DType::F32, rows * lanes);
    result = b.arena(DType::F32, rows * lanes);
    kept = b.arena(DType::F32, rows * lanes);
    keptBuffer().lanes = lanes;
    inFile();
  }
  Buffer& keptBuffer() { return b.program.buffers[static_cast<size_t>(kept)]; }
  void inFile() { b.program.residentBytes = keptBuffer().offset; }
  Expr at(const Expr& row, const Expr& lane) const { return row * ix(lanes) + lane; }

  Stmt& fillByRows() {
    return b.sequential(ix(0), ix(rows), [&](Expr t) {
      b.lanes(ix(0), ix(lanes), [&](Expr v) { b.store(kept, at(t, v), b.get(input, at(t, v))); });
    });
  }
  Plan plan(int width = 16) const {
    PlanOptions options;
    options.width = width;
    options.forceWidth = true;
    Plan result = makePlan(b.program, options);
    result.bands = planBands(b.program, result);
    result.fetches = planFetches(b.program, result);
    return result;
  }
  std::vector<char> run(bool mapped, int width, int threads) {
    b.program.residentBytes = mapped ? keptBuffer().offset : b.program.arenaBytes;
    Memory memory(b.program);
    runCompiled(b.program, memory, {.width = width, .threads = threads});
    inFile();
    return memory.bytes(result);
  }
  void expectSame() {
    EXPECT_FALSE(plan().fetches.loops.empty());
    for (int width : kWidths) {
      const std::vector<char> plain = run(false, width, 1);
      for (int threads : {1, 3}) EXPECT_EQ(run(true, width, threads), plain) << width;
    }
  }
};

TEST(FetchPlans, TheLoopOverTheStepsAsksForWhatOneStripTouches) {
  Rows p(1000, 256);  // 1 KiB a row
  const Stmt& steps = p.fillByRows();
  const FetchPlan plan = p.plan().fetches;
  ASSERT_EQ(plan.loops.size(), 1);
  const LoopFetches& fetches = plan.loops.at(&steps);
  EXPECT_EQ(fetches.every, kStrip / 1024);
  ASSERT_EQ(fetches.of.size(), 1);
  const Fetch& fetch = fetches.of[0];
  EXPECT_EQ(fetch.buffer, p.kept);
  EXPECT_EQ(fetch.step, 256);
  EXPECT_EQ(fetch.spanBytes, 1024);
  EXPECT_EQ(fetch.pieces, 1);
  EXPECT_EQ(fetch.first.coefficients.size(), 1);  // the lanes begin at 0
  EXPECT_EQ(fetch.first.constant, 0);
}

TEST(FetchPlans, NothingForWhatIsInMemoryOrNoMoreThanAStrip) {
  Rows inMemory(1000, 256), small(200, 256);
  inMemory.fillByRows();
  inMemory.b.program.residentBytes = inMemory.b.program.arenaBytes;
  EXPECT_TRUE(inMemory.plan().fetches.loops.empty());
  EXPECT_TRUE(inMemory.plan().fetches.pages.empty());
  small.fillByRows();
  EXPECT_TRUE(small.plan().fetches.loops.empty());
}

TEST(FetchPlans, ABandThatIsTooLargeIsFetchedByTheLoopInside) {
  Rows p(30000, 64);
  const Stmt* steps = nullptr;
  p.b.lanes(ix(0), ix(64), [&](Expr v) {
    steps =
        &p.b.sequential(ix(0), ix(30000), [&](Expr t) { p.b.store(p.kept, p.at(t, v), f32(1.0)); });
  });
  const Plan plan = p.plan();
  ASSERT_TRUE(plan.bands.of[static_cast<size_t>(p.kept)]);
  ASSERT_TRUE(plan.fetches.loops.contains(steps));
  EXPECT_EQ(plan.fetches.loops.at(steps).of[0].spanBytes, 16 * 4);
  EXPECT_EQ(plan.fetches.loops.at(steps).every, kStrip / (16 * 4));
  EXPECT_EQ(plan.fetches.pages.size(), 1);
}

// All lanes of a row of a tensor in bands: a piece of each band.
TEST(FetchPlans, RowsOfAllBands) {
  Rows p(5000, 64);
  const Stmt& steps = p.fillByRows();
  p.b.lanes(ix(0), ix(64), [&](Expr v) {
    p.b.sequential(ix(0), ix(5000),
                   [&](Expr t) { p.b.store(p.result, p.at(t, v), p.b.get(p.kept, p.at(t, v))); });
  });
  const Plan plan = p.plan();
  ASSERT_TRUE(plan.bands.of[static_cast<size_t>(p.kept)]);
  const Fetch& fetch = plan.fetches.loops.at(&steps).of.at(0);
  EXPECT_EQ(fetch.pieces, 4);
  EXPECT_EQ(fetch.pieceBytes, 5000 * 16 * 4);
}

// The system is told to read single pages only where nothing lies that nobody asks for.
TEST(FetchPlans, TellWhichPagesHoldNothingElse) {
  Rows p(5000, 64);
  const int64_t begin = p.keptBuffer().offset, bytes = p.keptBuffer().elements * 4;
  p.fillByRows();
  FetchPlan plan = p.plan().fetches;
  ASSERT_EQ(plan.pages.size(), 1);
  EXPECT_EQ(plan.pages[0].begin, begin);
  EXPECT_EQ(plan.pages[0].end, begin + bytes);
  // One that lives at another time, at positions that are data.
  const int64_t others = 100000;
  const BufferId other = p.b.arena(DType::F32, others);
  p.b.program.buffers[static_cast<size_t>(other)].offset = begin + 256;
  p.b.sequential(ix(0), ix(others), [&](Expr k) {
    p.b.store(other, loops::op(ScalarOp::Mod, {k * ix(7), ix(others)}), f32(1.0));
  });
  plan = p.plan().fetches;
  ASSERT_EQ(plan.pages.size(), 2);
  EXPECT_EQ(plan.pages[0].end, begin + 256);
  EXPECT_EQ(plan.pages[1].begin, begin + 256 + others * 4);
}

// What a thread works with: asked for by its loops, and dropped where a block of lanes begins.
TEST(FetchPlans, PlacesOfThreadsInAFile) {
  for (const bool inFile : {true, false}) {
    Builder b;
    const BufferId result = b.arena(DType::F32, 4096), mine = b.privateBuffer(DType::F32, 20000);
    const Stmt *block = nullptr, *down = nullptr;
    b.parallel(ix(0), ix(64), [&](Expr chunk) {
      block = &b.lanes(chunk * ix(64), chunk * ix(64) + ix(64), [&](Expr v) {
        b.sequential(ix(0), ix(20000), [&](Expr t) { b.store(mine, t, f32(1.0)); });
        Stmt& loop = b.sequential(ix(0), ix(20000),
                                  [&](Expr t) { b.accumulate(result, v, b.get(mine, t)); });
        loop.descending = true;
        down = &loop;
      });
    });
    b.program.residentBytes = b.program.arenaBytes;
    b.program.scratchInFile = inFile;
    Plan plan = makePlan(b.program, {});
    plan.bands = planBands(b.program, plan);
    ASSERT_GT(plan.parallel.begin()->second.chunks, 1);
    const FetchPlan fetches = planFetches(b.program, plan);
    EXPECT_EQ(fetches.scratch, inFile);
    EXPECT_EQ(fetches.loops.contains(down), inFile);
    EXPECT_EQ(fetches.dropped.contains(block), inFile);
    EXPECT_EQ(fetches.loops.size(), inFile ? 2 : 0);
  }
}

// Positions that are computed are not known ahead.
TEST(FetchPlans, LeaveComputedPositions) {
  Rows p(5000, 64);
  p.b.sequential(ix(0), ix(5000), [&](Expr t) {
    const Expr row = p.b.let(loops::op(ScalarOp::Mod, {t * ix(7), ix(5000)}));
    p.b.store(p.kept, row * ix(64), f32(1.0));
  });
  EXPECT_TRUE(p.plan().fetches.loops.empty());
  EXPECT_TRUE(p.plan().fetches.pages.empty());
}

TEST(Fetched, RowsUpAndDown) {
  Rows p(3001, 37);
  p.fillByRows();
  p.b.sequential(ix(1), ix(3001),
                 [&](Expr t) {
                   p.b.lanes(ix(0), ix(37), [&](Expr v) {
                     p.b.store(p.result, p.at(t, v),
                               p.b.get(p.kept, p.at(t, v)) - p.b.get(p.kept, p.at(t - ix(1), v)));
                   });
                 })
      .descending = true;
  p.expectSame();
}

TEST(Fetched, BandsByStepsAndStepsByBands) {
  for (int64_t rows : {9000, 40000}) {
    Rows p(rows, 48);
    p.fillByRows();
    p.b.lanes(ix(0), ix(48), [&](Expr v) {
      const Expr sum = p.b.declare(f32(0.0));
      p.b.sequential(ix(0), ix(rows),
                     [&](Expr t) {
                       p.b.assign(sum, p.b.get(p.kept, p.at(ix(rows - 1) - t, v)) - sum);
                       p.b.store(p.result, p.at(t, v), sum);
                     })
          .descending = true;
    });
    p.expectSame();
  }
}

TEST(Fetched, ElementsInARow) {
  Rows p(4000, 64);
  p.b.lanes(ix(0), ix(4000 * 64),
            [&](Expr k) { p.b.store(p.kept, k, p.b.get(p.input, k) * f32(2.0)); });
  p.b.sequential(ix(0), ix(4000 * 64),
                 [&](Expr k) { p.b.store(p.result, k, p.b.get(p.kept, ix(4000 * 64 - 1) - k)); });
  p.expectSame();
}

}  // namespace fetches_test
}  // namespace rlc::cpu
