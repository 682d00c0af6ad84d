// rlc explain CODE | FILE: an error code at length, or what became of a program.
#include <algorithm>
#include <cctype>
#include <iostream>

#include "compiler/diagnostics/kinds.h"
#include "compiler/loops/printer.h"
#include "compiler/passes/pipeline.h"
#include "compiler/pdg/printer.h"
#include "compiler/schedule/printer.h"
#include "jit/native/native_program.h"
#include "tools/commands.h"
#include "tools/program.h"

namespace rlc::tools {

namespace {

const char* const kExamples = R"(examples:
  rlc explain E0301               what an error means and what to do about it
  rlc explain cartpole.rl         the dependence graph of a program
  rlc explain schedule FILE       the loops that run it
  rlc explain memory FILE         where every tensor lives, and the size of the whole
  rlc explain loops FILE          the loop program that native code is made from
  rlc explain kernels FILE        the optimized LLVM code
stages: graph passes schedule memory loops kernels assembly)";

constexpr std::string_view kStages[] = {"graph", "passes", "schedule", "memory", "loops", "kernels", "assembly"};

bool isStage(const std::string& text) {
  return std::find(std::begin(kStages), std::end(kStages), text) != std::end(kStages);
}

// `rlc explain schedule FILE ...`: the stage stands where FILE is expected.
std::string takeStage(ProgramOptions& options) {
  if (!isStage(options.file) || options.assignments.empty()) return "graph";
  const std::string stage = options.file;
  options.file = options.assignments.front();
  options.assignments.erase(options.assignments.begin());
  return stage;
}

void showStage(const std::string& stage, const pdg::Graph& original) {
  pdg::Graph graph = original;
  if (stage == "graph") {
    std::cout << pdg::print(graph);
    return;
  }
  const passes::PassReport report = passes::runPasses(graph, {});
  if (stage == "passes") {
    for (const passes::PassRun& run : report.runs)
      std::cout << run.name << ": " << run.nodesBefore << " -> " << run.nodesAfter << " nodes\n";
    std::cout << "\n" << pdg::print(graph);
    return;
  }
  cpu::CompileOptions compile;
  compile.cache = false;
  const native::NativeProgram program(graph, compile);
  if (stage == "schedule") std::cout << schedule::print(program.graph(), program.statements(), program.schedule());
  if (stage == "memory") {
    std::cout << schedule::print(program.graph(), program.lowered().storage);
    std::cout << "arena: " << program.lowered().program.arenaBytes << " bytes\n";
  }
  if (stage == "loops") std::cout << loops::print(program.lowered().program);
  if (stage == "kernels") std::cout << cpu::llvmText(program.lowered().program, compile);
  if (stage == "assembly") std::cout << cpu::assemblyText(program.lowered().program, compile);
}

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

int explain(ProgramOptions options) {
  const std::string stage = takeStage(options);
  if (options.file.empty()) throw UsageError("explain takes an error code or a program");
  if (looksLikeCode(options.file)) return explainCode(options.file);
  const auto loaded = loadProgram(options);
  showDiagnostics(*loaded);
  if (!loaded->program) return loaded->status;
  showStage(stage, loaded->program->graph);
  std::cout << std::flush;
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
