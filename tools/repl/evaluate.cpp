#include "tools/repl/evaluate.h"

#include <chrono>

#include "tools/interrupt.h"

namespace rlc::repl {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Evaluation evaluate(const pdg::Graph& graph, const EvaluateOptions& options, Recording& recording) {
  const tools::InterruptGuard guard;
  const auto start = Clock::now();
  Evaluation evaluation;
  const auto run = [&](const std::string& device, double patience) {
    evaluation.device = device;
    runtime::RunControl control;
    control.stop = [&] {
      return tools::interrupted() || recording.overflowed() ||
             (patience > 0 && secondsSince(start) > patience);
    };
    evaluation.end =
        tools::makeDevice(device, graph, options.settings)->run(recording, control).end;
    evaluation.seconds = secondsSince(start);
  };
  if (options.device != "auto") {
    run(options.device, 0);
    return evaluation;
  }
  run("interp", options.patience);
  const bool ranOut = evaluation.end == runtime::RunEnd::Stopped && !tools::interrupted() &&
                      !recording.overflowed();
  if (ranOut) {
    recording.clear();
    run("cpu", 0);
  }
  return evaluation;
}

}  // namespace rlc::repl
