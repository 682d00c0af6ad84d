// rlc run FILE: compiles a program and runs it.
#include <CLI/CLI.hpp>

#include "tools/commands.h"
#include "tools/device.h"
#include "tools/interrupt.h"
#include "tools/kept_program.h"
#include "tools/program.h"
#include "tools/run_session.h"

namespace rlc::tools {

namespace {

struct RunOptions {
  ProgramOptions program;
  RunSettings settings;
  ShowOptions show;
};

const char* const kRunExamples = R"(examples:
  rlc run cartpole.rl                            run a program
  rlc run cartpole.rl iterations=50 lr=3e-4      with other values of its params
  rlc run cartpole.rl --config big.toml --seed 7 params from a file, other draws
  rlc run cartpole.rl --json | jq .value         results as a JSON object a line
  rlc run cartpole.rl --check                    faults as the program was written, if slower)";

int run(RunOptions& options) {
  settleConfig(options.program);
  const std::string deviceName = options.settings.deviceName();
  DeviceOptions deviceOptions = options.settings.deviceOptions();
  deviceOptions.verifyPasses = options.program.verify;
  deviceOptions.findNan = options.show.checkNan && !options.show.quiet;
  ShowOptions show = options.show;
  show.seed = deviceOptions.seed;

  const ProgramKeeper keeper(options.program, deviceName, deviceOptions);
  if (const auto kept = keeper.find())
    return runAndShow(show, kept->sources(),
                      [&](runtime::SinkOutput& output, const runtime::RunControl& control) {
                        catchInterrupts();
                        return kept->run(output, control);
                      });

  const auto loaded = loadProgram(options.program);
  showDiagnostics(*loaded);
  if (!loaded->program) return loaded->status;
  return runAndShow(
      show, loaded->sources, [&](runtime::SinkOutput& output, const runtime::RunControl& control) {
        const auto device = makeDevice(deviceName, loaded->program->graph, deviceOptions);
        keeper.keep(*loaded, *device);
        catchInterrupts();  // until here there is nothing to save: Ctrl-C ends the process
        return device->run(output, control);
      });
}

}  // namespace

void addRunCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "compile a program and run it");
  addProgramOptions(*command, options->program, true);
  addRunSettings(*command, options->settings);
  command->add_flag("--check", options->settings.check,
                    "tell each out-of-range gather at its own line, tensor and index point: leaves "
                    "out the optimizations that compute several points as one");
  addShowOptions(*command, options->show);
  command->footer(kRunExamples);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace rlc::tools
