// What `rlc` does with its arguments.
#include "tools/command_line.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "compiler/diagnostics/nearest.h"
#include "compiler/polyhedral/checked_math.h"
#include "compiler/polyhedral/set.h"
#include "compiler/types/lists.h"
#include "tools/commands.h"
#include "tools/program.h"
#include "tools/run_session.h"

namespace rlc::tools {
namespace {

const char* const kExamples = R"(examples:
  rlc run examples/reinforce_cartpole.rl
  rlc run examples/reinforce_cartpole.rl iterations=50 --seed 1
  rlc check program.rl
  rlc eval 'sum(1.0 / (k * k) for k in 1..1000)'
  rlc explain E0301

`rlc COMMAND --help` has the options and examples of a command.
Exit status: 0; 1 the program is wrong; 2 the command line is wrong; 3 the program failed while it ran; 130 interrupted.)";

int dispatch(int argc, char** argv) {
  int status = kOk;
  CLI::App app(
      "rlc compiles and runs reinforcement-learning programs written as recurrence equations.",
      "rlc");
  app.set_version_flag("--version", "rlc " RLC_VERSION, "print the version");
  app.footer(kExamples);
  addRunCommand(app, status);
  addBuildCommand(app, status);
  addCheckCommand(app, status);
  addEvalCommand(app, status);
  addExplainCommand(app, status);
  addBenchCommand(app, status);
  addProfileCommand(app, status);
  addFormatCommand(app, status);
  addReplCommand(app, status);
  addLspCommand(app);
  if (argc < 2) {
    std::cerr << app.help();
    return kUsageError;
  }
  app.require_subcommand(1);
  const std::string command = argv[1];
  std::vector<std::string> known;
  for (const CLI::App* each : app.get_subcommands({})) known.push_back(each->get_name());
  if (command[0] != '-' && !contains(known, command)) {
    const std::string hint = diagnostics::didYouMean(command, known);
    throw UsageError("there is no command `" + command + "`; " +
                     (hint.empty() ? "`rlc --help` lists them" : hint));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? kOk : kUsageError;
  }
  return status;
}

}  // namespace

int commandLine(int argc, char** argv) {
  return withMessages("rlc", [&] {
    try {
      const int status = dispatch(argc, argv);
      return status == kOk && !std::cout.flush() ? outputLost() : status;
    } catch (const polyhedral::IndexOverflow& error) {
      std::cerr << "rlc: the index domains of this program are too large: " << error.what() << "\n";
      return static_cast<int>(kProgramError);
    } catch (const polyhedral::OperationLimit& error) {
      std::cerr << "rlc: the index domains of this program are too complex: " << error.what()
                << "\n";
      return static_cast<int>(kProgramError);
    }
  });
}

}  // namespace rlc::tools
