// rlc fmt: programs in the one style.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "compiler/diagnostics/render.h"
#include "compiler/format/diff.h"
#include "compiler/format/format.h"
#include "compiler/syntax/parser.h"
#include "tools/commands.h"
#include "tools/replace_file.h"
#include "tools/status.h"
#include "tools/terminal.h"

namespace rlc::tools {

namespace {

namespace fs = std::filesystem;

struct FormatOptions {
  std::vector<std::string> files;
  bool check = false, diff = false;
};

const char* const kFmtExamples = R"(examples:
  rlc fmt program.rl lib/             lays the files out, and those of a folder
  rlc fmt --check examples/*.rl       lists those that would change; exit status 1 if any
  rlc fmt --diff program.rl           shows what would change, and changes nothing
  rlc fmt - < program.rl              from standard input to standard output)";

// "" and a sentence in `problem` where it can't be read.
std::string readFile(const std::string& path, std::string& problem) {
  std::error_code code;
  const auto size = fs::file_size(path, code);
  if (!code && size > syntax::kMaxFileBytes) {
    problem = "it is too long";
    return "";
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    problem = errno != 0 ? std::strerror(errno) : "it can't be opened";
    return "";
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<std::string> expanded(const std::vector<std::string>& files) {
  std::vector<std::string> result;
  for (const std::string& file : files) {
    std::error_code code;
    if (file == "-" || !fs::is_directory(file, code)) {
      result.push_back(file);
      continue;
    }
    std::vector<std::string> found;
    for (auto it = fs::recursive_directory_iterator(file, code); !code && it != fs::end(it);
         it.increment(code)) {
      if (it->is_regular_file(code) && it->path().extension() == ".rl")
        found.push_back(it->path().string());
    }
    std::sort(found.begin(), found.end());
    result.insert(result.end(), found.begin(), found.end());
  }
  return result;
}

// What happened to one file.
enum class Outcome { Same, Changed, Failed };

Outcome formatFile(const std::string& file, const FormatOptions& options) {
  const bool piped = file == "-";
  std::string problem;
  std::string text =
      piped ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : readFile(file, problem);
  if (!problem.empty()) {
    std::cerr << "rlc: can't read `" << file << "`: " << problem << "\n";
    return Outcome::Failed;
  }
  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  const auto id = sources.add(piped ? "<stdin>" : file, std::move(text));
  const std::string& before = sources.text(id);
  const format::Result result = format::format(sources, id, sink);
  if (result.differs) {
    std::cerr << "rlc: " << sources.path(id)
              << " is left as it is: laid out, it would not mean the same. This is a mistake in "
                 "rlc; please "
                 "report it, with the file\n";
    return Outcome::Failed;
  }
  if (!result.text) {
    std::cerr << diagnostics::render(sink, sources, {stderrHasColor(), terminalWidth()});
    return Outcome::Failed;
  }
  const bool changed = *result.text != before;
  if (changed && options.diff)
    std::cout << format::unifiedDiff(sources.path(id), before, *result.text);
  else if (changed && options.check)
    std::cout << sources.path(id) << "\n";
  if (options.check || options.diff) return changed ? Outcome::Changed : Outcome::Same;
  if (piped) {
    std::cout << *result.text;
  } else if (changed && !replaceFile(file, *result.text)) {
    std::cerr << "rlc: can't write `" << file << "`\n";
    return Outcome::Failed;
  }
  return Outcome::Same;
}

int formatAll(const FormatOptions& options) {
  bool changed = false, failed = false;
  for (const std::string& file : expanded(options.files)) {
    const Outcome outcome = formatFile(file, options);
    changed = changed || outcome == Outcome::Changed;
    failed = failed || outcome == Outcome::Failed;
  }
  std::cout << std::flush;
  return failed || (changed && options.check) ? kProgramError : kOk;
}

}  // namespace

void addFormatCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<FormatOptions>();
  CLI::App* command = app.add_subcommand("fmt", "lay programs out in the one style");
  command
      ->add_option("FILES", options->files, "programs and folders of programs (-: standard input)")
      ->required();
  command->add_flag("--check", options->check, "change nothing; list the files that would change");
  command->add_flag("--diff", options->diff, "change nothing; show what would change");
  command->footer(kFmtExamples);
  command->callback([options, &status] { status = formatAll(*options); });
}

}  // namespace rlc::tools
