// Programs from the command line: which file, which params, what is wrong with them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/source_map.h"
#include "compiler/sema/elaborate.h"
#include "jit/host/built_program.h"
#include "tools/cli.h"
#include "tools/param_options.h"
#include "tools/status.h"

namespace rlc::tools {

// What --seeds calls the index that it adds: the first that the program has not.
inline constexpr const char* kPopulationNames[] = {"seed", "population"};

struct ProgramOptions : ParamOptions {
  std::string file;     // "-": standard input
  bool verify = false;  // check the graph's invariants after each phase
  std::string library;  // --stdlib
  std::string seeds;    // --seeds lo..hi: a population; empty: none
};

// Declares the options that all commands on programs share. `fileRequired`: the positional FILE.
void addProgramOptions(CLI::App& app, ProgramOptions& options, bool fileRequired);

// Throws UsageError where a file to be written is the program, or another one.
void refuseToReplace(const std::string& output, const ProgramOptions& options);

// The standard library's folder: --stdlib, $RLC_STDLIB, or where rlc stands.
std::string libraryFolder(const ProgramOptions& options);

// The program and all that it refers to: stays where it is.
struct LoadedProgram {
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  polyhedral::Context context;
  std::optional<sema::Program> program;  // empty: the sink says why
  Status status = kOk;                   // what to exit with where there is no program
};

// "lo..hi" or "lo..=hi": the first and the one after the last. Throws UsageError.
std::pair<int64_t, int64_t> seedRange(const std::string& text);

// Reads, elaborates, replaces gradients by equations, adds the index of a population; what is wrong
// is in the sink, or thrown as UsageError. `expression`: not empty: the program shows it instead of
// what its own sinks show; then there need not be a file. `texts`: of the file, first, and of
// imported ones, where they are not to be read.
std::unique_ptr<LoadedProgram> loadProgram(const ProgramOptions& options,
                                           const std::string& expression = "",
                                           const std::vector<host::SourceText>& texts = {});

// Everything in the sink, to stderr.
void showDiagnostics(const LoadedProgram& loaded);

}  // namespace rlc::tools
