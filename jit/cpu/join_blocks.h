// Blocks of twice as many lanes, where an iteration waits for the one before:
//   parallel b: lanes i in block b: for t: step(i)
// becomes
//   parallel p: lanes i in blocks 2 p and 2 p + 1: for t: step(i)
// A step is a chain of operations, and what few of its lanes draw is a chain of its own whose
// length does not depend on the lanes: more of them share it. Blocks that are long as they are get
// a constant length.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Whether what the lanes of a loop keep goes through a loop of theirs, without others inside.
bool waitsForItself(const loops::Program& program, const loops::Stmt& lanes);

// Blocks of `width` lanes, which are enough for many threads. Changes the program in place.
void joinBlocks(loops::Program& program, int width);

}  // namespace rlc::cpu
