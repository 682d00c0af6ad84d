// Runs what was asked: small work in the interpreter, which begins at once; what it does not finish
// soon as native code.
#pragma once

#include <string>

#include "tools/device.h"
#include "tools/program.h"
#include "tools/repl/recording.h"

namespace rlc::repl {

struct EvaluateOptions {
  std::string device = "auto";  // interp, cpu, gpu, auto
  tools::DeviceOptions settings;
  double patience = 0.2;  // seconds that `auto` gives the interpreter
};

struct Evaluation {
  runtime::RunEnd end = runtime::RunEnd::Finished;
  std::string device;  // "interp", "cpu"
  double seconds = 0;
};

// Ctrl-C stops it. Throws RuntimeFault, and UsageError where the device is not there.
Evaluation evaluate(const pdg::Graph& graph, const EvaluateOptions& options, Recording& recording);

}  // namespace rlc::repl
