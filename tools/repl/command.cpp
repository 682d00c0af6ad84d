#include "tools/repl/command.h"

#include <charconv>
#include <fstream>
#include <iostream>

#include "compiler/diagnostics/kinds.h"
#include "compiler/format/format.h"
#include "compiler/passes/pipeline.h"
#include "compiler/pdg/printer.h"
#include "compiler/schedule/printer.h"
#include "jit/native/native_program.h"

namespace rlc::repl {

namespace {

std::string typeText(const pdg::Graph& graph, const pdg::Read& read) {
  const pdg::Node& node = graph.node(read.producer);
  const pdg::Printer printer(graph);
  std::string text(name(node.type));
  for (size_t i = 0; i < node.shape.size(); ++i)
    text += (i == 0 ? "[" : ", ") + printer.expr(node.shape[i]);
  return text + (node.shape.empty() ? "" : "]");
}

std::string typeText(const pdg::Graph& graph, const pdg::SinkValue& value) {
  if (const auto* read = std::get_if<pdg::Read>(&value.node)) return typeText(graph, *read);
  std::string text;
  if (const auto* fields = std::get_if<1>(&value.node)) {
    for (const auto& [name, field] : *fields)
      text += (text.empty() ? "{ " : ", ") + name + ": " + typeText(graph, field);
    return text + " }";
  }
  for (const pdg::SinkValue& part : std::get<2>(value.node))
    text += (text.empty() ? "(" : ", ") + typeText(graph, part);
  return text + ")";
}

bool isNumber(const std::string& text, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

void describe(const Command& command) {
  std::cout << ":" << command.name << " " << command.argument << "\n" << command.help << "\n";
}

void listCommands() {
  std::cout << "An item (`x[t+1] = ...`, `param n = 3`, `fn ...`) is kept, and takes the place of "
               "its namesake;\n"
               "an expression is evaluated over its domain. `?name` explains a name.\n\n";
  for (const Command& command : Command::all()) {
    const std::string left = ":" + std::string(command.name) + " " + std::string(command.argument);
    std::cout << "  " << left << std::string(left.size() < 22 ? 22 - left.size() : 1, ' ')
              << command.help << "\n";
  }
}

}  // namespace

const Command* Command::find(std::string_view name) {
  for (const Command& command : all())
    if (command.name == name) return &command;
  // A beginning is enough where it is the only one.
  const Command* found = nullptr;
  for (const Command& command : all()) {
    if (name.empty() || !command.name.starts_with(name)) continue;
    if (found != nullptr) return nullptr;
    found = &command;
  }
  return found;
}

std::span<const Command> Command::all() {
  static const Command table[] = {
      {"help", "[NAME]", "this list, or what a name, a word or an error code means", Argument::Name,
       [](Repl& repl, const std::string& name) {
         if (name.empty()) return listCommands();
         std::string word = name;
         if (word.starts_with(':')) word.erase(0, 1);
         const Command* command = find(word);
         if (command != nullptr && word != name) return describe(*command);
         if (const auto kind = diagnostics::kindOfCode(name)) {
           const auto& info = diagnostics::info(*kind);
           std::cout << info.code << ": " << info.title << "\n" << info.explanation << "\n";
           return;
         }
         if (!repl.assist_) repl.assist_ = std::make_unique<Assist>(repl.options_.library);
         const std::string text = repl.assist_->help(repl.session_.source(), name);
         if (text.empty() && command != nullptr) return describe(*command);
         if (text.empty()) return repl.complain("nothing is known of `" + name + "`");
         std::cout << text << repl.factsOf(name);
       }},
      {"type", "EXPRESSION", "its type, and the indices that it varies over", Argument::Expression,
       [](Repl& repl, const std::string& text) {
         const auto loaded = repl.programOf(text);
         if (!loaded) return;
         const pdg::Graph& graph = loaded->program->graph;
         for (const pdg::Sink& sink : graph.sinks()) {
           std::cout << typeText(graph, sink.value);
           for (size_t i = 0; i < sink.dims.size(); ++i)
             std::cout << (i == 0 ? " over " : ", ") << graph.dim(sink.dims[i]).name;
           std::cout << "\n";
         }
       }},
      {"domain", "EXPRESSION", "the points at which it is defined", Argument::Expression,
       [](Repl& repl, const std::string& text) {
         const auto loaded = repl.programOf(text);
         if (!loaded) return;
         const pdg::Graph& graph = loaded->program->graph;
         for (const pdg::Sink& sink : graph.sinks())
           std::cout << sink.domain.toString(graph.namer()) << "\n";
       }},
      {"graph", "[EXPRESSION]", "the dependence graph of an expression, or of the program",
       Argument::Expression,
       [](Repl& repl, const std::string& text) {
         const auto loaded = text.empty() ? repl.session_.whole() : repl.programOf(text);
         if (loaded && loaded->program) std::cout << pdg::print(loaded->program->graph);
       }},
      {"schedule", "[EXPRESSION]", "the loops that compute it", Argument::Expression,
       [](Repl& repl, const std::string& text) {
         const auto loaded = text.empty() ? repl.session_.whole() : repl.programOf(text);
         if (!loaded || !loaded->program) return;
         pdg::Graph graph = loaded->program->graph;
         if (graph.sinks().empty())
           return repl.complain("the program shows nothing: name an expression");
         passes::runPasses(graph, {});
         cpu::CompileOptions compile;
         compile.cache = false;
         const native::NativeProgram program(graph, compile);
         std::cout << schedule::print(program.graph(), program.statements(), program.schedule());
       }},
      {"time", "EXPRESSION", "how long it takes, in the interpreter and as native code",
       Argument::Expression,
       [](Repl& repl, const std::string& text) { repl.timeExpression(text); }},
      {"plot", "EXPRESSION [> FILE]", "a chart; in a .svg or .png file by gnuplot",
       Argument::Expression, [](Repl& repl, const std::string& text) { repl.plot(text); }},
      {"list", "", "the definitions of this session", Argument::None,
       [](Repl& repl, const std::string&) { std::cout << repl.session_.source(); }},
      {"forget", "NAME", "drop what defines a name", Argument::Name,
       [](Repl& repl, const std::string& name) {
         Session::Change change;
         if (!repl.session_.forget(name, change))
           return repl.complain("nothing defines `" + name + "`");
         repl.showChange(change);
       }},
      {"undo", "", "take the last change of the definitions back", Argument::None,
       [](Repl& repl, const std::string&) {
         if (!repl.session_.undo()) repl.complain("there is nothing to take back");
       }},
      {"clear", "", "forget everything", Argument::None,
       [](Repl& repl, const std::string&) {
         repl.session_.clear();
         repl.files_.clear();
       }},
      {"load", "FILE", "add the items of a program", Argument::File,
       [](Repl& repl, const std::string& path) {
         if (path.empty()) return repl.complain("`:load` takes a file");
         repl.load(path);
       }},
      {"reload", "", "read again what was loaded", Argument::None,
       [](Repl& repl, const std::string&) {
         if (repl.files_.empty()) return repl.complain("nothing has been loaded");
         for (const std::string& path : std::vector<std::string>(repl.files_)) repl.load(path);
       }},
      {"save", "FILE", "write the definitions as a program", Argument::File,
       [](Repl& repl, const std::string& path) {
         if (path.empty()) return repl.complain("`:save` takes a file");
         std::ofstream out(path, std::ios::binary);
         out << format::layOut(repl.session_.source()) << std::flush;
         if (!out) return repl.complain("can't write `" + path + "`");
       }},
      {"run", "", "everything that the program prints, reports and saves", Argument::None,
       [](Repl& repl, const std::string&) {
         const auto loaded = repl.session_.whole();
         repl.show(loaded->sink, loaded->sources);
         if (loaded->program) repl.runProgram(*loaded);
       }},
      {"set", "[NAME=VALUE]", "another value of a param (`NAME=`: its own again); the values set",
       Argument::Param, [](Repl& repl, const std::string& text) { repl.setParam(text); }},
      {"seed", "[N]", "the seed of all draws", Argument::Other,
       [](Repl& repl, const std::string& text) {
         uint64_t& seed = repl.options_.evaluate.settings.seed;
         if (text.empty()) {
           std::cout << seed << "\n";
           return;
         }
         uint64_t value = 0;
         if (!isNumber(text, value))
           return repl.complain("a seed is an integer from 0 to 18446744073709551615, not `" +
                                text + "`");
         seed = value;
       }},
      {"device", "[NAME]", "what evaluates: auto, interp, cpu or gpu", Argument::Device,
       [](Repl& repl, const std::string& text) {
         std::string& device = repl.options_.evaluate.device;
         if (text.empty()) {
           std::cout << device << "\n";
           return;
         }
         for (const char* known : {"interp", "cpu", "gpu", "auto"}) {
           if (text != known) continue;
           device = text;
           return;
         }
         repl.complain("there is no device `" + text + "`: interp, cpu, gpu or auto");
       }},
      {"quit", "", "the end of the session; Ctrl-D, too", Argument::None,
       [](Repl& repl, const std::string&) { repl.quit_ = true; }},
  };
  return table;
}

}  // namespace rlc::repl
