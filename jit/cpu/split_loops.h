// Loops whose bodies ask where in the loop they are: what runs from the second step on, or up to
// the last but one.
//   for t in 0..n: { if t == 0: a; if t > 0: b; if t < n - 1: c }
// becomes
//   for t in 0..1: { a; c }   for t in 1..n-1: { b; c }   for t in n-1..n: b
// so that a step is one stretch of code, whose values stay in registers.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place.
void splitLoops(loops::Program& program);

}  // namespace rlc::cpu
