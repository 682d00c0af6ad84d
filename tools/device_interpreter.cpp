#include <sys/resource.h>

#include "compiler/interpreter/interpreter.h"
#include "jit/host/machine_memory.h"
#include "jit/runtime/format.h"
#include "tools/device.h"

namespace rlc::tools {

namespace {

// The interpreter takes memory as it goes, without a plan: past what the machine has an allocation
// fails, which is told of, where the system would end the process without a word.
class WithinMachineMemory {
 public:
  WithinMachineMemory() {
    const auto memory = static_cast<rlim_t>(host::machineMemory());
    known_ = getrlimit(RLIMIT_DATA, &before_) == 0 && memory > 0;
    if (!known_ || before_.rlim_cur <= memory) return;
    rlimit limit = before_;
    limit.rlim_cur = memory;
    setrlimit(RLIMIT_DATA, &limit);
  }
  ~WithinMachineMemory() {
    if (known_) setrlimit(RLIMIT_DATA, &before_);
  }
  WithinMachineMemory(const WithinMachineMemory&) = delete;
  WithinMachineMemory& operator=(const WithinMachineMemory&) = delete;

 private:
  rlimit before_{};
  bool known_ = false;
};

class InterpreterDevice : public Device {
 public:
  InterpreterDevice(const pdg::Graph& graph, const DeviceOptions& options)
      : interpreter_(graph, settings(options)) {}

  RunSummary run(runtime::SinkOutput& output, const runtime::RunControl& control) override {
    const WithinMachineMemory limited;
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
