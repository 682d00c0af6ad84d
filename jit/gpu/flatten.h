// Nests of loops over a statement's elements become one loop over lanes, so that a block's threads
// share a whole matrix rather than one row after the other.
#pragma once

#include "compiler/loops/ir.h"

namespace rlc::gpu {

// The same program; what its variables are called stays.
loops::Program flattenElements(const loops::Program& program);

}  // namespace rlc::gpu
