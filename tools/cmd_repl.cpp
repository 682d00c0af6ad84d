// rlc repl [FILE]: a prompt.
#include <CLI/CLI.hpp>

#include "tools/commands.h"
#include "tools/program.h"
#include "tools/repl/repl.h"

namespace rlc::tools {

namespace {

const char* const kReplExamples = R"(examples:
  rlc repl                        an empty session
  rlc repl cartpole.rl n=10       with the items of a program
  rlc repl < inputs.txt           inputs from a file; --echo shows them, too
`:help` at the prompt lists its commands.)";

struct Options {
  ProgramOptions program;
  RunSettings settings;
  bool echo = false;
};

int repl(const Options& options) {
  repl::ReplOptions result;
  result.library = libraryFolder(options.program);
  result.file = options.program.file;
  result.params = paramOverrides(options.program);
  result.evaluate.device = options.settings.deviceName();
  result.evaluate.settings = options.settings.deviceOptions();
  result.echo = options.echo;
  return repl::Repl(std::move(result)).run();
}

}  // namespace

void addReplCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("repl", "a prompt for definitions and expressions");
  addProgramOptions(*command, options->program, false);
  addRunSettings(*command, options->settings);
  command->add_flag("--echo", options->echo, "from a pipe: show prompts and inputs, too");
  command->footer(kReplExamples);
  command->callback([options, &status] { status = repl(*options); });
}

}  // namespace rlc::tools
