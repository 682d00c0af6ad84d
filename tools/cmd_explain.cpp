// rlc explain CODE | FILE: an error code at length, or what became of a program.
#include <algorithm>
#include <cctype>
#include <iostream>

#include "compiler/diagnostics/kinds.h"
#include "compiler/pdg/printer.h"
#include "tools/commands.h"
#include "tools/program.h"

namespace rlc::tools {

namespace {

const char* const kExamples = R"(examples:
  rlc explain E0301           what an error means and what to do about it
  rlc explain cartpole.rl     the dependence graph of a program)";

// E and digits only: a file of such a name can be given as ./E0123.
bool looksLikeCode(const std::string& text) {
  return text.size() >= 2 && (text[0] == 'E' || text[0] == 'e') &&
         std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isdigit(c); });
}

int explainCode(const std::string& code) {
  const auto kind = diagnostics::kindOfCode(code);
  if (!kind) {
    std::cerr << "rlc: there is no error code " << code << "; the codes are:\n";
    for (const auto& known : diagnostics::allKinds())
      std::cerr << "  " << known.code << "  " << known.title << "\n";
    return kUsageError;
  }
  const auto& known = diagnostics::info(*kind);
  std::cout << known.code << ": " << known.title << "\n\n";
  std::string_view text = known.explanation;
  while (!text.empty() && text.front() == '\n') text.remove_prefix(1);
  std::cout << text << (text.ends_with('\n') ? "" : "\n") << std::flush;
  return kOk;
}

int explain(const ProgramOptions& options) {
  if (options.file.empty()) throw UsageError("explain takes an error code or a program");
  if (looksLikeCode(options.file)) return explainCode(options.file);
  const auto loaded = loadProgram(options);
  showDiagnostics(*loaded);
  if (!loaded->program) return loaded->status;
  std::cout << pdg::print(loaded->program->graph) << std::flush;
  return kOk;
}

}  // namespace

void addExplainCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<ProgramOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "explain an error code, or show what became of a program");
  addProgramOptions(*command, *options, true);
  command->footer(kExamples);
  command->callback([options, &status] { status = explain(*options); });
}

}  // namespace rlc::tools
