#include "tools/repl/repl.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <sstream>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/diagnostics/nearest.h"
#include "compiler/diagnostics/render.h"
#include "compiler/polyhedral/checked_math.h"
#include "compiler/syntax/parser.h"
#include "compiler/types/lists.h"
#include "jit/runtime/fault.h"
#include "jit/runtime/machine.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/repl/command.h"
#include "tools/terminal.h"

namespace rlc::repl {

using tools::LoadedProgram;

namespace {

constexpr char kBanner[] =
    "rlc: definitions and expressions; `:help` lists the commands, `?name` explains a name\n";

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// More lines follow; two empty lines end any input, and commands are of one line.
bool wantsMore(const std::string& input) {
  const std::string start = trimmed(input);
  if (start.starts_with(':') || start.starts_with('?') || input.ends_with("\n\n")) return false;
  return syntax::isIncomplete(input);
}

std::string listed(const std::vector<EntryPtr>& entries) {
  std::string text;
  for (const EntryPtr& entry : entries) {
    for (const Definition& definition : entry->defines)
      text += (text.empty() ? "`" : ", `") +
              (definition.left.empty() ? definition.name : definition.left) + "`";
  }
  return text;
}

}  // namespace

Repl::Repl(ReplOptions options)
    : options_(std::move(options)),
      session_(options_.library),
      terminal_(isatty(STDIN_FILENO) != 0) {
  for (const auto& [name, value] : options_.params) session_.setParam(name, value);
  ReaderOptions reader;
  reader.echo = options_.echo;
  reader.color = tools::stderrHasColor();
  reader.historyFile = historyPath();
  reader.incomplete = wantsMore;
  reader.complete = [this](const std::string& before) { return complete(before); };
  reader_ = makeLineReader(std::move(reader));
}

int Repl::run() {
  // At a terminal no Ctrl-C ends the session, whenever it comes.
  const auto guard = terminal_ ? std::make_unique<tools::InterruptGuard>() : nullptr;
  if (terminal_) std::cout << kBanner;
  if (!options_.file.empty()) load(options_.file);
  std::string input;
  while (!quit_) {
    const Read got = reader_->read(prompt(), input);
    if (got == Read::End) break;
    if (got == Read::Input) handle(input);
    std::cout << std::flush;
  }
  return wrong_ && !terminal_ ? tools::kProgramError : tools::kOk;
}

std::string Repl::prompt() const {
  if (!evaluated_ || !terminal_) return "rl> ";
  char text[64];
  const double ms = last_.seconds * 1e3;
  std::snprintf(text, sizeof text, ms < 1e4 ? "%s %.3g ms rl> " : "%s %.0f ms rl> ",
                last_.device.c_str(), ms);
  return text;
}

namespace {

std::string overText(const sema::TensorFact& tensor) {
  std::string over;
  for (const std::string& dim : tensor.dims) {
    // A position at which only constants stand has no name.
    if (dim.empty()) return "";
    over += (over.empty() ? " over " : ", ") + dim;
  }
  return over.empty() ? "" : over + "  " + tensor.domain;
}

}  // namespace

std::string Repl::factsOf(const std::string& name) const {
  if (!session_.defines(name)) return "";
  const auto loaded = session_.whole();
  if (!loaded->program) return "";
  for (const sema::TensorFact& tensor : loaded->program->tensors)
    if (tensor.name == name) return tensor.type + overText(tensor) + "\n";
  for (const sema::ParamFact& param : loaded->program->params)
    if (param.name == name) return param.type + " = " + param.value + "\n";
  for (const sema::IndexFact& index : loaded->program->indices)
    if (index.name == name) return "i32 in " + index.range + "\n";
  return "";
}

ShowStyle Repl::style() const {
  ShowStyle style;
  if (terminal_) {
    style.array.width = static_cast<size_t>(std::clamp(tools::terminalWidth(), 40, 200)) - 1;
    const char* term = std::getenv("TERM");
    style.unicode = term != nullptr && std::string_view(term) != "dumb";
  }
  return style;
}

void Repl::complain(const std::string& words) {
  wrong_ = true;
  std::cout << std::flush;
  std::cerr << "rlc: " << words << "\n";
}

void Repl::show(const diagnostics::DiagnosticSink& sink, const diagnostics::SourceMap& sources) {
  if (sink.empty()) return;
  wrong_ = wrong_ || sink.hasErrors();
  std::cout << std::flush;
  std::cerr << diagnostics::render(sink, sources,
                                   {tools::stderrHasColor(), tools::terminalWidth()});
}

void Repl::handle(const std::string& input) {
  const std::string text = trimmed(input);
  if (text.empty()) return;
  try {
    if (text[0] == ':') {
      const size_t end = std::min(text.find_first_of(" \t\n"), text.size());
      const std::string name = text.substr(1, end - 1);
      const Command* command = Command::find(name);
      if (command != nullptr) return command->run(*this, trimmed(text.substr(end)));
      std::vector<std::string> names;
      for (const Command& known : Command::all()) names.emplace_back(known.name);
      const std::string hint = diagnostics::didYouMean(name, names);
      return complain("there is no command `:" + name + "`; " +
                      (hint.empty() ? "`:help` lists them" : hint));
    }
    if (text[0] == '?') {
      const std::string name = trimmed(text.substr(1));
      return Command::find("help")->run(*this, name);
    }
    Session::Input read = session_.read("<" + std::to_string(++inputs_) + ">", input);
    show(read.checked->sink, read.checked->sources);
    if (read.checked->sink.hasErrors()) return;
    if (read.expression) return evaluateExpression(read);
    define(std::move(read.entries));
  } catch (const runtime::RuntimeFault&) {
    throw;  // handled where the program is known
  } catch (const tools::UsageError& error) {
    complain(error.what());
  } catch (const runtime::DeviceError& error) {
    complain(error.what());
  } catch (const polyhedral::IndexOverflow& error) {
    complain(std::string("the index domains are too large: ") + error.what());
  } catch (const polyhedral::OperationLimit& error) {
    complain(std::string("the index domains are too complex: ") + error.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain("internal error: " + std::string(error.what()) +
             "\nThis is a mistake in rlc, not in your program. Please report it.");
  }
}

// Sinks show what they have to show at once; the rest is kept.
void Repl::define(std::vector<EntryPtr> entries) {
  const auto firstSink = std::stable_partition(
      entries.begin(), entries.end(), [](const EntryPtr& entry) { return !entry->isSink(); });
  std::vector<EntryPtr> sinks(firstSink, entries.end());
  entries.erase(firstSink, entries.end());
  if (!entries.empty()) {
    const Session::Change change = session_.define(std::move(entries));
    showChange(change);
    if (!change.rejected.empty()) return;
  }
  if (!sinks.empty()) runSinks(std::move(sinks));
}

void Repl::showChange(const Session::Change& change) {
  if (change.problems) show(change.problems->sink, change.problems->sources);
  if (!change.rejected.empty()) return;
  if (change.program) {
    show(change.program->sink, change.program->sources);  // warnings
    const sema::Program& program = *change.program->program;
    for (const sema::TensorFact& tensor : program.tensors) {
      const auto defines = [&](const EntryPtr& entry) { return entry->definesName(tensor.name); };
      const auto& accepted = change.accepted;
      if (std::none_of(accepted.begin(), accepted.end(), defines)) continue;
      std::cout << tensor.name << ": " << tensor.type << overText(tensor) << "\n";
    }
  }
  std::vector<EntryPtr> others;
  for (const EntryPtr& entry : change.replaced) {
    const bool same =
        std::any_of(change.accepted.begin(), change.accepted.end(),
                    [&](const EntryPtr& fresh) { return fresh->defines == entry->defines; });
    if (!same) others.push_back(entry);
  }
  if (!others.empty()) std::cout << "replaces " << listed(others) << "\n";
  if (!change.waiting.empty())
    std::cout << listed(change.waiting) << " waits for what is missing\n";
  if (!change.broken.empty()) std::cout << listed(change.broken) << " no longer holds, and waits\n";
  if (!change.resumed.empty()) std::cout << listed(change.resumed) << " is complete now\n";
}

bool Repl::compute(const pdg::Graph& graph, Recording& recording) {
  last_ = evaluate(graph, options_.evaluate, recording);
  evaluated_ = true;
  if (recording.overflowed()) {
    complain("the result has more than " + std::to_string(Recording::kMostElements) +
             " values: ask for a part of it");
    return false;
  }
  if (last_.end == runtime::RunEnd::Stopped) {
    std::cout << std::flush;
    std::cerr << "stopped\n";
    return false;
  }
  return true;
}

namespace {

void showFault(const runtime::RuntimeFault& fault, const diagnostics::SourceMap& sources) {
  std::cout << std::flush;
  std::cerr << diagnostics::render(fault.diagnostic(), sources,
                                   {tools::stderrHasColor(), tools::terminalWidth()});
}

}  // namespace

void Repl::evaluateExpression(Session::Input& input) {
  const auto loaded = session_.withExpression(input);
  show(loaded->sink, loaded->sources);
  if (!loaded->program) return;
  Recording recording;
  try {
    if (compute(loaded->program->graph, recording))
      std::cout << resultText(recording, input.text, style());
  } catch (const runtime::RuntimeFault& fault) {
    wrong_ = true;
    showFault(fault, loaded->sources);
  }
}

void Repl::runSinks(std::vector<EntryPtr> sinks) {
  const auto loaded = session_.withSinks(std::move(sinks));
  show(loaded->sink, loaded->sources);
  if (loaded->program) runProgram(*loaded);
}

void Repl::runProgram(LoadedProgram& loaded) {
  tools::ProgressLine progress(false);
  tools::RunOutput::Options options;
  options.seed = options_.evaluate.settings.seed;
  tools::RunOutput output(std::cout, progress, options);
  Recording recording;
  bool done = false;
  try {
    done = compute(loaded.program->graph, recording);
  } catch (const runtime::RuntimeFault& fault) {
    wrong_ = true;
    recording.replay(loaded.program->graph, output);
    output.finish();
    return showFault(fault, loaded.sources);
  }
  recording.replay(loaded.program->graph, output);
  output.finish();
  if (done && !output.saveError().empty()) complain(output.saveError());
}

std::unique_ptr<LoadedProgram> Repl::programOf(const std::string& expression) {
  Session::Input input = session_.read("<" + std::to_string(++inputs_) + ">", expression);
  show(input.checked->sink, input.checked->sources);
  if (input.checked->sink.hasErrors()) return nullptr;
  if (!input.expression) {
    complain("`" + expression + "` is no expression");
    return nullptr;
  }
  auto loaded = session_.withExpression(input);
  show(loaded->sink, loaded->sources);
  return loaded->program ? std::move(loaded) : nullptr;
}

void Repl::load(const std::string& path) {
  std::error_code code;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, code))
    return complain("can't read `" + path + "`");
  std::string text(syntax::kMaxFileBytes + 1, '\0');  // the parser reports one that is longer
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  Session::Input input = session_.read(path, std::move(text), path);
  show(input.checked->sink, input.checked->sources);
  const size_t items = input.entries.size();
  const Session::Change change = session_.define(std::move(input.entries), path);
  if (change.problems) show(change.problems->sink, change.problems->sources);
  if (!change.rejected.empty()) return complain("nothing of `" + path + "` could be taken");
  if (!contains(files_, path)) files_.push_back(path);
  std::cout << "loaded " << path << ": " << items << (items == 1 ? " item" : " items");
  if (!change.waiting.empty())
    std::cout << "; " << change.waiting.size() << " of them "
              << (change.waiting.size() == 1 ? "waits" : "wait") << " to be mended";
  std::cout << "\n";
}

Completions Repl::complete(const std::string& before) {
  Completions result;
  const size_t start = before.find_first_not_of(" \t");
  std::string expression = before;
  if (start != std::string::npos && before[start] == ':') {
    const size_t space = before.find_first_of(" \t", start);
    if (space == std::string::npos) {
      result.begin = start + 1;
      for (const Command& command : Command::all())
        if (command.name.starts_with(before.substr(result.begin)))
          result.words.emplace_back(command.name);
      std::sort(result.words.begin(), result.words.end());
      return result;
    }
    const Command* command = Command::find(before.substr(start + 1, space - start - 1));
    if (command == nullptr || command->takes == Command::Argument::None) return result;
    if (command->takes == Command::Argument::File || command->takes == Command::Argument::Other) {
      namespace fs = std::filesystem;
      result.begin = before.find_last_of(" \t/") + 1;
      const std::string folder = before.substr(space + 1, result.begin - space - 1);
      const std::string typed = before.substr(result.begin);
      std::error_code code;
      for (const auto& item : fs::directory_iterator(folder.empty() ? "." : folder, code)) {
        const std::string name = item.path().filename().string();
        const bool isFolder = item.is_directory(code);
        if (!name.starts_with(typed) || name.starts_with('.')) continue;
        if (isFolder || name.ends_with(".rl")) result.words.push_back(isFolder ? name + "/" : name);
      }
      std::sort(result.words.begin(), result.words.end());
      return result;
    }
    if (command->takes == Command::Argument::Device) {
      result.begin = space + 1;
      for (const char* device : {"auto", "cpu", "gpu", "interp"})
        if (std::string_view(device).starts_with(before.substr(result.begin)))
          result.words.emplace_back(device);
      return result;
    }
    // An expression: the command before it is blank to what completes it, with as many bytes.
    expression = std::string(space, ' ') + before.substr(space);
  } else if (start != std::string::npos && before[start] == '?') {
    expression[start] = ' ';
  }
  if (!assist_) assist_ = std::make_unique<Assist>(options_.library);
  return assist_->complete(session_.source(), expression);
}

}  // namespace rlc::repl
