// A run as a command shows it: results to stdout, a progress line, messages and the exit status.
#pragma once

#include <functional>
#include <string>

#include "compiler/diagnostics/source_map.h"
#include "jit/runtime/sink_output.h"
#include "tools/cli.h"
#include "tools/status.h"

namespace rlc::tools {

struct ShowOptions {
  bool json = false, quiet = false, checkNan = true;
  uint64_t seed = 0;  // noted in checkpoints
};

// `options` outlives the parsing.
void addShowOptions(CLI::App& app, ShowOptions& options);

struct RunSummary {
  runtime::RunEnd end = runtime::RunEnd::Finished;
  std::string firstNan;  // where the first NaN came up ("`loss` at i = 3"), where the device knows
};

// Ctrl-C stops the run once interrupts are caught. Faults of the program are shown; others pass
// through, after what came before them.
Status runAndShow(
    const ShowOptions& options, const diagnostics::SourceMap& sources,
    const std::function<RunSummary(runtime::SinkOutput&, const runtime::RunControl&)>& run);

// Says that stdout took less than was written to it.
Status outputLost();

// Calls `command`; what it throws is said, and told by the status.
int withMessages(const std::string& program, const std::function<int()>& command);

}  // namespace rlc::tools
