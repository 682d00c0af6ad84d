// The kernels of a loop program: its outermost parallel and lanes loops, and the stretches in
// between that run in order.
#pragma once

#include <string>
#include <vector>

#include "compiler/explain/subject.h"

namespace rlc::explain {

struct Kernel {
  std::string loops;  // around it: "for i"
  std::string shape;  // its own: "threads blocks of b > lanes b > for t"; "" for what runs in order
  std::vector<const loops::Stmt*> statements;  // one loop, or what runs in order up to the next one
  std::vector<loops::BufferId> reads, writes;
  std::vector<diagnostics::Span>
      spans;  // of the program's own equations that it runs, in its order
  int stores = 0, draws = 0, operations = 0;
};

std::vector<Kernel> kernelsOf(const Subject& subject);

}  // namespace rlc::explain
