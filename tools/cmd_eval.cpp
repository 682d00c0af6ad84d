// rlc eval 'expression' [FILE]: the value of an expression, in the scope of a program if there is
// one.
#include <CLI/CLI.hpp>
#include <iostream>

#include "compiler/diagnostics/render.h"
#include "jit/runtime/fault.h"
#include "jit/runtime/sinks.h"
#include "tools/commands.h"
#include "tools/device.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/program.h"
#include "tools/terminal.h"

namespace rlc::tools {

namespace {

struct EvalOptions {
  std::string expression;
  ProgramOptions program;
  RunSettings settings;
  bool json = false;
};

const char* const kEvalExamples = R"(examples:
  rlc eval '1 + 2 * 3'                       7
  rlc eval 'sum(k * k for k in 0..10)'       285
  rlc eval 'x[3] - x[2]' decay.rl n=10       in the scope of a program)";

// The value alone where there are no indices; else a line a point, as `print` has it.
class ValueOutput : public runtime::SinkOutput {
 public:
  explicit ValueOutput(bool json)
      : writer_(std::cout, json ? runtime::Notation::Json : runtime::Notation::Text), json_(json) {}

  void show(const runtime::SinkInfo& sink, int,
            const std::vector<std::pair<std::string, int64_t>>& index,
            const runtime::ShownValue& value) override {
    if (index.empty() && !json_) {
      std::string text;
      runtime::appendValue(text, writable(value), runtime::Notation::Text);
      std::cout << text << "\n";
      return;
    }
    std::vector<runtime::IndexValue> point;
    for (const auto& [name, position] : index) point.push_back({name, position});
    writer_.print(sink.label, point, writable(value));
  }

 private:
  runtime::SinkWriter writer_;
  bool json_;
};

int eval(const EvalOptions& options) {
  if (options.expression.empty()) throw UsageError("there is no expression to evaluate");
  // What is asked for once is seldom worth compiling.
  const std::string asked = options.settings.deviceName(),
                    device = asked == "auto" ? "interp" : asked;
  DeviceOptions deviceOptions = options.settings.deviceOptions();
  deviceOptions.verifyPasses = options.program.verify;
  const auto loaded = loadProgram(options.program, options.expression);
  showDiagnostics(*loaded);
  if (!loaded->program) return loaded->status;
  catchInterrupts();
  runtime::RunControl control;
  control.stop = interrupted;
  ValueOutput output(options.json);
  try {
    const RunSummary summary =
        makeDevice(device, loaded->program->graph, deviceOptions)->run(output, control);
    return summary.end == runtime::RunEnd::Stopped ? kInterrupted : kOk;
  } catch (const runtime::RuntimeFault& fault) {
    std::cerr << diagnostics::render(fault.diagnostic(), loaded->sources,
                                     {stderrHasColor(), terminalWidth()});
    return kFault;
  }
}

}  // namespace

void addEvalCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* command = app.add_subcommand("eval", "evaluate an expression");
  command->add_option("EXPRESSION", options->expression, "what to evaluate")->required();
  addProgramOptions(*command, options->program, false);
  addRunSettings(*command, options->settings);
  command->add_flag("--json", options->json, "as JSON, an object a line");
  command->footer(kEvalExamples);
  command->callback([options, &status] { status = eval(*options); });
}

}  // namespace rlc::tools
