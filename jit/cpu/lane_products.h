// Sums of products of which each lane has both factors, such as a gradient by weights that all
// lanes share, x[lane, k] * y[lane, m]: nothing that is loaded serves more than one lane.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Whether a good part of what a Lanes loop adds up in loops is of this kind. A second register for
// each value is one more load for such a sum, and twice as many bytes that should stay near.
bool multipliesLanes(const loops::Program& program, const loops::Stmt& lanes);

}  // namespace rlc::cpu
