// What each phase of the compiler costs, on the first example.
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>

#include "compiler/autodiff/gradients.h"
#include "compiler/passes/pipeline.h"
#include "compiler/sema/elaborate.h"
#include "compiler/syntax/parser.h"
#include "jit/native/native_program.h"

namespace {

using namespace rlc;

std::string readExample() {
  std::ifstream in(RLC_SOURCE "/examples/reinforce_cartpole.rl");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The example, elaborated, with its gradients as equations.
struct Example {
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  polyhedral::Context context;
  std::optional<sema::Program> program;

  explicit Example(bool gradients) {
    sema::Options options;
    options.libraryPath = {RLC_SOURCE "/stdlib"};
    options.params = {{"iterations", "10"}};
    const auto file = sources.add("reinforce_cartpole.rl", readExample());
    program = sema::elaborate(sources, file, options, context, sink);
    if (gradients && program) autodiff::expandGradients(program->graph, sink);
    if (!program || sink.hasErrors()) throw std::runtime_error("the example is wrong");
  }
};

void parse(benchmark::State& state) {
  std::string text;
  for (int k = 0; k < 100; ++k) text += readExample();
  const auto lines = std::count(text.begin(), text.end(), '\n');
  for (auto _ : state) {
    diagnostics::SourceMap sources;
    diagnostics::DiagnosticSink sink;
    benchmark::DoNotOptimize(syntax::parse(sources, sources.add("text.rl", text), sink));
  }
  state.SetItemsProcessed(state.iterations() * lines);  // lines
}

void elaborate(benchmark::State& state) {
  for (auto _ : state) Example example(false);
}

void elaborateAndDifferentiate(benchmark::State& state) {
  for (auto _ : state) Example example(true);
}

void optimize(benchmark::State& state) {
  const Example example(true);
  for (auto _ : state) {
    pdg::Graph graph = example.program->graph;
    passes::runPasses(graph, {});
  }
}

// Schedule, storage, loops, machine code; range(0): with the object cache.
void compile(benchmark::State& state) {
  const Example example(true);
  pdg::Graph graph = example.program->graph;
  passes::runPasses(graph, {});
  cpu::CompileOptions options;
  options.cache = state.range(0) != 0;
  {
    const native::NativeProgram first(graph, options);
  }  // fills the cache
  for (auto _ : state) native::NativeProgram program(graph, options);
}

BENCHMARK(parse)->Unit(benchmark::kMillisecond);
BENCHMARK(elaborate)->Unit(benchmark::kMillisecond);
BENCHMARK(elaborateAndDifferentiate)->Unit(benchmark::kMillisecond);
BENCHMARK(optimize)->Unit(benchmark::kMillisecond);
BENCHMARK(compile)->Arg(0)->Arg(1)->ArgName("cache")->Unit(benchmark::kMillisecond);

}  // namespace
