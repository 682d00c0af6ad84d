#include "compiler/interpreter/interpreter.h"
#include "jit/runtime/format.h"
#include "tools/device.h"

namespace rlc::tools {

namespace {

class InterpreterDevice : public Device {
 public:
  InterpreterDevice(const pdg::Graph& graph, const DeviceOptions& options)
      : interpreter_(graph, settings(options)) {}

  RunSummary run(runtime::SinkOutput& output, const runtime::RunControl& control) override {
    RunSummary summary;
    summary.end = interpreter_.run(output, control);
    if (const auto& nan = interpreter_.firstNan())
      summary.firstNan = runtime::placeText(nan->tensor, nan->point);
    return summary;
  }

  std::string description() const override { return "interpreter"; }

 private:
  static interpreter::Options settings(const DeviceOptions& options) {
    interpreter::Options result;
    result.seed = options.seed;
    return result;
  }

  interpreter::Interpreter interpreter_;
};

}  // namespace

std::unique_ptr<Device> makeInterpreterDevice(const pdg::Graph& graph,
                                              const DeviceOptions& options) {
  return std::make_unique<InterpreterDevice>(graph, options);
}

}  // namespace rlc::tools
