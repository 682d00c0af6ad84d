// Hand-made graphs through the whole back end, against the interpreter.
#include "jit/native/native_program.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "compiler/interpreter/interpreter.h"
#include "compiler/pdg/testing.h"

namespace rlc::native {
namespace {

using pdg::DrawKind;
using pdg::NodeId;
using pdg::ReduceKind;
using pdg::testing::GraphBuilder;
using polyhedral::Condition;
using polyhedral::IndexExpr;
using polyhedral::Set;
using polyhedral::Var;

struct Line {
  std::string label;
  std::vector<std::pair<std::string, int64_t>> index;
  std::vector<double> values;
};

class Recorder : public runtime::SinkOutput {
 public:
  void show(const runtime::SinkInfo& sink, int,
            const std::vector<std::pair<std::string, int64_t>>& index,
            const runtime::ShownValue& value) override {
    Line line{sink.label, index, {}};
    for (const Scalar& element : std::get<DenseTensor>(value.node).elements)
      line.values.push_back(element.asDouble());
    lines.push_back(std::move(line));
  }
  std::vector<Line> lines;
};

void expectAgreement(const pdg::Graph& graph, double tolerance = 1e-5) {
  Recorder expected;
  interpreter::Interpreter(graph, {.seed = 7, .params = {}}).run(expected);
  ASSERT_FALSE(expected.lines.empty());
  for (int width : {0, 1, 8}) {
    Recorder actual;
    cpu::CompileOptions options;
    options.cache = false;
    options.vectorWidth = width;
    RunOptions run;
    run.seed = 7;
    run.threads = 2;
    NativeProgram(graph, options).run(actual, {}, run);
    ASSERT_EQ(actual.lines.size(), expected.lines.size());
    for (size_t k = 0; k < expected.lines.size(); ++k) {
      EXPECT_EQ(actual.lines[k].label, expected.lines[k].label);
      EXPECT_EQ(actual.lines[k].index, expected.lines[k].index);
      ASSERT_EQ(actual.lines[k].values.size(), expected.lines[k].values.size());
      for (size_t e = 0; e < expected.lines[k].values.size(); ++e)
        EXPECT_NEAR(actual.lines[k].values[e], expected.lines[k].values[e],
                    tolerance * std::max(1.0, std::abs(expected.lines[k].values[e])))
            << expected.lines[k].label << " line " << k << " element " << e << " width " << width;
    }
  }
}

TEST(NativeProgram, RecurrenceForward) {
  GraphBuilder g;
  const Var t = g.index("t", 0, 10);
  const NodeId x = g.declare("x", {t}, g.box({t}, {0}, {11}));
  g.piece(x, g.where({t}, Condition::equal(t, 0)), g.at(g.constant(1.0)));
  const NodeId half = g.map(ScalarOp::Mul, {t}, {g.at(x, {t}), g.at(g.constant(0.5))});
  g.piece(x, g.box({t}, {1}, {11}), g.at(half, {IndexExpr(t) - 1}));
  g.print("x", x);
  expectAgreement(g.graph());
}

TEST(NativeProgram, MatrixTimesVectorOverLanes) {
  GraphBuilder g;
  const Var b = g.index("b", 0, 37);
  const NodeId w = g.draw(DrawKind::StandardNormal, "w", {}, {}, {5, 7});
  const NodeId x = g.draw(DrawKind::Uniform01, "x", {b}, {}, {7});
  const Var k = g.range("k");
  const NodeId product = g.map(
      ScalarOp::Mul, {b, k},
      {g.at(w, {}, {IndexExpr(Var::element(0)), IndexExpr(k)}), g.at(x, {b}, {IndexExpr(k)})}, {5});
  g.node(product).domain = g.box({b, k}, {0, 0}, {37, 7});
  const NodeId y = g.reduce(ReduceKind::Sum, {b}, {k}, g.box({b, k}, {0, 0}, {37, 7}),
                            g.at(product, {b, k}, {IndexExpr(Var::element(0))}), {5});
  g.print("y", y);
  g.print("w", w);
  expectAgreement(g.graph());
}

TEST(NativeProgram, RolloutReturnsAndUpdate) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 5), b = g.index("b", 0, 64), t = g.index("t", 0, 20);
  const NodeId w = g.declare("w", {i}, g.box({i}, {0}, {6}));
  const NodeId s = g.declare("s", {i, b, t}, g.box({i, b, t}, {0, 0, 0}, {5, 64, 21}));
  g.piece(s, g.box({i, b, t}, {0, 0, 0}, {5, 64, 1}),
          g.at(g.draw(DrawKind::Uniform01, "s", {i, b}), {i, b}));
  const NodeId step = g.map(ScalarOp::Mul, {i, b, t}, {g.at(s, {i, b, t}), g.at(w, {i})});
  g.piece(s, g.box({i, b, t}, {0, 0, 1}, {5, 64, 21}), g.at(step, {i, b, IndexExpr(t) - 1}));
  const NodeId ret = g.declare("G", {i, b, t}, g.box({i, b, t}, {0, 0, 0}, {5, 64, 21}));
  const NodeId sum =
      g.map(ScalarOp::Add, {i, b, t}, {g.at(s, {i, b, t}), g.at(ret, {i, b, IndexExpr(t) + 1})});
  g.piece(ret, g.box({i, b, t}, {0, 0, 0}, {5, 64, 20}), g.at(sum, {i, b, t}));
  g.piece(ret, g.box({i, b, t}, {0, 0, 20}, {5, 64, 21}), g.at(g.constant(0.0)));
  const NodeId product =
      g.map(ScalarOp::Mul, {i, b, t}, {g.at(s, {i, b, t}), g.at(ret, {i, b, t})});
  const NodeId loss = g.reduce(ReduceKind::Sum, {i}, {b, t},
                               g.box({i, b, t}, {0, 0, 0}, {5, 64, 20}), g.at(product, {i, b, t}));
  const NodeId scaled = g.map(ScalarOp::Mul, {i}, {g.at(loss, {i}), g.at(g.constant(1e-4))});
  const NodeId next = g.map(ScalarOp::Sub, {i}, {g.at(w, {i}), g.at(scaled, {i})});
  g.piece(w, g.box({i}, {0}, {1}), g.at(g.constant(0.9)));
  g.piece(w, g.box({i}, {1}, {6}), g.at(next, {IndexExpr(i) - 1}));
  g.sink(pdg::Sink::Kind::Report, "loss", loss);
  g.print("w", w);
  expectAgreement(g.graph());
}

// x[0] = 10, x[t+1] = x[t] - 2, y[t] = 100 // x[t], which faults at t = 5.
struct Countdown {
  GraphBuilder g;
  NodeId x, y;
  Countdown() {
    const Var t = g.index("t", 0, 10);
    x = g.declare("x", {t}, g.box({t}, {0}, {11}), DType::I32);
    g.piece(x, g.where({t}, Condition::equal(t, 0)), g.at(g.constant(10, DType::I32)));
    const NodeId less = g.map(ScalarOp::Sub, {t}, {g.at(x, {t}), g.at(g.constant(2, DType::I32))});
    g.piece(x, g.box({t}, {1}, {11}), g.at(less, {IndexExpr(t) - 1}));
    y = g.map(ScalarOp::FloorDiv, {t}, {g.at(g.constant(100, DType::I32)), g.at(x, {t})});
    g.node(y).name = "y";
  }
};

TEST(NativeProgram, WhatComesBeforeAFaultIsPrinted) {
  Countdown p;
  p.g.print("y", p.y);
  p.g.print("x", p.x);
  Recorder out;
  cpu::CompileOptions options;
  options.cache = false;
  EXPECT_THROW(NativeProgram(p.g.graph(), options).run(out, {}, {}), runtime::RuntimeFault);
  ASSERT_GE(out.lines.size(), 10u);
  for (size_t t = 0; t < 5; ++t) {
    EXPECT_EQ(out.lines[t].label, "y");
    EXPECT_EQ(out.lines[t].values,
              std::vector<double>{std::floor(100.0 / (10.0 - 2.0 * static_cast<double>(t)))});
    EXPECT_EQ(out.lines[5 + t].label, "x");
    EXPECT_EQ(out.lines[5 + t].values, std::vector<double>{10.0 - 2.0 * static_cast<double>(t)});
  }
  for (const Line& line : out.lines) EXPECT_TRUE(line.label != "y" || line.index[0].second < 5);
}

TEST(NativeProgram, AStoppedRunSavesThePointsThatItReached) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 1 << 30);
  const NodeId w = g.declare("w", {i}, g.box({i}, {0}, {(1 << 30) + 1}));
  g.piece(w, g.where({i}, Condition::equal(i, 0)), g.at(g.constant(1.0)));
  const NodeId half = g.map(ScalarOp::Mul, {i}, {g.at(w, {i}), g.at(g.constant(0.5))});
  g.piece(w, g.box({i}, {1}, {(1 << 30) + 1}), g.at(half, {IndexExpr(i) - 1}));
  g.sink(pdg::Sink::Kind::Report, "m", half);
  g.graph().sinks()[0].every = 1 << 20;
  g.graph().sinks()[0].everyDim = i;
  for (int64_t point : {3, 1 << 30}) {
    g.sink(pdg::Sink::Kind::Save, "w" + std::to_string(point), w);
    pdg::Sink& save = g.graph().sinks().back();
    save.dims.clear();
    save.domain = Set::universe(g.graph().context(), {});
    std::get<0>(save.value.node).at = {IndexExpr(point)};
  }
  Recorder out;
  cpu::CompileOptions options;
  options.cache = false;
  runtime::RunControl control;
  control.stop = [&] { return out.lines.size() > 1; };
  const NativeProgram program(g.graph(), options);
  EXPECT_EQ(program.run(out, control, {}).end, runtime::RunEnd::Stopped);
  std::erase_if(out.lines, [](const Line& line) { return line.label == "m"; });
  ASSERT_EQ(out.lines.size(), 1u);
  EXPECT_EQ(out.lines[0].label, "w3");
  EXPECT_EQ(out.lines[0].values, std::vector<double>{0.125});
}

// Whoever asks whether to stop looks now and then; a run that is over doesn't wait for the next
// look.
TEST(NativeProgram, ARunThatMayBeStoppedEndsWhenItIsOver) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 4);
  const NodeId w = g.declare("w", {i}, g.box({i}, {0}, {4}));
  g.piece(w, g.box({i}, {0}, {4}), g.at(g.constant(1.0)));
  g.sink(pdg::Sink::Kind::Report, "w", w);
  cpu::CompileOptions options;
  options.cache = false;
  const NativeProgram program(g.graph(), options);
  runtime::RunControl control;
  control.stop = [] { return false; };
  constexpr int kRuns = 40;
  constexpr std::chrono::milliseconds kMost(10);
  const auto begin = std::chrono::steady_clock::now();
  for (int run = 0; run < kRuns; ++run) {
    Recorder out;
    EXPECT_EQ(program.run(out, control, {}).end, runtime::RunEnd::Finished);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kRuns * kMost);
}

// A NaN of a value that lives in a lane's registers: x = sqrt(w - b) step by step, w = 3 - i and 0
// times the sum of x, which is reported.
TEST(NativeProgram, TheFirstNanIsFoundWhereverItLives) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 6), b = g.index("b", 0, 2), t = g.index("t", 0, 40);
  const NodeId w = g.declare("w", {i}, g.box({i}, {0}, {7}));
  const NodeId u =
      g.map(ScalarOp::Sub, {i, b},
            {g.at(w, {i}),
             g.at(g.cast(DType::F32, {b}, g.at(g.indexValue({b}, IndexExpr(b)), {b})), {b})});
  const NodeId start = g.map(ScalarOp::Sqrt, {i, b}, {g.at(u, {i, b})});
  const NodeId x = g.declare("x", {i, b, t}, g.box({i, b, t}, {0, 0, 0}, {6, 2, 41}));
  g.piece(x, g.box({i, b, t}, {0, 0, 0}, {6, 2, 1}), g.at(start, {i, b}));
  const NodeId next = g.map(ScalarOp::Mul, {i, b, t}, {g.at(x, {i, b, t}), g.at(g.constant(0.5))});
  g.piece(x, g.box({i, b, t}, {0, 0, 1}, {6, 2, 41}), g.at(next, {i, b, IndexExpr(t) - 1}));
  const NodeId sum = g.reduce(ReduceKind::Sum, {i}, {b, t}, g.box({i, b, t}, {0, 0, 0}, {6, 2, 40}),
                              g.at(x, {i, b, t}));
  const NodeId nothing = g.map(ScalarOp::Mul, {i}, {g.at(sum, {i}), g.at(g.constant(0.0))});
  const NodeId less = g.map(ScalarOp::Sub, {i}, {g.at(w, {i}), g.at(g.constant(1.0))});
  const NodeId following = g.map(ScalarOp::Add, {i}, {g.at(less, {i}), g.at(nothing, {i})});
  g.piece(w, g.box({i}, {0}, {1}), g.at(g.constant(3.0)));
  g.piece(w, g.box({i}, {1}, {7}), g.at(following, {IndexExpr(i) - 1}));
  g.sink(pdg::Sink::Kind::Report, "sum", sum);
  Recorder out;
  cpu::CompileOptions options;
  options.cache = false;
  EXPECT_EQ(NativeProgram(g.graph(), options).run(out, {}, {}).firstNan,
            "`x` at i = 3, b = 1, t = 0");
}

// A machine with little room elsewhere, where copies of what is there take a quarter of the memory.
class NarrowMachine : public CpuMachine {
 public:
  NarrowMachine(const loops::Program& program, const cpu::CompileOptions& options, int64_t room)
      : CpuMachine(program, options), room_(room) {}
  int64_t overflowBytes() const override { return room_; }
  int64_t transferBytes(int64_t left) const override { return left / 4; }

 private:
  int64_t room_;
};

// z[i] = the largest over j of y[i, j], which is the sum over l of x[i, l] w[l, j] and is read by
// nothing else: it is added up in a register and never stored.
TEST(NativeProgram, ASumThatIsReadAtOnceStaysInARegister) {
  GraphBuilder g;
  const Var i = g.index("i", 0, 64), j = g.index("j", 0, 48), l = g.index("l", 0, 48);
  const NodeId x = g.draw(DrawKind::Uniform01, "x", {i, l}),
               w = g.draw(DrawKind::Uniform01, "w", {l, j});
  const NodeId product = g.map(ScalarOp::Mul, {i, j, l}, {g.at(x, {i, l}), g.at(w, {l, j})});
  const NodeId y = g.reduce(ReduceKind::Sum, {i, j}, {l}, g.box({i, j, l}, {0, 0, 0}, {64, 48, 48}),
                            g.at(product, {i, j, l}));
  const NodeId square = g.map(ScalarOp::Mul, {i, j}, {g.at(y, {i, j}), g.at(y, {i, j})});
  const NodeId z =
      g.reduce(ReduceKind::Max, {i}, {j}, g.box({i, j}, {0, 0}, {64, 48}), g.at(square, {i, j}));
  g.print("z", z);
  expectAgreement(g.graph());
  cpu::CompileOptions options;
  options.cache = false;
  const NativeProgram program(g.graph(), options);
  const loops::Lowered& lowered = program.lowered();
  EXPECT_EQ(lowered.program.buffers[static_cast<size_t>(lowered.bufferOf[static_cast<size_t>(y)])]
                .elements,
            0);
}

// Ten tensors of 256 KiB and a limit that keeps nine of them: with memory for copies only six would
// stay.
TEST(NativeProgram, CopiesAheadOfTheirUseTakeMemoryOnlyWhereTensorsHaveRoomElsewhere) {
  constexpr int64_t kBytes = 256 << 10;
  GraphBuilder g;
  const Var i = g.index("i", 0, kBytes / 4);
  for (int k = 0; k < 10; ++k)
    g.print("x" + std::to_string(k), g.draw(DrawKind::Uniform01, "x" + std::to_string(k), {i}));
  const auto fitted = [&](int64_t room) {
    cpu::CompileOptions options;
    options.cache = false;
    const MachineMaker make{[=](const loops::Program& program) {
      return std::make_unique<NarrowMachine>(program, options, room);
    }};
    const NativeProgram whole(make, g.graph());
    const NativeProgram program(make, g.graph(), {whole.plannedBytes(1) - kBytes / 2, 1});
    const loops::Program& loops = program.lowered().program;
    return std::pair(loops.transferBytes, loops.arenaBytes - loops.residentBytes);
  };
  const auto [wideCopies, wideAway] = fitted(8 * kBytes);
  EXPECT_GT(wideCopies, 0);
  EXPECT_GT(wideAway, 2 * kBytes);
  EXPECT_EQ(fitted(2 * kBytes), std::pair(int64_t{0}, kBytes));
  EXPECT_THROW(fitted(kBytes / 2), runtime::DeviceError);
}

}  // namespace
}  // namespace rlc::native
