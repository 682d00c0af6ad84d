// rlc run FILE: compiles a program and runs it.
#include <iostream>

#include "compiler/diagnostics/render.h"
#include "compiler/interpreter/fault.h"
#include "jit/runtime/machine.h"
#include "tools/commands.h"
#include "tools/device.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/program.h"
#include "tools/terminal.h"

namespace rlc::tools {

namespace {

struct RunOptions {
  ProgramOptions program;
  RunSettings settings;
  bool json = false, quiet = false, checkNan = true;
};

const char* const kExamples = R"(examples:
  rlc run cartpole.rl                            run a program
  rlc run cartpole.rl iterations=50 lr=3e-4      with other values of its params
  rlc run cartpole.rl --config big.toml --seed 7 params from a file, other draws
  rlc run cartpole.rl --json | jq .value         results as a JSON object a line)";

void warnOfNan(const RunOutput& output, const RunSummary& summary) {
  if (output.nanReport().empty()) return;
  std::cerr << "rlc: warning: " << output.nanReport() << " is NaN";
  if (!summary.firstNan.empty()) std::cerr << "; the first NaN came up in " << summary.firstNan;
  std::cerr << "\n";
}

int endStatus(const RunOutput& output, const RunSummary& summary) {
  if (!output.saveError().empty()) {
    std::cerr << "rlc: " << output.saveError() << "\n";
    return kFault;
  }
  if (output.failed()) {
    std::cerr << "rlc: the output could not be written\n";
    return kFault;
  }
  return summary.end == interpreter::RunEnd::Stopped ? kInterrupted : kOk;
}

int run(const RunOptions& options) {
  const std::string deviceName = options.settings.deviceName();
  DeviceOptions deviceOptions = options.settings.deviceOptions();
  deviceOptions.verifyPasses = options.program.verify;
  deviceOptions.findNan = options.checkNan && !options.quiet;
  const auto loaded = loadProgram(options.program);
  showDiagnostics(*loaded);
  if (!loaded->program) return loaded->status;

  catchInterrupts();
  ProgressLine progress(stderrIsTerminal() && !options.quiet);
  RunOutput::Options outputOptions;
  outputOptions.json = options.json;
  outputOptions.thin = stdoutIsTerminal() && stderrIsTerminal() && !options.json && !options.quiet;
  outputOptions.seed = deviceOptions.seed;
  RunOutput output(std::cout, progress, outputOptions);
  interpreter::RunControl control;
  control.stop = interrupted;
  control.progress = [&](const interpreter::Progress& at) { progress.update(at); };

  RunSummary summary;
  try {
    const auto device = makeDevice(deviceName, loaded->program->graph, deviceOptions);
    summary = device->run(output, control);
    output.finish();
  } catch (const interpreter::RuntimeFault& fault) {
    output.finish();
    std::cerr << diagnostics::render(fault.diagnostic(), loaded->sources,
                                     {stderrHasColor(), terminalWidth()});
    return kFault;
  } catch (const runtime::DeviceError&) {
    output.finish();  // what came before the failure stays
    throw;
  }
  if (options.checkNan && !options.quiet) warnOfNan(output, summary);
  return endStatus(output, summary);
}

}  // namespace

void addRunCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "compile a program and run it");
  addProgramOptions(*command, options->program, true);
  addRunSettings(*command, options->settings);
  command->add_flag("--json", options->json, "results as JSON, an object a line");
  command->add_flag("--quiet", options->quiet, "no progress line and no warnings");
  command->add_flag("--check-nan", options->checkNan, "say where the first NaN came up when a report is NaN (default: on)");
  command->add_flag_callback("--no-check-nan", [options] { options->checkNan = false; }, "do not look for it");
  command->footer(kExamples);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace rlc::tools
