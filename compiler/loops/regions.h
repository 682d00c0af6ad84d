// Parts of a program that a profile tells apart: the outermost loops below those that only order
// them, such as the iterations of training.
#pragma once

#include <vector>

#include "compiler/loops/ir.h"

namespace rlc::loops {

// Numbers them (Stmt::region), in the order in which they run.
void numberRegions(Program& program);

// [number]; the statements belong to the program.
std::vector<const Stmt*> regionsOf(const Program& program);

}  // namespace rlc::loops
