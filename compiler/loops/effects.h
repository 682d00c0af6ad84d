// What a statement reads and writes, and whether another one may run before it.
#pragma once

#include <set>

#include "compiler/loops/ir.h"

namespace rlc::loops {

struct Effects {
  std::set<BufferId> reads, writes;
  std::set<VarId> uses, binds;
  bool barrier = false;  // nothing may pass it: what is behind it need not run, or the host reads
};

// Adds what another statement reads and writes.
void include(Effects& effects, const Effects& other);

// Of the statement with all that is inside of it.
Effects effectsOf(const Stmt& stmt);

// Whether the two statements may change places.
bool commute(const Effects& a, const Effects& b);

}  // namespace rlc::loops
