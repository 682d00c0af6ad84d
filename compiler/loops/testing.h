// Loop programs by hand, for this folder's tests.
#pragma once

#include <memory>
#include <utility>

#include "compiler/loops/ir.h"

namespace rlc::loops::testing {

inline Expr at(VarId var) { return variable(var, DType::I64); }

inline Block block(StmtPtr stmt) {
  Block result;
  result.push_back(std::move(stmt));
  return result;
}

// A loop over var in lo..hi around a body.
inline StmtPtr loop(VarId var, Expr lo, Expr hi, Block body) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = Stmt::Kind::For;
  stmt->var = var;
  stmt->lo = std::move(lo);
  stmt->hi = std::move(hi);
  stmt->body = std::move(body);
  return stmt;
}
inline StmtPtr loop(VarId var, Expr lo, Expr hi, StmtPtr body) {
  return loop(var, std::move(lo), std::move(hi), block(std::move(body)));
}

inline StmtPtr when(Expr condition, StmtPtr body) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = Stmt::Kind::If;
  stmt->value = std::move(condition);
  stmt->body = block(std::move(body));
  return stmt;
}

}  // namespace rlc::loops::testing
