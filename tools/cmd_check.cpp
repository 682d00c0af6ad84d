// rlc check FILE: all errors of a program, without running it.
#include <CLI/CLI.hpp>
#include <iostream>

#include "compiler/diagnostics/render.h"
#include "tools/commands.h"
#include "tools/program.h"

namespace rlc::tools {

namespace {

struct CheckOptions {
  ProgramOptions program;
  bool json = false;
};

const char* const kCheckExamples = R"(examples:
  rlc check cartpole.rl          prints what is wrong; exit status 1 if anything is
  rlc check cartpole.rl --json   on stdout, a JSON object a line, for tools)";

int check(const CheckOptions& options) {
  const auto loaded = loadProgram(options.program);
  if (options.json) {
    std::cout << diagnostics::renderJson(loaded->sink, loaded->sources) << std::flush;
  } else {
    showDiagnostics(*loaded);
  }
  return loaded->program ? kOk : loaded->status;
}

}  // namespace

void addCheckCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "print all errors of a program");
  addProgramOptions(*command, options->program, true);
  command->add_flag("--json", options->json, "as JSON, an object a line");
  command->footer(kCheckExamples);
  command->callback([options, &status] { status = check(*options); });
}

}  // namespace rlc::tools
