// Loop programs as readable text, for `rlc explain` and for tests.
#pragma once

#include <string>
#include <vector>

#include "compiler/loops/ir.h"

namespace rlc::loops {

// A line for each buffer, then the statements, indented by their loops:
//   parallel i in 0..64:  # b
//     lanes j in 0..32:
//       y[i * 32 + j] = x[j] * 2
std::string print(const Program& program);
std::string print(const Program& program, const Expr& e);
std::string print(const Program& program, const Stmt& statement);  // with what is inside
std::vector<std::string> bufferNames(const Program& program);  // [buffer], made unique by numbers

}  // namespace rlc::loops
