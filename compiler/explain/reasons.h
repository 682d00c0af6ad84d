// Why loops run in order: what would have to be different for all points of an index to be computed
// at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/explain/subject.h"

namespace rlc::explain {

struct Reason {
  std::string text;    // "`G` is not vectorized along t: `G[t]` reads `G[t + 1]`"
  std::string brief;   // "`G[t]` reads `G[t + 1]`"
  std::string tensor;  // "G"; none for what is shown
  diagnostics::Span span = {};
};

// For each loop of the schedule that runs in order, what forces it to; a tensor's leaves are one
// reason.
std::map<const schedule::ScheduleNode*, std::vector<Reason>> orderReasons(const Subject& subject);

// Changes of one element that are computed at every element all the same.
std::vector<Reason> copiedUpdateNotes(const Subject& subject);

// What is computed a second time, where it is read later, to keep less: a memory limit asks for it.
std::vector<Reason> recomputedNotes(const Subject& subject);

// orderReasons as a list, each once, in the order of the loops.
std::vector<Reason> vectorizationNotes(const Subject& subject);

}  // namespace rlc::explain
