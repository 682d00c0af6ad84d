// Visitors over the loop IR that several files of the code generator need.
#pragma once

#include <functional>
#include <optional>

#include "compiler/loops/expressions.h"

namespace rlc::cpu {

// The loop IR's words, for the files that walk or rewrite it.
using loops::Block;
using loops::Buffer;
using loops::BufferId;
using loops::Expr;
using loops::ExprNode;
using loops::forEachNode;
using loops::mentions;
using loops::mentionsAny;
using loops::Program;
using loops::Stmt;
using loops::StmtPtr;
using loops::VarId;

// Every statement, outer before inner.
void forEachStmt(const Block& block, const std::function<void(const Stmt&)>& visit);

// The expressions that a statement evaluates itself (not its body's).
void forEachExpr(const Stmt& stmt, const std::function<void(const Expr&)>& visit);

// Whether any expression in the block mentions the variable.
bool mentions(const Block& block, VarId var);

std::optional<int64_t> constantOf(const Expr& e);  // of an I64 literal
std::optional<int64_t> tripCount(const Stmt& loop);

// Whether the code generator finds the place that it is stored at.
bool isPlaced(const Buffer& buffer);

int64_t bytesOf(const Buffer& buffer);

// Whether a tensor's bytes are behind those that are memory.
bool isInFile(const Program& program, const Buffer& buffer);

// Whether two buffers may share bytes of the arena, or are the same.
bool mayOverlap(const Program& program, BufferId a, BufferId b);

// A sequential loop that goes upward and is none of the schedule's roots.
bool isUpward(const Stmt& loop);

// Which of a call's arguments says how many elements it works on.
size_t lengthArgument(const Stmt& call);

// A condition without an alternative that is no region of its own.
bool isGuard(const Stmt& stmt);

// Whether literals, operations and such variables alone say what `e` is.
bool isSaidBy(const Expr& e, const std::function<bool(VarId)>& which);

// Scalar operations of a statement itself, without its body.
double ownOperations(const Stmt& stmt);

// Scalar operations that the block executes, loops of unknown length counted as 16 iterations.
double countOperations(const Block& block);

}  // namespace rlc::cpu
