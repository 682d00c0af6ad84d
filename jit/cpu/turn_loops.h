// A loop of updates begins where two parts that need nothing of each other begin, so that all of an
// iteration that belongs to one of them stands together (sections.h):
//   for u: once;  [u > lo] steps of A and B;  A; B;  both(A, B);  of A; of B
// whose `once` is for u == lo alone, becomes
//   once
//   for u: [u > lo] { both(A, B); of A; of B } of the iteration before;  steps of A and B;  A; B
// So the optimizers' steps, which use what a factor for all gradients has made of these, are not
// separate from them, nor from the updates that read the new weights: of three meetings of the
// threads in an iteration one is left.
#pragma once

#include "compiler/loops/ir.h"
#include "jit/cpu/rewrite.h"

namespace rlc::cpu {

// Turns the loop at `at` if its last iteration does no more than finish what the one before has
// begun: updates are computed an iteration after what they are made of. `around`: what is known of
// the variables of the loops around it. Where the loop stands then.
size_t turnLoop(loops::Program& program, loops::Block& block, size_t at, const Ranges& around);

}  // namespace rlc::cpu
