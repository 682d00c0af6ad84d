// Native code for this machine: the pipeline of passes, then jit/native.
#include <cstdio>
#include <thread>

#include "compiler/passes/pipeline.h"
#include "jit/native/native_program.h"
#include "tools/device.h"

namespace rlc::tools {

namespace {

pdg::Graph optimized(const pdg::Graph& graph, const DeviceOptions& options) {
  pdg::Graph result = graph;
  passes::PassOptions settings;
  settings.disabled = options.disabledPasses;
  settings.verifyEach = options.verifyPasses;
  const passes::PassReport report = passes::runPasses(result, settings);
  if (options.timePasses) {
    for (const passes::PassRun& run : report.runs)
      std::fprintf(stderr, "%-24s %8.2f ms %6d -> %d nodes\n", std::string(run.name).c_str(),
                   run.seconds * 1e3, run.nodesBefore, run.nodesAfter);
  }
  return result;
}

class CpuDevice : public Device {
 public:
  CpuDevice(const pdg::Graph& graph, const DeviceOptions& options)
      : graph_(optimized(graph, options)),
        program_(graph_, {}),
        seed_(options.seed),
        threads_(options.threads) {
    if (threads_ < 1)
      threads_ = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }

  RunSummary run(interpreter::SinkOutput& output, const interpreter::RunControl& control) override {
    native::RunOptions options;
    options.seed = seed_;
    options.threads = threads_;
    const native::RunResult result = program_.run(output, control, options);
    return {result.end, result.firstNan};
  }

  std::string description() const override {
    return "cpu (" + std::to_string(threads_) + (threads_ == 1 ? " thread)" : " threads)");
  }

 private:
  pdg::Graph graph_;
  native::NativeProgram program_;
  uint64_t seed_;
  int threads_;
};

}  // namespace

std::unique_ptr<Device> makeCpuDevice(const pdg::Graph& graph, const DeviceOptions& options) {
  return std::make_unique<CpuDevice>(graph, options);
}

}  // namespace rlc::tools
