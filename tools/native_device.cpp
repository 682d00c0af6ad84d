#include "tools/native_device.h"

#include <cstdio>
#include <thread>

#include "compiler/passes/pipeline.h"
#include "tools/program.h"

namespace rlc::tools {

namespace {

class NativeDevice : public Device {
 public:
  NativeDevice(const pdg::Graph& graph, const DeviceOptions& options,
               const native::MachineMaker& make, const std::function<std::string()>& description)
      : graph_(optimized(graph, options)),
        threads_(threadsOf(options)),
        program_(make, graph_, {options.memoryLimit, threads_}),
        description_(description()),
        seed_(options.seed),
        findNan_(options.findNan) {}

  RunSummary run(runtime::SinkOutput& output, const runtime::RunControl& control) override {
    native::RunOptions options;
    options.seed = seed_;
    options.threads = threads_;
    options.findNan = findNan_;
    const native::RunResult result = program_.run(output, control, options);
    return {result.end, result.firstNan};
  }

  std::string description() const override { return description_; }
  const native::NativeProgram* native() const override { return &program_; }

 private:
  pdg::Graph graph_;
  int threads_;
  native::NativeProgram program_;
  std::string description_;
  uint64_t seed_;
  bool findNan_;
};

}  // namespace

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

int threadsOf(const DeviceOptions& options) {
  if (options.threads >= 1) return options.threads;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::unique_ptr<Device> makeNativeDevice(const pdg::Graph& graph, const DeviceOptions& options,
                                         const native::MachineMaker& make,
                                         const std::function<std::string()>& description) {
  return fitting(options.memoryLimit,
                 [&] { return std::make_unique<NativeDevice>(graph, options, make, description); });
}

}  // namespace rlc::tools
