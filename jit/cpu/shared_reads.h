// Arrays that all chunks of a parallel loop read and that change between its runs: the weights of a
// network, say, which the thread that runs the program has changed since the others read them.
#pragma once

#include <vector>

#include "compiler/loops/ir.h"

namespace rlc::cpu {

struct SharedReads {
  std::vector<loops::BufferId> buffers;
  int64_t bytes = 0;

  // Whether each thread does well to fetch them before it begins: a core's own cache holds them.
  bool fit() const;
  // From so many operations of the parallel loop on it is worth other threads. Where they read what
  // another core has written they wait for it, and that core for what they have computed from it.
  int64_t worthThreads() const;
};

// Those of the arena that are read at the same points whichever chunk and lane it is, and are more
// than a few lines each. `around`: the innermost sequential loop around the parallel one, which
// changes them; null: none.
SharedReads sharedReads(const loops::Program& program, const loops::Stmt& parallel,
                        const loops::Stmt* around);

}  // namespace rlc::cpu
