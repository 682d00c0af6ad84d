// How often each statement of a program runs, found without running it.
#pragma once

#include <unordered_map>

#include "compiler/loops/ir.h"

namespace rlc::loops {

struct Count {
  double times = 0;
  double doubtful = 0;  // of these, as if they ran: in loops that may be left early, and under
                        // conditions on data outside lanes (which compute both sides)
  bool exact =
      true;  // false: a loop's bounds around it depend on data, and it was counted as one iteration
};

// [statement]; those that never run may be missing. Exact where the bounds and conditions around a
// statement are comparisons of expressions that are affine in the loops' variables, also modulo
// constants, and the sums over loops are of polynomials of degree 3 at most.
using Executions = std::unordered_map<const Stmt*, Count>;

Executions executionsOf(const Program& program);

}  // namespace rlc::loops
