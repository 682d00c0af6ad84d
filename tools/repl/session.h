// The program that a session has built up: definitions entered one by one, redefined, waiting for
// what they lack; and the programs that expressions are evaluated in.
//
// An equation takes the place of the one with the same left side (`s[t+1] = ...`); what else
// defines a name anew takes the place of all that defined it. Where the new equation contradicts
// others of its name (a point defined twice, another type), these go, too. An equation that reads
// what is not defined yet waits; so does what a new definition breaks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/program.h"
#include "tools/repl/definitions.h"

namespace rlc::repl {

class Session {
 public:
  explicit Session(std::string library) : library_(std::move(library)) {}

  // A text that was entered, or a file's.
  struct Input {
    std::unique_ptr<tools::LoadedProgram> checked;  // its sink has the syntax errors
    std::vector<EntryPtr> entries;                  // definitions and sinks, in order
    syntax::ExprPtr expression;                     // of a text that is one
    std::string text;                               // of the expression, on one line
  };
  Input read(const std::string& name, std::string text, const std::string& origin = "");

  struct Change {
    std::unique_ptr<tools::LoadedProgram> program;   // what it came to; null where nothing changed
    std::unique_ptr<tools::LoadedProgram> problems;  // why some could not be taken; may be null
    std::vector<EntryPtr> accepted, waiting, rejected;  // of the new entries
    std::vector<EntryPtr> replaced, broken, resumed;    // of those that were there
  };
  // `file`: where they were read from: what came from it before goes, and what is wrong in it waits
  // to be mended.
  Change define(std::vector<EntryPtr> fresh, const std::string& file = "");
  // Every definition of a name; those that need it wait. False: there is none.
  bool forget(const std::string& name, Change& change);
  void clear();
  bool undo();  // the last define(), forget() or clear()

  // The part of the program that an expression, or sinks that were entered, need; not elaborated
  // where the sink has errors.
  std::unique_ptr<tools::LoadedProgram> withExpression(Input& input) const;
  std::unique_ptr<tools::LoadedProgram> withSinks(std::vector<EntryPtr> sinks) const;
  // Everything that is complete, with its sinks.
  std::unique_ptr<tools::LoadedProgram> whole() const;

  // name=value of a param, from now on. `set` may be empty: what was set is unset.
  void setParam(const std::string& name, const std::string& value);
  const std::vector<std::pair<std::string, std::string>>& params() const { return params_; }

  bool empty() const { return slots_.empty(); }
  bool defines(std::string_view name) const;
  std::string source() const;         // a program: definitions in order, those that wait at the end
  std::string waitingSource() const;  // those that wait

 private:
  struct Slot {
    EntryPtr entry;
    bool waits = false;
  };
  using Slots = std::vector<Slot>;

  std::unique_ptr<tools::LoadedProgram> elaborate(const std::vector<EntryPtr>& entries,
                                                  syntax::Item* last) const;
  std::vector<EntryPtr> neededBy(std::set<std::string, std::less<>> names) const;
  Change settle(Slots& slots, const std::vector<EntryPtr>& fresh, bool fromFile) const;
  void commit(Slots slots);

  std::string library_;
  diagnostics::SourceMap sources_;  // of all that was entered; what is imported goes to copies
  Slots slots_;
  std::vector<Slots> past_;
  std::vector<std::pair<std::string, std::string>> params_;
};

}  // namespace rlc::repl
