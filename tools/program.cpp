#include "tools/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>

#include "compiler/autodiff/gradients.h"
#include "compiler/diagnostics/render.h"
#include "compiler/interpreter/known_requirements.h"
#include "compiler/passes/populate.h"
#include "compiler/pdg/verifier.h"
#include "compiler/syntax/parser.h"
#include "compiler/syntax/print.h"
#include "tools/terminal.h"

namespace rlc::tools {

using diagnostics::Diagnostic;
using diagnostics::FileId;
using diagnostics::Kind;

void addProgramOptions(CLI::App& app, ProgramOptions& options, bool fileRequired) {
  auto* file = app.add_option("FILE", options.file, "the program (-: standard input)");
  if (fileRequired) file->required();
  addParamOptions(app, options);
  app.add_flag("--verify-each", options.verify,
               "check the compiler's own invariants after each phase and pass");
  app.add_option("--stdlib", options.library, "the folder of the standard library")
      ->type_name("FOLDER");
  app.add_option(
         "--seeds", options.seeds,
         "a population: an index `seed` in LO..HI for every draw and all that depends on one")
      ->type_name("LO..HI")
      ->take_last();
}

std::string libraryFolder(const ProgramOptions& options) {
  namespace fs = std::filesystem;
  if (!options.library.empty()) return options.library;
  if (const char* given = std::getenv("RLC_STDLIB"); given && *given) return given;
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  // Beside an installed rlc, then in the source tree of a build.
  for (const char* place : {"../share/rlc/stdlib", "../../stdlib", "../../../stdlib"}) {
    const fs::path folder = (self.parent_path() / place).lexically_normal();
    if (fs::is_directory(folder, code)) return folder.string();
  }
  return RLC_SOURCE_STDLIB;  // a build folder elsewhere
}

namespace {

// A byte more than a program may have, so that the parser reports one that is too long; never
// endless.
std::string readAll(std::istream& in) {
  std::string text(syntax::kMaxFileBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

std::optional<FileId> addFile(const std::string& file, LoadedProgram& loaded) {
  if (file == "-") return loaded.sources.add("<stdin>", readAll(std::cin));
  std::error_code code;
  std::string problem;
  if (std::filesystem::is_directory(file, code)) {
    problem = "it is a folder";
  } else {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (in) return loaded.sources.add(file, readAll(in));
    problem = errno != 0 ? std::strerror(errno) : "it can't be opened";
  }
  loaded.sink.report(Diagnostic(Kind::CannotRead, {}, "can't read `" + file + "`: " + problem));
  return std::nullopt;
}

// Of the first; imports are looked for by where they are.
FileId addTexts(const std::vector<host::SourceText>& texts, diagnostics::SourceMap& sources) {
  const FileId file = sources.add(texts.front().path, texts.front().text);
  for (const host::SourceText& import : std::span(texts).subspan(1)) {
    std::error_code code;
    sources.add(std::filesystem::weakly_canonical(import.path, code).string(), import.text);
  }
  return file;
}

bool isSink(const syntax::Item& item) { return item.as<syntax::SinkItem>() != nullptr; }

// The program without its sinks, and a print of the expression.
syntax::File withExpression(const std::optional<FileId>& file, const std::string& expression,
                            LoadedProgram& loaded) {
  syntax::File result;
  if (file) result = syntax::parse(loaded.sources, *file, loaded.sink);
  std::erase_if(result.items, isSink);
  const FileId source = loaded.sources.add("<expression>", expression);
  if (!file) result.id = source;
  syntax::ExprPtr value = syntax::parseExpression(loaded.sources, source, loaded.sink);
  if (!value) {
    result.complete = false;
    return result;
  }
  syntax::SinkItem print;
  print.texts.push_back(syntax::collapse(expression));
  syntax::Item item;
  item.span = {source, 0, static_cast<uint32_t>(expression.size())};
  print.values.push_back(std::move(value));
  item.node = std::move(print);
  result.items.push_back(std::move(item));
  return result;
}

bool hasIndex(const pdg::Graph& graph, const std::string& name) {
  for (int k = 0; k < graph.dimCount(); ++k)
    if (const pdg::Dim& dim = graph.dim(pdg::Var{k}); dim.name == name && !dim.isRange) return true;
  return false;
}

void addPopulation(pdg::Graph& graph, const std::string& seeds) {
  const auto [lo, hi] = seedRange(seeds);
  const auto name = std::ranges::find_if(kPopulationNames,
                                         [&](const char* each) { return !hasIndex(graph, each); });
  if (name == std::end(kPopulationNames))
    throw UsageError(
        "--seeds adds an index `seed`, or `population` where the program has a `seed` "
        "of its own, and it has both already: rename one");
  if (!passes::populate(graph, *name, lo, hi))
    throw UsageError("--seeds makes a population of the program's draws, and it draws nothing");
}

// Settings are the command line's mistakes, and so is what follows from one.
Status statusOf(const diagnostics::DiagnosticSink& sink) {
  for (const Diagnostic& diagnostic : sink.sorted())
    if (diagnostic.kind == Kind::UnknownParam || diagnostic.kind == Kind::BadParamValue)
      return kUsageError;
  return kProgramError;
}

}  // namespace

std::pair<int64_t, int64_t> seedRange(const std::string& text) {
  const size_t dots = text.find("..");
  const bool closed = dots != std::string::npos && text.compare(dots, 3, "..=") == 0;
  int32_t lo = 0, hi = 0;
  const auto number = [&](size_t from, size_t to, int32_t& value) {
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, value);
    return error == std::errc() && end == text.data() + to;
  };
  if (dots == std::string::npos || !number(0, dots, lo) ||
      !number(dots + (closed ? 3 : 2), text.size(), hi))
    throw UsageError("--seeds takes a range such as 0..64, not `" + text + "`");
  const int64_t after = int64_t{hi} + (closed ? 1 : 0);
  if (after <= lo) throw UsageError("--seeds " + text + " has no seeds");
  return {lo, after};
}

void refuseToReplace(const std::string& output, const ProgramOptions& options) {
  std::error_code code;
  const std::filesystem::path target = std::filesystem::weakly_canonical(output, code);
  if (target.extension() == ".rl" || std::filesystem::equivalent(output, options.file, code))
    throw UsageError("`" + output + "` is a program, which would be lost: name another file");
}

std::unique_ptr<LoadedProgram> loadProgram(const ProgramOptions& options,
                                           const std::string& expression,
                                           const std::vector<host::SourceText>& texts) {
  auto loaded = std::make_unique<LoadedProgram>();
  sema::Options settings;
  settings.params = paramOverrides(options);
  settings.libraryPath = {libraryFolder(options)};
  std::optional<FileId> file;
  if (!options.file.empty() || expression.empty()) {
    file = texts.empty() ? addFile(options.file, *loaded) : addTexts(texts, loaded->sources);
    if (!file) {
      loaded->status = kProgramError;
      return loaded;
    }
  }
  if (expression.empty()) {
    loaded->program =
        sema::elaborate(loaded->sources, *file, settings, loaded->context, loaded->sink);
  } else {
    const syntax::File parsed = withExpression(file, expression, *loaded);
    if (!loaded->sink.hasErrors())
      loaded->program =
          sema::elaborate(loaded->sources, parsed, settings, loaded->context, loaded->sink);
  }
  const bool verify = options.verify && loaded->program && !loaded->sink.hasErrors();
  if (verify) pdg::verifyOrThrow(loaded->program->graph, "after elaboration");
  if (loaded->program && !loaded->sink.hasErrors())
    interpreter::checkKnownRequirements(loaded->program->graph, loaded->sink);
  if (loaded->program) autodiff::expandGradients(loaded->program->graph, loaded->sink);
  if (verify && !loaded->sink.hasErrors())
    pdg::verifyOrThrow(loaded->program->graph, "after gradients");
  if (loaded->sink.hasErrors()) loaded->program.reset();
  if (loaded->program && !options.seeds.empty())
    addPopulation(loaded->program->graph, options.seeds);
  if (!loaded->program) loaded->status = statusOf(loaded->sink);
  return loaded;
}

void showDiagnostics(const LoadedProgram& loaded) {
  std::cerr << diagnostics::render(loaded.sink, loaded.sources,
                                   {stderrHasColor(), terminalWidth()});
}

}  // namespace rlc::tools
