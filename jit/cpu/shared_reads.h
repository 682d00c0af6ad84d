// Arrays that all chunks of a parallel loop read: the weights of a network, say, which the thread
// that runs the program has changed since the others read them.
#pragma once

#include <vector>

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Those of the arena that each thread does well to fetch before it begins: read at the same points
// whichever chunk and lane it is, more than a few lines each, no more than a core's own cache holds
// together. None where they are more.
std::vector<loops::BufferId> sharedReads(const loops::Program& program,
                                         const loops::Stmt& parallel);

}  // namespace rlc::cpu
