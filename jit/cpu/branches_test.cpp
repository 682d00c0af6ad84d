// Two networks of a batch that need nothing of each other get loops of their own, which run side by
// side.
#include "jit/cpu/branches.h"

#include <gtest/gtest.h>

#include "jit/cpu/side_by_side.h"
#include "jit/cpu/testing/programs.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {
namespace branches_test {

constexpr int64_t kInputs = 8, kUnits = 112, kBlock = 32, kSteps = 2;

struct Case {
  int64_t samples = 128;
  int64_t units = kUnits;         // of a layer
  bool secondNeedsFirst = false;  // whether the second network's input has the first one's output
  bool checks = false;            // whether something is checked behind both
  bool sameWeights = false;       // whether both networks are one
};

struct Network {
  BufferId weights, gradient, hidden, slopes;
};

// for u: parallel blocks: lanes s: input = ...; a and b of it by a layer each; the smaller one; of
// each layer the gradient where it was the smaller one; the step of each layer's weights.
struct TwoNetworks {
  explicit TwoNetworks(const Case& of) : of_(of) {
    x_ = b.arena(DType::F32, kInputs * of.samples);
    out = b.arena(DType::F32, of.samples);
    input_ = b.privateBuffer(DType::F32, of.units);
    b.program.faults.resize(1);
    Network one = network(), two = network();
    if (of.sameWeights) two.weights = one.weights;
    b.sequential(ix(0), ix(kSteps), [&](Expr) {
      for (const Network* net : {&one, &two})
        elements([&](Expr at) { b.store(net->gradient, at, f32(0.0)); });
      Stmt& blocks = b.parallel(ix(0), ix((of.samples + kBlock - 1) / kBlock), [&](Expr block) {
        const Expr end =
            loops::op(ScalarOp::Min, {block * ix(kBlock) + ix(kBlock), ix(of.samples)});
        Stmt& lanes = b.lanes(block * ix(kBlock), end, [&](Expr s) { batch(one, two, s); });
        reduceInto(lanes, one, two);
      });
      reduceInto(blocks, one, two);
      for (const Network* net : {&one, &two})
        elements([&](Expr at) {
          b.store(net->weights, at, b.get(net->weights, at) - f32(0.01) * b.get(net->gradient, at));
        });
    });
    weights = {one.weights, two.weights};
  }

  Builder b;
  BufferId out;
  std::vector<BufferId> weights;

 private:
  Network network() {
    const int64_t size = of_.units * of_.units;
    return {b.arena(DType::F32, size), b.arena(DType::F32, size),
            b.privateBuffer(DType::F32, of_.units), b.privateBuffer(DType::F32, of_.units)};
  }

  static void reduceInto(Stmt& loop, const Network& one, const Network& two) {
    for (const Network* net : {&one, &two})
      loop.reductions.push_back({net->gradient, -1, loops::Combine::Sum});
  }

  void elements(const Builder::Body& body) {
    b.sequential(ix(0), ix(of_.units), [&](Expr r) {
       b.lanes(ix(0), ix(of_.units), [&](Expr c) { body(r * ix(of_.units) + c); });
     }).elements = true;
  }

  void batch(const Network& one, const Network& two, const Expr& s) {
    b.sequential(ix(0), ix(of_.units), [&](Expr k) {
      b.store(
          input_, k,
          b.get(x_, loops::op(ScalarOp::Mod, {k, ix(kInputs)}) * ix(of_.samples) + s) + f32(0.125));
    });
    const Expr first = forward(one, nullptr),
               second = forward(two, of_.secondNeedsFirst ? first : nullptr);
    const Expr isFirst = b.let(lessEqual(first, second));
    if (of_.checks) b.check(lessEqual(f32(-1e6), first), 0, {});
    b.store(out, s, loops::op(ScalarOp::Select, {isFirst, first, second}));
    backward(one, loops::op(ScalarOp::Select, {isFirst, f32(1.0), f32(0.0)}));
    backward(two, loops::op(ScalarOp::Select, {isFirst, f32(0.0), f32(1.0)}));
  }

  // The sum of a layer's units.
  Expr forward(const Network& net, const Expr& also) {
    const Expr total = b.declare(f32(0.0));
    b.sequential(ix(0), ix(of_.units), [&](Expr r) {
      const Expr sum = b.declare(also ? also * f32(0.001) : f32(0.0));
      b.sequential(ix(0), ix(of_.units), [&](Expr c) {
        b.assign(sum, loops::fma(b.get(net.weights, r * ix(of_.units) + c), b.get(input_, c), sum));
      });
      b.store(net.hidden, r, sum * f32(0.01));
    });
    b.sequential(ix(0), ix(of_.units),
                 [&](Expr r) { b.assign(total, total + b.get(net.hidden, r)); });
    return total;
  }

  void backward(const Network& net, const Expr& by) {
    const Expr scale = b.let(by);
    b.sequential(ix(0), ix(of_.units), [&](Expr r) {
      b.store(net.slopes, r, scale * (f32(1.0) - b.get(net.hidden, r) * f32(0.001)));
    });
    b.sequential(ix(0), ix(of_.units), [&](Expr r) {
      b.sequential(ix(0), ix(of_.units), [&](Expr c) {
        b.accumulate(net.gradient, r * ix(of_.units) + c, b.get(net.slopes, r) * b.get(input_, c));
      });
    });
  }

  Case of_;
  BufferId x_ = -1, input_ = -1;
};

int64_t countParallel(const loops::Program& program, bool besideLast) {
  int64_t count = 0;
  forEachStmt(program.body, [&](const Stmt& stmt) {
    count += stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Parallel &&
             (stmt.besideLast || !besideLast);
  });
  return count;
}

int64_t loopsOf(const Case& of) {
  TwoNetworks networks(of);
  separateBranches(networks.b.program);
  return countParallel(networks.b.program, false);
}

// The input, a layer each, the smaller one, a gradient each.
TEST(Branches, OfTwoNetworksHaveLoopsOfTheirOwn) { EXPECT_EQ(loopsOf({}), 6); }
TEST(Branches, ButNotWhereOneNeedsTheOther) {
  EXPECT_EQ(loopsOf({.secondNeedsFirst = true}), 3);  // their gradients alone
}
TEST(Branches, ButNotWhatIsCheckedLate) { EXPECT_EQ(loopsOf({.checks = true}), 1); }
TEST(Branches, ButNotWhatIsSmall) { EXPECT_EQ(loopsOf({.units = 48}), 1); }
TEST(Branches, ButNotForManyLanes) { EXPECT_EQ(loopsOf({.samples = 2048}), 1); }

TEST(Branches, RunSideBySide) {
  TwoNetworks networks({});
  separateBranches(networks.b.program);
  runSideBySide(networks.b.program);
  EXPECT_EQ(countParallel(networks.b.program, true), 2);
}

// A thread each would read what one thread reads otherwise.
TEST(Branches, DoNotRunSideBySideWithTheSameWeights) {
  TwoNetworks networks({.sameWeights = true});
  separateBranches(networks.b.program);
  runSideBySide(networks.b.program);
  EXPECT_EQ(countParallel(networks.b.program, true), 1);  // gradients
}

TEST(Branches, ComputeTheSame) {
  for (const Case& of : {Case{}, Case{.samples = 100}, Case{.secondNeedsFirst = true},
                         Case{.checks = true}, Case{.sameWeights = true}}) {
    const TwoNetworks networks(of);
    expectAgrees(networks.b, {.width = 16}, 1e-3);  // sums of lanes have an order of their own
  }
}

TEST(Branches, ComputeTheSameLaneByLane) {
  expectAgrees(TwoNetworks({.samples = 40}).b, {.width = 1}, 1e-3);
}

TEST(Branches, ComputeTheSameOnAllThreads) {
  const TwoNetworks networks({});
  for (BufferId weights : networks.weights) expectSameForAllThreads(networks.b.program, weights);
  expectSameForAllThreads(networks.b.program, networks.out);
}

}  // namespace branches_test
}  // namespace rlc::cpu
