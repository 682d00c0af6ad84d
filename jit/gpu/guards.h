// What statements do nothing without: told before anything else, by the host where it can.
#pragma once

#include <vector>

#include "compiler/loops/ir.h"

namespace rlc::gpu {

// Conditions on `variables` alone that all of what the statements do depends on: each false one
// makes them do nothing.
std::vector<loops::Expr> commonGuards(const std::vector<const loops::Stmt*>& statements,
                                      const std::vector<loops::VarId>& variables);

// Copies of the statements for where the conditions hold.
loops::Block under(const std::vector<loops::Expr>& guards,
                   const std::vector<const loops::Stmt*>& statements);

// Conditions that all of a loop depends on stand around it, once.
loops::Program hoistGuards(const loops::Program& program);

}  // namespace rlc::gpu
