// A run of a compiled program: its parameters in, what its sinks show out.
#pragma once

#include "jit/host/plan.h"
#include "jit/runtime/fault.h"
#include "jit/runtime/machine.h"
#include "jit/runtime/sink_output.h"

namespace rlc::host {

struct RunOptions {
  uint64_t seed = 0;
  std::vector<Scalar> params;  // by their order; empty: the values that the plan carries
  int threads = 1;
  std::vector<double>* regionSeconds =
      nullptr;  // [region] of the lowered program, where the machine times them
  runtime::DeviceUse* deviceUse = nullptr;  // with regionSeconds
  bool countPages = false;                  // RunResult::touchedBytes
};

struct RunResult {
  runtime::RunEnd end = runtime::RunEnd::Finished;
  int64_t touchedBytes = 0;  // memory of the arena that the run wrote or read, in whole pages
  std::string firstNan;  // "`v` at i = 3": where the first NaN came up; empty: no report showed one
};

// What only the compiler can tell; both may be empty.
struct Insight {
  using Shows = std::function<bool(const Point& at)>;
  // Of a run that ended early, for each sink: the points that had been computed by then, but not
  // shown; empty: none.
  std::function<std::vector<Shows>(const runtime::Outcome& outcome,
                                   const runtime::Progress& progress)>
      completed;
  // Where the first NaN came up in a run such as this.
  std::function<std::optional<std::string>(const runtime::RunRequest& request)> findNan;
};

// Throws runtime::RuntimeFault; what came before it has been written. Reports appear as soon as
// they are computed.
RunResult run(const Plan& plan, runtime::Execution& execution, runtime::SinkOutput& output,
              const runtime::RunControl& control, const RunOptions& options,
              const Insight& insight = {});

}  // namespace rlc::host
