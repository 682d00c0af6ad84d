// rlc lsp: the language server, on standard input and output.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "tools/commands.h"
#include "tools/lsp/serve.h"
#include "tools/program.h"

namespace rlc::tools {

namespace {

const char* const kLspExamples = R"(examples:
  rlc lsp                        what an editor starts; it speaks the Language Server Protocol
  rlc lsp --stdlib my/stdlib     with another standard library)";

}  // namespace

void addLspCommand(CLI::App& app) {
  auto options = std::make_shared<ProgramOptions>();
  CLI::App* command = app.add_subcommand("lsp", "the language server, for editors");
  command->add_option("--stdlib", options->library, "the folder of the standard library")
      ->type_name("FOLDER");
  // What editors' clients pass of themselves.
  auto stdio = std::make_shared<bool>(false);
  command->add_flag("--stdio", *stdio, "standard input and output: the only way, and the default");
  command->footer(kLspExamples);
  command->callback([options, stdio] {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    const int status = lsp::serve(std::cin, std::cout, {libraryFolder(*options)}, "0.1.0");
    std::cout.flush();
    // An analysis may still be running; nobody waits for it.
    std::_Exit(status);
  });
}

}  // namespace rlc::tools
