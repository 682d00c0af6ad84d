// Two updates that need nothing of each other are a thread's each, with what belongs to them.
#include "jit/cpu/sections.h"

#include <gtest/gtest.h>

#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace sections_test {

constexpr int64_t kRows = 80, kUnits = 64, kSamples = 32, kBlock = 16, kSteps = 3;

struct Case {
  int64_t rows = kRows;       // of the second network; the first one has kRows
  bool firstForBoth = false;  // whether the second update reads the first one's gradient
  bool leaves = false;        // whether the loop may be left between them
  bool checks = false;        // whether something is checked between them
  bool assigns = false;       // whether a local from outside of the loop changes between them
  bool carriesLocal = false;  // whether lanes hand the second update what the first one has kept
  bool once = false;          // whether what reads the weights of both does so in the first
                              // iteration alone, and the last one is for the steps
};

struct Network {
  int64_t rows;
  BufferId weights, gradient, clipped;
};

// An update of two networks' weights, a few times:
//   for u: w -= clipped; g = 0; parallel blocks: lanes s: g[r, c] += f(w, x[s]) for both
//          clipped = g / sqrt(sum of all g^2), for both
struct Updates {
  explicit Updates(const Case& of) : of_(of) {
    x_ = b.arena(DType::F32, kUnits * kSamples);
    const BufferId squares = b.arena(DType::F32, 2);
    own_ = b.privateBuffer(DType::F32, 1);
    const Network one = network(kRows), two = network(of.rows);
    b.program.faults.resize(1);
    const Expr outside = b.declare(f32(0.0));
    b.sequential(ix(0), ix(kSteps + (of.once ? 1 : 0)), [&](Expr u) {
      const auto during = [&](const std::function<void()>& body) {
        of.once ? b.when(lessEqual(ix(0), ix(kSteps - 1) - u), body) : body();
      };
      b.when(lessEqual(ix(0), u + ix(-1)), [&] {
        step(one);
        step(two);
      });
      // What both read, and what reads the weights of both, as a rollout does.
      const auto both = [&] {
        b.store(x_, ix(0), f32(0.125) * (b.get(one.weights, ix(0)) + b.get(two.weights, ix(0))));
      };
      of.once ? b.when(lessEqual(ix(0), ix(0) - u), both) : both();
      during([&] { update(one, x_); });
      if (of.checks) b.check(less(u, ix(kSteps)), 0, {});
      if (of.assigns) b.assign(outside, b.get(x_, ix(0)));
      if (of.leaves) b.exit(u, less(ix(1), u));
      during([&] {
        update(two, of.firstForBoth ? one.gradient : x_);
        squaresOf(one, squares, 0);
        squaresOf(two, squares, 1);
        const Expr scale = b.let(loops::op(
            ScalarOp::Div,
            {f32(1.0), loops::op(ScalarOp::Sqrt,
                                 {b.get(squares, ix(0)) + b.get(squares, ix(1)) + f32(1.0)})}));
        clip(one, scale);
        clip(two, scale);
      });
    });
  }

  Builder b;
  std::vector<BufferId> weights;

 private:
  Network network(int64_t rows) {
    const int64_t size = rows * kUnits;
    weights.push_back(b.arena(DType::F32, size));
    return {rows, weights.back(), b.arena(DType::F32, size), b.arena(DType::F32, size)};
  }

  void forElements(const Network& net, const Builder::Body& body) {
    b.sequential(ix(0), ix(net.rows), [&](Expr r) {
       b.lanes(ix(0), ix(kUnits), [&](Expr c) { body(r * ix(kUnits) + c); });
     }).elements = true;
  }

  void step(const Network& net) {
    forElements(net, [&](Expr at) {
      b.store(net.weights, at, b.get(net.weights, at) - f32(0.25) * b.get(net.clipped, at));
    });
  }

  void update(const Network& net, BufferId also) {
    forElements(net, [&](Expr at) { b.store(net.gradient, at, f32(0.0)); });
    Stmt& blocks = b.parallel(ix(0), ix(kSamples / kBlock), [&](Expr block) {
      Stmt& lanes = b.lanes(block * ix(kBlock), block * ix(kBlock) + ix(kBlock), [&](Expr s) {
        if (of_.carriesLocal) b.store(own_, ix(0), b.get(x_, s));
        b.sequential(ix(0), ix(net.rows), [&](Expr r) {
          const Expr sum = b.declare(b.get(also, ix(3)) * f32(0.125));
          if (of_.carriesLocal) b.assign(sum, sum + b.get(own_, ix(0)));
          b.sequential(ix(0), ix(kUnits), [&](Expr c) {
            b.assign(sum, loops::fma(b.get(net.weights, r * ix(kUnits) + c),
                                     b.get(x_, c * ix(kSamples) + s), sum));
          });
          b.sequential(ix(0), ix(kUnits), [&](Expr c) {
            b.accumulate(net.gradient, r * ix(kUnits) + c, sum * b.get(x_, c * ix(kSamples) + s));
          });
        });
      });
      lanes.reductions.push_back({net.gradient, -1, loops::Combine::Sum});
    });
    blocks.reductions.push_back({net.gradient, -1, loops::Combine::Sum});
  }

  void squaresOf(const Network& net, BufferId squares, int64_t at) {
    const Expr sum = b.declare(f32(0.0));
    b.sequential(ix(0), ix(net.rows * kUnits), [&](Expr k) {
      b.assign(sum, loops::fma(b.get(net.gradient, k), b.get(net.gradient, k), sum));
    });
    b.sequential(ix(0), ix(2), [&](Expr k) {
      b.when(loops::op(ScalarOp::And, {loops::op(ScalarOp::Le, {ix(0), k - ix(at)}),
                                       loops::op(ScalarOp::Le, {ix(0), ix(at) - k})}),
             [&] { b.store(squares, k, sum); });
    });
  }

  void clip(const Network& net, const Expr& scale) {
    forElements(net, [&](Expr at) { b.store(net.clipped, at, b.get(net.gradient, at) * scale); });
  }

  Case of_;
  BufferId x_ = -1, own_ = -1;
};

int64_t countSections(const loops::Program& program) {
  int64_t count = 0;
  forEachStmt(program.body, [&](const Stmt& stmt) { count += isSections(stmt) ? 1 : 0; });
  return count;
}

int64_t sectionsOf(const Case& of) {
  Updates updates(of);
  makeSections(updates.b.program);
  return countSections(updates.b.program);
}

// In front of the updates the steps, behind them what is clipped, which one factor for both says.
TEST(Sections, UpdatesStepsAndClippedGradientsStandApart) { EXPECT_EQ(sectionsOf({}), 3); }

// The loop is turned, so that the steps and the updates that read their weights are one part.
TEST(Sections, StepsAndUpdatesStandTogetherWhereNothingElseNeedsBoth) {
  Updates updates({.once = true});
  makeSections(updates.b.program);
  EXPECT_EQ(countSections(updates.b.program), 1);
  ASSERT_EQ(updates.b.program.body.size(), 3u);  // a local, what is done once, the loop
  EXPECT_EQ(tripCount(*updates.b.program.body[1]), 1);
  int64_t elementLoops =
      0;  // of each network: the gradient's beginning, its clipping with the step
  forEachStmt(updates.b.program.body,
              [&](const Stmt& stmt) { elementLoops += stmt.elements ? 1 : 0; });
  EXPECT_EQ(elementLoops, 4);
}

TEST(Sections, NotWhatNeedsTheOther) { EXPECT_EQ(sectionsOf({.firstForBoth = true}), 0); }
TEST(Sections, NotPartsThatAreUnlike) { EXPECT_EQ(sectionsOf({.rows = 4 * kRows}), 0); }
TEST(Sections, NotAcrossAnExit) { EXPECT_EQ(sectionsOf({.leaves = true}), 0); }
TEST(Sections, NotAcrossACheck) { EXPECT_EQ(sectionsOf({.checks = true}), 0); }
TEST(Sections, NotAcrossALocalFromOutside) { EXPECT_EQ(sectionsOf({.assigns = true}), 0); }
TEST(Sections, NotWhatHasAThreadsOwnStorageInBoth) {
  EXPECT_EQ(sectionsOf({.carriesLocal = true}), 0);
}

TEST(Sections, ComputeTheSame) {
  for (const Case& of : {Case{}, Case{.firstForBoth = true}, Case{.leaves = true},
                         Case{.once = true}, Case{.leaves = true, .once = true}}) {
    const Updates updates(of);
    // Sums of lanes have an order of their own.
    for (int width : {1, 16}) expectAgrees(updates.b, {.width = width}, 1e-3);
  }
}

TEST(Sections, ComputeTheSameOnAllThreads) {
  for (bool once : {false, true}) {
    const Updates updates({.rows = kRows + 16, .once = once});
    for (BufferId weights : updates.weights) expectSameForAllThreads(updates.b.program, weights);
  }
}

}  // namespace sections_test
}  // namespace rlc::cpu
