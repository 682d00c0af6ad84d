// The list of passes and how it is run.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/passes/notes.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

// A pass may run more than once; each run is a row.
struct Pass {
  std::string_view name;  // as in --disable-pass=NAME
  std::string_view why;
  void (*run)(pdg::Graph&, Notes&);
  // Several points of the program become one, which can't tell a fault's line or point for each.
  bool mergesPoints = false;
};

const std::vector<Pass>& pipeline();
std::vector<std::string> passNames();  // each once, in order of first use
// What is left out where each fault is to be told at its own line and point.
std::vector<std::string> passesThatMergePoints();

// What one run of a pass came to.
struct PassRun {
  std::string_view name;
  double seconds = 0;
  int nodesBefore = 0, nodesAfter = 0;
  Notes notes;
};

struct PassReport {
  std::vector<PassRun> runs;
};

struct PassOptions {
  std::vector<std::string> disabled;  // names of the pipeline's passes
  bool verifyEach = false;            // an unsound graph after a pass: InternalError with its name
  // Called after each run, with the graph as it was before and is now.
  std::function<void(const PassRun&, const pdg::Graph& before, const pdg::Graph& after)> observer;
};

// "", or "there is no pass `fold`: did you mean `fold-constants`?"
std::string unknownPass(const std::string& name);

// Transforms the graph, whose gradients have been taken (no Grad nodes), into one that shows the
// same at every sink. `disabled` has no unknown names.
PassReport runPasses(pdg::Graph& graph, const PassOptions& options = {});

}  // namespace rlc::passes
