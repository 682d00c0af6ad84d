// Conditions that a loop does not change stand around it, once, and what they guard side by side
// stands together:
//   for k: { if c: a }             becomes   if c: { for k: a }
//   if c: a   if c: b              becomes   if c: { a; b }
// so that nests of loops are what tiling looks for, nothing is asked in each iteration, and threads
// are not called for what has nothing to do.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Changes the program in place: the loops that threads or lanes share, and those inside Lanes
// loops.
void hoistConditions(loops::Program& program);

}  // namespace rlc::cpu
