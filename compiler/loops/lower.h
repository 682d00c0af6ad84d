// From a scheduled graph with storage to loop IR.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "compiler/loops/ir.h"
#include "compiler/schedule/storage.h"

namespace rlc::loops {

// The positions of the program's text at which a buffer holds something: first to last, both
// included.
struct Lifetime {
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = -1;
  bool empty() const { return last < first; }
  void include(int64_t position);
  bool overlaps(const Lifetime& other) const { return first <= other.last && other.first <= last; }
};

// A position: a statement of the program's body or of one of its outermost sequential loops.
struct Moment {
  std::vector<Span> spans;  // the source that runs there, each once
  int loop =
      -1;  // number of the outermost loop that it is in, counted from the program's beginning
  std::string loopName;
};

struct MemoryPlan {
  std::vector<Moment> moments;
  std::vector<Lifetime> lifetimes;  // [buffer]
  std::vector<bool> mapped;         // [buffer] behind Program::residentBytes
};

struct Lowered {
  Program program;
  MemoryPlan memory;
  std::vector<schedule::Storage> storage;  // [node]
  std::vector<BufferId> bufferOf;          // [node]; -1: no storage
  std::vector<int64_t> parameterOffset;    // [param] in the parameter block
};

struct LowerOptions {
  bool findNan =
      false;  // the program stops, with a fault to `watch`, where the first NaN would be stored
};

// Lowers everything and plans the arena.
Lowered lower(const pdg::Graph& graph, const schedule::Statements& statements,
              const schedule::Schedule& schedule, std::vector<schedule::Storage> storage,
              const LowerOptions& options = {});

}  // namespace rlc::loops
