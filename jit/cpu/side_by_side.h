// Two parallel loops of a sequential loop's iteration that need nothing of each other, such as the
// losses of two critics, run side by side:
//   for u: a: parallel b in 0..B; c; d: parallel b in 0..B
// becomes
//   for u: c; a: parallel b in 0..B; d: parallel b in 0..B  [besideLast]
// whose chunks threads share as if they were one loop's, the first one's in front. Two threads have
// a loop each, and what each reads and writes stays in its core's caches from iteration to
// iteration; sixteen share 2 B chunks where they met twice for B each. Sections (sections.h) are
// for loops that are not worth dividing further. What stands beside what is decided here, so
// results don't depend on the number of threads.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place: bodies of sequential loops, after all that looks for loops in them
// or moves statements.
void runSideBySide(loops::Program& program);

}  // namespace rlc::cpu
