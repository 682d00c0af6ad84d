// What is explained: a program after each step of its compilation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/diagnostics/source_map.h"
#include "compiler/explain/changes.h"
#include "compiler/explain/equations.h"
#include "compiler/passes/pipeline.h"
#include "jit/native/native_program.h"

namespace rlc::explain {

// One run of a pass.
struct PassStep {
  passes::PassRun run;
  int repetition = 1;  // the how manieth run of this pass
  GraphChange change;
  std::vector<passes::Note> notes;  // the run's, but for what an earlier run was kept from as well
};

// Where to stop: before or after a run of a pass. "" for neither; "simplify" is its first run,
// "simplify:2" its second.
struct Moment {
  std::string before, after;
  bool given() const { return !before.empty() || !after.empty(); }
};

struct Subject {
  const diagnostics::SourceMap* sources = nullptr;
  diagnostics::FileId entry = -1;
  EquationPlaces places;
  std::vector<diagnostics::FileId> files;  // with the places, the program's own first
  pdg::Graph elaborated;                   // with gradients as equations
  pdg::Graph graph;                        // at the moment asked for; else as the last pass left it
  std::vector<PassStep> passes;            // up to that moment
  std::unique_ptr<native::NativeProgram> program;  // compiled from `graph`

  Subject(const diagnostics::SourceMap& sources, diagnostics::FileId entry, EquationPlaces places,
          const pdg::Graph& graph);
  bool shows(diagnostics::FileId file) const;  // whether it is one of `files`
};

// Runs the passes (but the disabled ones) up to the moment; `compare`: notes what each one changed,
// which takes longer than the passes. Returns "" or why there is no such moment.
std::string runPasses(Subject& subject, const Moment& moment,
                      const std::vector<std::string>& disabled, bool compare = true);
// Schedules, and compiles within a limit, for the processor or for what `make` makes; without a
// limit for the processor, when something asks about native code. Throws native::DoesNotFit.
void compile(Subject& subject, const native::MemoryLimit& limit = {},
             const native::MachineMaker& make = {});

// Where the statement comes from in the files shown: its equation; else the tensor's.
diagnostics::Span spanOf(const Subject& subject, const Equations& equations,
                         const schedule::Statement& statement);

// What names a line on a page: "24" of the program's own file, "std/algorithms/ppo.rl:24" of
// others; "" for what no page lists.
std::string lineKey(const Subject& subject, diagnostics::Span span);
// "reinforce.rl:24", or "" for what has no place.
std::string placeText(const Subject& subject, diagnostics::Span span);
// The text of the span's first line, without the space around it.
std::string lineText(const Subject& subject, diagnostics::Span span);

}  // namespace rlc::explain
