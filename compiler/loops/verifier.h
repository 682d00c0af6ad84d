// What every loop program promises to its targets; checked in tests and debug builds.
#pragma once

#include <string>
#include <vector>

#include "compiler/loops/ir.h"

namespace rlc::loops {

// Descriptions of what is wrong, empty for a valid program: every variable is defined where it is
// read; types agree; buffers lie in the arena, at multiples of 64 bytes; constants and parameters
// are not written; an Exit leaves an enclosing sequential loop that starts in the same lane and
// thread; values are emitted by sequential code only.
std::vector<std::string> verify(const Program& program);

// Throws InternalError with the first problem and the statement's text.
void requireValid(const Program& program);

}  // namespace rlc::loops
