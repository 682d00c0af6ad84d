// Loop programs as readable text, for `rlc explain` and for tests.
#pragma once

#include <string>

#include "compiler/loops/ir.h"

namespace rlc::loops {

// A line for each buffer, then the statements, indented by their loops:
//   parallel i in 0..64:  # b
//     lanes j in 0..32:
//       y[i * 32 + j] = x[j] * 2
std::string print(const Program& program);
std::string print(const Program& program, const Expr& e);

}  // namespace rlc::loops
