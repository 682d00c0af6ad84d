// Tensors in bands: where elements lie, and that programs compute with them what they compute
// without.
#include "jit/cpu/bands.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "jit/cpu/plan.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace bands_test {

TEST(Bands, HoldAllRowsOfABlockOfLanes) {
  const Bands bands{.lanes = 10, .rows = 3, .width = 4};
  EXPECT_EQ(placeIn(bands, 0), 0);
  EXPECT_EQ(placeIn(bands, 3), 3);
  EXPECT_EQ(placeIn(bands, 10), 4);  // the next row of the same lanes
  EXPECT_EQ(placeIn(bands, 4), 12);  // the next band
  EXPECT_EQ(placeIn(bands, 8), 24);  // the last one's rows are as wide as what is left
  EXPECT_EQ(placeIn(bands, 18), 26);
}

TEST(Bands, ArePermutations) {
  for (int64_t lanes : {1, 4, 7, 16, 33})
    for (int64_t width : {1, 4, 16, 32}) {
      const Bands bands{.lanes = lanes, .rows = 5, .width = width};
      std::set<int64_t> places;
      for (int64_t k = 0; k < 5 * lanes; ++k) places.insert(placeIn(bands, k));
      EXPECT_EQ(static_cast<int64_t>(places.size()), 5 * lanes);
      EXPECT_EQ(*places.begin(), 0);
      EXPECT_EQ(*places.rbegin(), 5 * lanes - 1);
    }
}

// Programs with `kept` [rows][lanes] in the arena's end and a result that is in memory.
struct Kept {
  static constexpr int64_t kRows = 9;
  int64_t lanes;
  DType type = DType::F32;
  Builder b;
  BufferId input = -1, result = -1, kept = -1;

  explicit Kept(int64_t lanes, DType type = DType::F32) : lanes(lanes), type(type) {
    input = b.arena(type, kRows * lanes);
    result = b.arena(type, kRows * lanes);
    kept = b.arena(type, kRows * lanes);
    b.program.buffers[static_cast<size_t>(kept)].lanes = lanes;
  }
  Expr at(const Expr& row, const Expr& lane) const { return row * ix(lanes) + lane; }
  void fill() {
    b.lanes(ix(0), ix(lanes), [&](Expr v) {
      b.sequential(ix(0), ix(kRows),
                   [&](Expr t) { b.store(kept, at(t, v), b.get(input, at(t, v))); });
    });
  }
  BandPlan bandPlan(int64_t width) const {
    PlanOptions options;
    options.width = static_cast<int>(width);
    options.forceWidth = true;
    return planBands(b.program, makePlan(b.program, options));
  }

  enum class Where { Plain, InFile, InMemory };

  std::vector<char> run(Where where, int width, int threads) {
    Buffer& buffer = b.program.buffers[static_cast<size_t>(kept)];
    b.program.residentBytes = where == Where::InFile ? buffer.offset : b.program.arenaBytes;
    buffer.lanes = where == Where::Plain ? 0 : lanes;
    Memory memory(b.program);
    runCompiled(b.program, memory, {.width = width, .threads = threads});
    inBands_ |= static_cast<bool>(bandPlan(std::max(width, 1)).of[static_cast<size_t>(kept)]);
    buffer.lanes = lanes;
    return memory.bytes(result);
  }

  void expectSame(Where where = Where::InFile) {
    bool any = false;
    for (int width : kWidths) {
      inBands_ = false;
      const std::vector<char> plain = run(Where::Plain, width, 1);
      EXPECT_FALSE(inBands_);
      for (int threads : {1, 3})
        EXPECT_EQ(run(where, width, threads), plain) << lanes << " lanes, width " << width;
      any |= inBands_;
    }
    EXPECT_TRUE(any);
  }

 private:
  bool inBands_ = false;
};

const std::vector<int64_t> kLanes = {2, 16, 37, 64, 100};

TEST(InBands, WalksUpAndDown) {
  for (int64_t lanes : kLanes)
    for (DType type : {DType::F32, DType::F64, DType::I32}) {
      Kept p(lanes, type);
      p.fill();
      p.b.lanes(ix(0), ix(lanes), [&](Expr v) {
        const Expr before = p.b.declare(p.b.get(p.kept, p.at(ix(Kept::kRows - 1), v)));
        p.b.sequential(ix(0), ix(Kept::kRows - 1),
                       [&](Expr t) {
                         p.b.assign(before,
                                    p.b.get(p.kept, p.at(ix(Kept::kRows - 2) - t, v)) - before);
                         p.b.store(p.result, p.at(t, v), before);
                       })
            .descending = true;
      });
      p.expectSame();
    }
}

// Other lanes' elements: blocks that begin in the middle of a band, or run over its end.
TEST(InBands, ReadsOfNeighbouringLanes) {
  for (int64_t lanes : kLanes) {
    Kept p(lanes);
    p.fill();
    p.b.lanes(ix(0), ix(lanes - 1), [&](Expr v) {
      p.b.sequential(ix(0), ix(Kept::kRows), [&](Expr t) {
        p.b.store(p.result, p.at(t, v),
                  p.b.get(p.kept, p.at(t, v + ix(1))) - p.b.get(p.kept, p.at(t, v)));
      });
    });
    p.b.lanes(ix(1), ix(lanes), [&](Expr v) {
      p.b.sequential(ix(0), ix(Kept::kRows), [&](Expr t) {
        p.b.store(p.result, p.at(t, v),
                  p.b.get(p.kept, p.at(t, v - ix(1))) + p.b.get(p.result, p.at(t, v)));
      });
    });
    p.expectSame();
  }
}

TEST(InBands, OtherOrders) {
  for (int64_t lanes : kLanes) {
    Kept p(lanes);
    p.fill();
    // All lanes of a row, then the next; lanes backward; rows in lanes; as one long row; one by
    // one.
    p.b.sequential(ix(0), ix(Kept::kRows), [&](Expr t) {
      p.b.lanes(ix(0), ix(lanes), [&](Expr v) {
        p.b.store(p.kept, p.at(t, v), p.b.get(p.kept, p.at(t, v)) + f32(1.0));
        p.b.store(p.result, p.at(t, v), p.b.get(p.kept, p.at(t, v)));
      });
    });
    p.b.lanes(ix(0), ix(lanes), [&](Expr v) {
      p.b.accumulate(p.result, v, p.b.get(p.kept, p.at(ix(3), ix(lanes - 1) - v)));
    });
    p.b.lanes(ix(0), ix(Kept::kRows), [&](Expr t) {
      p.b.sequential(ix(0), ix(lanes), [&](Expr v) {
        p.b.accumulate(p.kept, p.at(t, v), p.b.get(p.kept, p.at(t, ix(lanes - 1))));
      });
    });
    p.b.lanes(ix(0), ix(Kept::kRows * lanes),
              [&](Expr k) { p.b.store(p.kept, k, p.b.get(p.kept, k) + p.b.get(p.result, k)); });
    p.b.sequential(ix(0), ix(Kept::kRows * lanes), [&](Expr k) {
      p.b.accumulate(p.result, k, p.b.get(p.kept, ix(Kept::kRows * lanes - 1) - k));
    });
    p.expectSame();
  }
}

TEST(InBands, ConditionsAndSums) {
  for (int64_t lanes : kLanes) {
    Kept p(lanes);
    const BufferId sum = p.b.arena(DType::F32, 1);
    std::swap(p.b.program.buffers[static_cast<size_t>(sum)].offset,
              p.b.program.buffers[static_cast<size_t>(p.kept)].offset);
    p.b.program.buffers[static_cast<size_t>(p.kept)].offset =
        p.b.program.buffers[static_cast<size_t>(sum)].offset + 64;
    p.b.program.arenaBytes += 64;
    p.fill();
    Stmt& total = p.b.lanes(ix(0), ix(lanes), [&](Expr v) {
      p.b.sequential(ix(0), ix(Kept::kRows), [&](Expr t) {
        const Expr value = p.b.get(p.kept, p.at(t, v));
        p.b.when(less(value, f32(0.5)), [&] { p.b.store(p.kept, p.at(t, v), value * f32(3.0)); });
        p.b.accumulate(sum, ix(0), p.b.get(p.kept, p.at(t, v)));
      });
    });
    total.reductions.push_back({sum, -1, loops::Combine::Sum});
    p.b.sequential(ix(0), ix(Kept::kRows * lanes), [&](Expr k) {
      p.b.store(p.result, k, p.b.get(p.kept, k) + p.b.get(sum, ix(0)));
    });
    p.expectSame();
  }
}

TEST(InBands, ChunksOfAParallelLoop) {
  for (int64_t lanes : {256, 1000}) {
    Kept p(lanes);
    p.b.parallel(ix(0), ix((lanes + 63) / 64), [&](Expr chunk) {
      const Expr lo = chunk * ix(64);
      p.b.lanes(lo, loops::op(ScalarOp::Min, {lo + ix(64), ix(lanes)}), [&](Expr v) {
        p.b.sequential(ix(0), ix(Kept::kRows), [&](Expr t) {
          p.b.store(p.kept, p.at(t, v), loops::op(ScalarOp::Sin, {p.b.get(p.input, p.at(t, v))}));
        });
        p.b.sequential(ix(0), ix(Kept::kRows), [&](Expr t) {
          p.b.store(p.result, p.at(t, v), p.b.get(p.kept, p.at(ix(Kept::kRows - 1) - t, v)));
        });
      });
    });
    p.expectSame();
  }
}

// Windows over rows, whose sums share what they load, and a row that the steps of a loop around
// choose.
TEST(InBands, LongRowsInMemory) {
  for (int64_t lanes : {160, 1024}) {
    Kept p(lanes);
    p.fill();
    p.b.sequential(ix(0), ix(3), [&](Expr s) {
      p.b.lanes(ix(0), ix(lanes), [&](Expr v) {
        p.b.sequential(ix(0), ix(Kept::kRows - 2), [&](Expr t) {
          const Expr sum = p.b.declare(f32(0.0));
          p.b.sequential(ix(0), ix(3), [&](Expr u) {
            p.b.assign(sum, loops::fma(p.b.get(p.kept, (t + u) * ix(lanes) + v),
                                       p.b.get(p.input, u), sum));
          });
          p.b.store(p.result, p.at(t, v), sum);
        });
        p.b.sequential(ix(0), ix(2), [&](Expr t) {
          p.b.store(p.kept, s * ix(2 * lanes) + p.at(t, v), p.b.get(p.result, p.at(t + s, v)));
        });
      });
      p.b.store(p.result, ix(Kept::kRows * lanes - 1), p.b.get(p.kept, ix(3)));
    });
    p.expectSame(Kept::Where::InMemory);
  }
}

TEST(BandPlans, LeaveMemorysRowsWhereALoopTakesThemOtherwise) {
  const auto planned = [](int64_t lanes, const std::function<void(Kept&)>& more) {
    Kept p(lanes);
    p.b.program.residentBytes = p.b.program.arenaBytes;
    p.fill();
    more(p);
    const BandPlan plan = p.bandPlan(16);
    EXPECT_TRUE(plan.fetched.empty());
    return static_cast<bool>(plan.of[static_cast<size_t>(p.kept)]);
  };
  EXPECT_TRUE(planned(256, [](Kept&) {}));
  EXPECT_FALSE(planned(64, [](Kept&) {}));   // short rows
  EXPECT_FALSE(planned(250, [](Kept&) {}));  // a narrower last band
  EXPECT_FALSE(planned(256, [](Kept& p) {    // row by row
    p.b.sequential(ix(0), ix(Kept::kRows), [&](Expr t) {
      p.b.lanes(ix(0), ix(256), [&](Expr v) { p.b.store(p.kept, p.at(t, v), f32(1.0)); });
    });
  }));
  EXPECT_FALSE(planned(256, [](Kept& p) {  // lane by lane
    p.b.sequential(ix(0), ix(256), [&](Expr v) { p.b.store(p.kept, v, f32(1.0)); });
  }));
  EXPECT_FALSE(planned(256, [](Kept& p) {  // neighbouring lanes
    p.b.lanes(ix(0), ix(255), [&](Expr v) {
      p.b.sequential(ix(0), ix(Kept::kRows), [&](Expr t) {
        p.b.store(p.result, p.at(t, v), p.b.get(p.kept, p.at(t, v + ix(1))));
      });
    });
  }));
}

TEST(BandPlans, LeaveWhatNoLoopTakesThroughItsRows) {
  Kept p(64);
  p.b.program.residentBytes = p.b.program.buffers[static_cast<size_t>(p.kept)].offset;
  p.b.sequential(ix(0), ix(Kept::kRows), [&](Expr t) {
    p.b.lanes(ix(0), ix(64), [&](Expr v) { p.b.store(p.kept, p.at(t, v), f32(1.0)); });
  });
  EXPECT_FALSE(p.bandPlan(16).of[static_cast<size_t>(p.kept)]);
}

TEST(BandPlans, LeaveWhatARuntimeFunctionReads) {
  Kept p(64);
  p.b.program.residentBytes = p.b.program.buffers[static_cast<size_t>(p.kept)].offset;
  p.fill();
  EXPECT_TRUE(p.bandPlan(16).of[static_cast<size_t>(p.kept)]);
  p.b.call(Stmt::Function::Sort, {ix(64), ix(1), ix(1), ix(0)},
           {{p.kept, ix(0)}, {p.result, ix(0)}});
  EXPECT_FALSE(p.bandPlan(16).of[static_cast<size_t>(p.kept)]);
}

// A loop's blocks may be narrower than another's, and then are parts of a band.
TEST(BandPlans, AreAsWideAsTheWidestBlock) {
  Kept p(64);
  p.b.program.residentBytes = p.b.program.buffers[static_cast<size_t>(p.kept)].offset;
  p.fill();
  p.fill();
  PlanOptions options;
  options.width = 16;
  options.forceWidth = true;
  Plan plan = makePlan(p.b.program, options);
  plan.lanes.at(p.b.program.body.back().get()).width = 32;
  EXPECT_EQ(planBands(p.b.program, plan).of[static_cast<size_t>(p.kept)].width, 32);
  EXPECT_EQ(planBands(p.b.program, plan).fetched.size(), 2);
}

TEST(BandPlans, LeaveShortRowsInMemory) {
  Kept p(64);
  p.b.program.residentBytes = p.b.program.arenaBytes;
  p.fill();
  const BandPlan plan = p.bandPlan(16);
  EXPECT_FALSE(plan.of[static_cast<size_t>(p.kept)]);
  EXPECT_TRUE(plan.fetched.empty());
}

// Narrower than what other loops take at once, of other tensors.
TEST(BandPlans, AreAsWideInMemoryAsTheirOwnLoops) {
  for (const bool inFile : {false, true}) {
    Kept p(256, DType::F64);
    const BufferId other = p.b.arena(DType::F32, Kept::kRows * 256);
    p.b.program.residentBytes =
        inFile ? p.b.program.buffers[static_cast<size_t>(p.kept)].offset : p.b.program.arenaBytes;
    p.fill();
    p.b.lanes(ix(0), ix(256), [&](Expr v) {
      p.b.sequential(ix(0), ix(Kept::kRows),
                     [&](Expr t) { p.b.store(other, p.at(t, v), f32(1.0)); });
    });
    const Plan plan = makePlan(p.b.program, {.width = 32});
    EXPECT_EQ(planBands(p.b.program, plan).of[static_cast<size_t>(p.kept)].width, inFile ? 32 : 16);
  }
}

// What is larger than that many bytes is fetched in pieces, by the loop over its rows.
TEST(BandPlans, FetchNoLargeBands) {
  Builder b;
  const int64_t rows = 100000;
  const BufferId x = b.arena(DType::F32, rows * 64);
  b.program.buffers[static_cast<size_t>(x)].lanes = 64;
  b.lanes(ix(0), ix(64), [&](Expr v) {
    b.sequential(ix(0), ix(rows), [&](Expr t) { b.store(x, t * ix(64) + v, f32(1.0)); });
  });
  const BandPlan plan = planBands(b.program, makePlan(b.program, {}));
  EXPECT_TRUE(plan.of[static_cast<size_t>(x)]);
  EXPECT_TRUE(plan.fetched.empty());
}

}  // namespace bands_test
}  // namespace rlc::cpu
