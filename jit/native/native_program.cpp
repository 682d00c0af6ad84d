#include "jit/native/native_program.h"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "compiler/schedule/dependences.h"
#include "compiler/schedule/execution.h"
#include "compiler/schedule/scheduler.h"
#include "compiler/schedule/storage.h"
#include "jit/native/emissions.h"

namespace rlc::native {

namespace {

struct FreeArena {
  void operator()(std::byte* arena) const { std::free(arena); }
};
using Arena = std::unique_ptr<std::byte, FreeArena>;

Arena allocateArena(int64_t bytes) {
  const auto size = static_cast<size_t>(std::max<int64_t>(bytes, 64));
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(64, (size + 63) / 64 * 64));
  if (!memory) throw std::bad_alloc();
  return Arena(memory);
}

interpreter::RuntimeFault faultOf(const loops::Program& program, const cpu::Outcome& outcome) {
  const loops::Fault& fault = program.faults.at(static_cast<size_t>(outcome.fault));
  std::vector<std::pair<std::string, int64_t>> point;
  for (size_t k = 0; k < fault.coordinateNames.size() && k < outcome.coordinates.size(); ++k)
    point.emplace_back(fault.coordinateNames[k], outcome.coordinates[k]);
  return interpreter::RuntimeFault(fault.message, fault.span, fault.tensor, std::move(point));
}

// After an interruption: the checkpoints that would have been written at the end, of the last point that was computed.
void saveLatest(const pdg::Graph& graph, Emissions& emissions, interpreter::SinkOutput& output) {
  for (size_t k = 0; k < graph.sinks().size(); ++k) {
    const pdg::Sink& sink = graph.sinks()[k];
    const int number = static_cast<int>(k);
    if (sink.kind != pdg::Sink::Kind::Save || sink.everyDim) continue;
    const auto at = emissions.latest(number);
    if (!at || !emissions.holds(number, *at)) continue;
    std::vector<std::pair<std::string, int64_t>> index;
    for (size_t d = 0; d < sink.dims.size(); ++d) index.emplace_back(graph.dim(sink.dims[d]).name, (*at)[d]);
    output.show(sink, number, index,
                interpreter::shownValue(sink.value, [&](int leaf) { return emissions.leaf(number, leaf, *at); }));
  }
}

}  // namespace

NativeProgram::NativeProgram(const pdg::Graph& graph, const cpu::CompileOptions& options) : graph_(graph) {
  statements_ = schedule::makeStatements(graph);
  const auto dependences = schedule::findDependences(graph, statements_);
  schedule_ = schedule::makeSchedule(graph, statements_, dependences);
  schedule::chooseExecution(graph, statements_, schedule_);
  lowered_ = loops::lower(graph, statements_, schedule_, schedule::chooseStorage(graph, statements_, schedule_));
  executable_ = cpu::compile(lowered_.program, options);
}

NativeProgram::~NativeProgram() = default;

interpreter::RunEnd NativeProgram::run(interpreter::SinkOutput& output, const interpreter::RunControl& control,
                                       const RunOptions& options) const {
  const Arena arena = allocateArena(lowered_.program.arenaBytes);
  std::vector<std::byte> parameters(static_cast<size_t>(lowered_.program.parameterBytes) + 8);
  for (size_t k = 0; k < graph_.params().size(); ++k)
    storeScalar(options.params.empty() ? graph_.params()[k].value : options.params.at(k),
                parameters.data() + lowered_.parameterOffset[k]);

  const HostValues values(graph_, lowered_, arena.get());
  Emissions emissions(graph_, values);
  std::atomic<bool> stop = false;
  cpu::RunContext context;
  context.arena = arena.get();
  context.arenaBytes = lowered_.program.arenaBytes;
  context.parameters = parameters.data();
  context.seed = options.seed;
  context.threads = options.threads;
  context.stop = &stop;
  context.emit = [&](int sink, std::span<const int64_t> at) { emissions.emit(sink, Point(at.begin(), at.end())); };

  std::thread runner([&] {
    std::exception_ptr failure;
    bool stopped = false;
    try {
      const cpu::Outcome outcome = executable_->run(context);
      stopped = outcome.kind == cpu::Outcome::Kind::Stopped;
      if (outcome.kind == cpu::Outcome::Kind::Fault)
        failure = std::make_exception_ptr(faultOf(lowered_.program, outcome));
    } catch (...) {
      failure = std::current_exception();
    }
    emissions.finish(std::move(failure), stopped);
  });
  // A stop request reaches the running code even while the driver waits for a point.
  std::atomic<bool> done = false;
  std::thread watcher;
  if (control.stop)
    watcher = std::thread([&] {
      while (!done && !stop) {
        if (control.stop()) stop = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
  const auto join = [&](bool interrupt) {
    if (interrupt) stop = true;
    runner.join();
    done = true;
    if (watcher.joinable()) watcher.join();
  };

  interpreter::RunControl inner = control;
  inner.stop = nullptr;
  try {
    const interpreter::RunEnd end = interpreter::runSinks(graph_, emissions, output, inner);
    emissions.waitForEnd();
    join(false);
    return end;
  } catch (const StoppedEarly&) {
    saveLatest(graph_, emissions, output);
    join(true);
    return interpreter::RunEnd::Stopped;
  } catch (...) {
    join(true);
    throw;
  }
}

}  // namespace rlc::native
