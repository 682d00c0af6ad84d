// Prints GFLOP/s of generated kernels beside the FMA peak of one thread, and the time that
// compiling them takes.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string_view>
#include <vector>

#include "jit/cpu/module.h"
#include "jit/cpu/testing/programs.h"

namespace rlc::cpu {
namespace {

// The median of several runs.
double timeOf(const std::function<void()>& body) {
  std::vector<double> times;
  for (int i = 0; i < 31; ++i) {
    const double start = now();
    body();
    times.push_back(now() - start);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void measure(const char* name, const Builder& builder, double flops, const CompileOptions& base) {
  CompileOptions options = base;
  options.cache = false;
  const std::clock_t before = std::clock();
  const auto executable = compile(builder.program, options);
  const double compiling = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  Memory memory(builder.program);
  for (int64_t k = 0; k < 64; ++k) memory.set(0, k, 0.5 + 0.001 * static_cast<double>(k));
  RunContext context;
  context.arena = memory.arena();
  context.arenaBytes = builder.program.arenaBytes;
  context.parameters = memory.parameters();
  const double time = timeOf([&] { executable->run(context); });
  const CompileTimes& t = executable->times();
  std::printf(
      "%-34s %8.3f ms %8.1f GFLOP/s   compile %.1f ms of CPU: plan %.1f emit %.1f optimize %.1f "
      "generate %.1f link %.1f\n",
      name, time * 1e3, flops / time * 1e-9, compiling * 1e3, t.plan * 1e3, t.emit * 1e3,
      t.optimize * 1e3, t.generate * 1e3, t.link * 1e3);
}

// Sixteen chains of vector FMAs.
Builder peak(int64_t rounds) {
  Builder b;
  const BufferId x = b.arena(DType::F32, 64), y = b.arena(DType::F32, 64);
  b.lanes(ix(0), ix(32), [&](Expr i) {
    std::vector<Expr> chains;
    for (int k = 0; k < 12; ++k) chains.push_back(b.declare(b.get(x, i)));
    const Expr a = b.let(b.get(x, i + ix(16))), c = b.let(b.get(x, i + ix(32)));
    b.sequential(ix(0), ix(rounds), [&](Expr) {
      for (const Expr& chain : chains) b.assign(chain, loops::fma(chain, a, c));
    });
    for (const Expr& chain : chains) b.accumulate(y, i, chain);
  });
  return b;
}

// Dense layers of these widths, each lane one sample; weights uniform, by columns where `backward`,
// as the gradient of a layer's input reads them.
Builder network(const std::vector<int64_t>& sizes, int64_t samples, bool activation = false,
                bool backward = false) {
  Builder b;
  const size_t layers = sizes.size() - 1;
  const BufferId input = b.arena(DType::F32, sizes.front() * samples),
                 output = b.arena(DType::F32, sizes.back() * samples);
  std::vector<BufferId> weights, hidden;
  for (size_t layer = 0; layer < layers; ++layer)
    weights.push_back(b.arena(DType::F32, sizes[layer] * sizes[layer + 1]));
  for (int64_t size : sizes) hidden.push_back(b.privateBuffer(DType::F32, size));
  b.lanes(ix(0), ix(samples), [&](Expr i) {
    b.sequential(ix(0), ix(sizes.front()),
                 [&](Expr k) { b.store(hidden[0], k, b.get(input, k * ix(samples) + i)); });
    for (size_t layer = 0; layer < layers; ++layer) {
      const int64_t in = sizes[layer], out = sizes[layer + 1];
      b.sequential(ix(0), ix(out), [&](Expr m) {
        const Expr sum = b.declare(f32(0.0));
        b.sequential(ix(0), ix(in), [&](Expr k) {
          const Expr weight = backward ? k * ix(out) + m : m * ix(in) + k;
          b.assign(sum, loops::fma(b.get(weights[layer], weight), b.get(hidden[layer], k), sum));
        });
        b.store(hidden[layer + 1], m,
                activation && layer + 1 < layers ? loops::op(ScalarOp::Tanh, {sum}) : sum);
      });
    }
    b.sequential(ix(0), ix(sizes.back()),
                 [&](Expr k) { b.store(output, k * ix(samples) + i, b.get(hidden.back(), k)); });
  });
  return b;
}

double work(const std::vector<int64_t>& sizes, int64_t samples) {
  double result = 0;
  for (size_t layer = 0; layer + 1 < sizes.size(); ++layer)
    result += 2.0 * static_cast<double>(sizes[layer] * sizes[layer + 1] * samples);
  return result;
}

// dW[m, k] += dz[m] * x[k], summed over lanes; both computed per lane.
Builder weightGradient(int64_t samples) {
  Builder b;
  const int64_t rows = 64, columns = 64;
  const BufferId dz = b.arena(DType::F32, rows * samples),
                 x = b.arena(DType::F32, columns * samples);
  const BufferId dw = b.arena(DType::F32, rows * columns);
  const BufferId d = b.privateBuffer(DType::F32, rows), a = b.privateBuffer(DType::F32, columns);
  Stmt& loop = b.lanes(ix(0), ix(samples), [&](Expr i) {
    b.sequential(ix(0), ix(rows), [&](Expr m) { b.store(d, m, b.get(dz, m * ix(samples) + i)); });
    b.sequential(ix(0), ix(columns), [&](Expr k) { b.store(a, k, b.get(x, k * ix(samples) + i)); });
    b.sequential(ix(0), ix(rows), [&](Expr m) {
      b.sequential(ix(0), ix(columns), [&](Expr k) {
        b.accumulate(dw, m * ix(columns) + k, b.get(d, m) * b.get(a, k));
      });
    });
  });
  loop.reductions = {{dw, -1, loops::Combine::Sum}};
  return b;
}

Builder matrixProduct(int64_t n) {
  Builder b;
  const BufferId x = b.arena(DType::F32, n * n), y = b.arena(DType::F32, n * n),
                 z = b.arena(DType::F32, n * n);
  b.sequential(ix(0), ix(n), [&](Expr i) {
    b.lanes(ix(0), ix(n), [&](Expr j) {
      const Expr sum = b.declare(f32(0.0));
      b.sequential(ix(0), ix(n), [&](Expr k) {
        b.assign(sum, loops::fma(b.get(x, i * ix(n) + k), b.get(y, k * ix(n) + j), sum));
      });
      b.store(z, i * ix(n) + j, sum);
    });
  });
  return b;
}

// CartPole with random actions: 500 steps of each lane.
Builder cartPole(int64_t lanes, int64_t steps) {
  Builder b;
  const BufferId state = b.arena(DType::F32, 4 * lanes);
  b.lanes(ix(0), ix(lanes), [&](Expr i) {
    std::vector<Expr> s;
    for (int k = 0; k < 4; ++k) s.push_back(b.declare(b.get(state, ix(k * lanes) + i)));
    b.sequential(ix(0), ix(steps), [&](Expr t) {
      const Expr u = b.random(loops::ExprNode::Draw::Uniform01, DType::F32, 17, {t, i}, ix(0), 1);
      const Expr force =
          b.let(loops::op(ScalarOp::Select, {less(u, f32(0.5)), f32(10.0), f32(-10.0)}));
      const Expr cosine = b.let(loops::op(ScalarOp::Cos, {s[2]})),
                 sine = b.let(loops::op(ScalarOp::Sin, {s[2]}));
      const Expr temp = b.let((force + f32(0.05) * s[3] * s[3] * sine) * f32(1 / 1.1));
      const Expr spin = b.let(loops::op(
          ScalarOp::Div, {f32(9.8) * sine - cosine * temp,
                          f32(0.5) * (f32(4.0 / 3.0) - f32(0.1 / 1.1) * cosine * cosine)}));
      const Expr push = b.let(temp - f32(0.05 / 1.1) * spin * cosine);
      b.assign(s[0], s[0] + f32(0.02) * s[1]);
      b.assign(s[1], s[1] + f32(0.02) * push);
      b.assign(s[2], s[2] + f32(0.02) * s[3]);
      b.assign(s[3], s[3] + f32(0.02) * spin);
      const Expr over =
          b.let(loops::op(ScalarOp::Or, {less(f32(2.4), loops::op(ScalarOp::Abs, {s[0]})),
                                         less(f32(0.2095), loops::op(ScalarOp::Abs, {s[2]}))}));
      for (const Expr& v : s) b.assign(v, loops::op(ScalarOp::Select, {over, f32(0.01), v}));
    });
    for (int k = 0; k < 4; ++k) b.store(state, ix(k * lanes) + i, s[static_cast<size_t>(k)]);
  });
  return b;
}

// Element-wise statements, many of them: what compiling costs.
Builder manyStatements(int count) {
  Builder b;
  for (int s = 0; s < count / 4; ++s) {
    const BufferId x = b.arena(DType::F32, 1000), y = b.arena(DType::F32, 1000);
    b.lanes(ix(0), ix(1000), [&](Expr i) {
      const Expr v = b.let(b.get(x, i) * f32(2.0 + s));
      const Expr w = b.let(
          loops::op(ScalarOp::Select, {less(v, f32(1.0)), v, loops::op(ScalarOp::Tanh, {v})}));
      b.when(less(w, f32(0.5)), [&] { b.store(y, i, w + v); });
    });
  }
  return b;
}

}  // namespace
}  // namespace rlc::cpu

int main(int argc, char** argv) {
  using namespace rlc::cpu;
  CompileOptions options;
  if (argc > 1) options.vectorWidth = std::atoi(argv[1]);
  const std::string_view what = argc > 2 ? argv[2] : "";
  if (what == "llvm") {  // before optimization, for `opt` and `llc`
    options.cache = false;
    options.dump = [](std::string_view stage, const std::string& text) {
      if (stage == "llvm") std::fputs(text.c_str(), stdout);
    };
    compile(manyStatements(argc > 3 ? std::atoi(argv[3]) : 400).program, options);
    return 0;
  }
  if (what == "assembly") {
    const std::string_view which = argc > 3 ? argv[3] : "";
    const Builder shown = which == "peak"       ? peak(1000)
                          : which == "gradient" ? weightGradient(512)
                          : which == "cartpole" ? cartPole(512, 500)
                                                : network({48, 64, 64, 4}, 512);
    std::fputs(assemblyText(shown.program, options).c_str(), stdout);
    return 0;
  }
  std::printf("%s, vectors of %d bytes\n", host().cpu.c_str(), host().vectorBytes);
  constexpr int64_t rounds = 50000;
  measure("FMA peak", peak(rounds), 12.0 * 2 * 32 * rounds, options);
  const std::vector<int64_t> small = {48, 64, 64, 4}, wide = {17, 256, 256, 1},
                             wider = {4, 400, 300, 1}, pixels = {400, 256, 256, 3};
  const double flops = work(small, 4096);
  measure("48-64-64-4, 4096 samples", network(small, 4096), flops, options);
  measure("  with tanh", network(small, 4096, true), flops, options);
  CompileOptions untiled = options;
  untiled.tileContractions = false;
  measure("  not tiled", network(small, 4096), flops, untiled);
  measure("17-256-256-1, 256 samples", network(wide, 256), work(wide, 256), options);
  measure("  backward", network(wide, 256, false, true), work(wide, 256), options);
  measure("4-400-300-1, 256 samples", network(wider, 256), work(wider, 256), options);
  measure("  backward", network(wider, 256, false, true), work(wider, 256), options);
  measure("400-256-256-3, 1024 samples", network(pixels, 1024), work(pixels, 1024), options);
  measure("  backward", network(pixels, 1024, false, true), work(pixels, 1024), options);
  measure("weight gradient 64 x 64, 4096", weightGradient(4096), 2.0 * 64 * 64 * 4096, options);
  measure("matrix product 512", matrixProduct(512), 2.0 * 512 * 512 * 512, options);
  measure("CartPole, 500 steps of 512 (steps)", cartPole(512, 500), 512 * 500.0, options);
  measure("400 statements", manyStatements(400), 0, options);
  measure("1600 statements", manyStatements(1600), 0, options);
  return 0;
}
