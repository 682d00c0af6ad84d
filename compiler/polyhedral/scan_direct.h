// Loop nests without isl's AST generator, for the common case. Internal to this folder.
#pragma once

#include "compiler/polyhedral/scan.h"

namespace rlc::polyhedral {

// Null unless every schedule is a shift of the statement's variables and constants, in some order,
// and at every time dimension the statements either share one interval or have constant intervals
// apart. Then no guard is needed, and finding the loops takes microseconds where the AST generator
// takes milliseconds.
std::unique_ptr<ScanNode> scanDirectly(Context& context,
                                       const std::vector<ScheduledStatement>& statements,
                                       const std::vector<Var>& loopVars);

}  // namespace rlc::polyhedral
