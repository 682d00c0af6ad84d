// The prompt: reads inputs, gives them to the session or to a command, shows what comes of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/repl/assist.h"
#include "tools/repl/evaluate.h"
#include "tools/repl/line_reader.h"
#include "tools/repl/result.h"
#include "tools/repl/session.h"

namespace rlc::repl {

struct ReplOptions {
  std::string library;
  std::string file;  // to begin with; may be empty
  std::vector<std::pair<std::string, std::string>> params;
  EvaluateOptions evaluate;
  bool echo = false;
};

class Repl {
 public:
  explicit Repl(ReplOptions options);

  // Until the end of the input or `:quit`. 0; 1: an input from a pipe was wrong.
  int run();

 private:
  friend struct Command;  // the table of commands: command.cpp

  void handle(const std::string& input);
  void define(std::vector<EntryPtr> entries);
  void showChange(const Session::Change& change);
  void evaluateExpression(Session::Input& input);
  void runSinks(std::vector<EntryPtr> sinks);
  void runProgram(tools::LoadedProgram& loaded);  // what its sinks show
  // Shows why not where it returns null.
  std::unique_ptr<tools::LoadedProgram> programOf(const std::string& expression);
  // False: stopped, or too large; said.
  bool compute(const pdg::Graph& graph, Recording& recording);
  void show(const diagnostics::DiagnosticSink& sink, const diagnostics::SourceMap& sources);
  void complain(const std::string& words);
  Completions complete(const std::string& before);
  std::string prompt() const;
  std::string factsOf(const std::string& name) const;  // type and domain, value, range: lines
  ShowStyle style() const;

  // Of commands: repl_commands.cpp
  void load(const std::string& path);
  void timeExpression(const std::string& text);
  void plot(const std::string& text);
  void setParam(const std::string& text);

  ReplOptions options_;
  Session session_;
  std::unique_ptr<Assist> assist_;  // made when it is needed
  std::unique_ptr<LineReader> reader_;
  std::vector<std::string> files_;  // that were loaded
  Evaluation last_;
  bool evaluated_ = false, quit_ = false, terminal_ = false, wrong_ = false;
  int inputs_ = 0;
};

}  // namespace rlc::repl
