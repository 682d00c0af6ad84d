// Two parts of an iteration that need nothing of each other, such as the updates of an actor and of
// its critic, a thread each:
//   for u: common; a; parallel A; b; parallel B; rest
// becomes
//   for u: common; parallel s in 0..2: if s == 0: { a; parallel A } else: { b; parallel B }; rest
// where each of the two loops is too short to be worth a second thread: each thread would fetch all
// weights, and all parts of the gradients, that the other one has written; here it keeps its own.
// So does what stands in front of the parts or behind them and belongs to one of them: an
// optimizer's step. The loops inside are not shared by threads any more. What a part is is decided
// here, so results don't depend on the number of threads.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place: bodies of sequential loops, after all that looks for loops in them.
void makeSections(loops::Program& program);

// Whether a parallel loop is one that makeSections has made.
bool isSections(const loops::Stmt& loop);

}  // namespace rlc::cpu
