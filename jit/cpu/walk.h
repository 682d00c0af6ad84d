// Visitors over the loop IR that several files of the code generator need.
#pragma once

#include <functional>
#include <optional>

#include "compiler/loops/ir.h"

namespace rlc::cpu {

// Every statement, outer before inner.
void forEachStmt(const loops::Block& block, const std::function<void(const loops::Stmt&)>& visit);

// The expressions that a statement evaluates itself (not its body's).
void forEachExpr(const loops::Stmt& stmt, const std::function<void(const loops::Expr&)>& visit);

// `e` and every expression below it, each shared node once.
void forEachNode(const loops::Expr& e, const std::function<void(const loops::ExprNode&)>& visit);

bool mentions(const loops::Expr& e, loops::VarId var);
std::optional<int64_t> constantOf(const loops::Expr& e);  // of an I64 literal
std::optional<int64_t> tripCount(const loops::Stmt& loop);

// Whether two buffers may share bytes of the arena, or are the same.
bool mayOverlap(const loops::Program& program, loops::BufferId a, loops::BufferId b);

// Scalar operations of a statement itself, without its body.
double ownOperations(const loops::Stmt& stmt);

// Scalar operations that the block executes, loops of unknown length counted as 16 iterations.
double countOperations(const loops::Block& block);

}  // namespace rlc::cpu
