// Loop programs in a few words, for tests.
#pragma once

#include <string>
#include <utility>

#include "compiler/loops/ir.h"

namespace rlc::gpu {

using loops::Buffer;
using loops::Expr;
using loops::index;
using loops::Program;
using loops::Stmt;
using loops::StmtPtr;

inline Expr var(loops::VarId id) { return loops::variable(id, DType::I64); }

inline Buffer arena(const char* name, int64_t elements, int64_t offset) {
  Buffer buffer;
  buffer.name = name;
  buffer.elements = elements;
  buffer.offset = offset;
  return buffer;
}

inline StmtPtr statement(Stmt::Kind kind, loops::BufferId buffer, Expr at, Expr value) {
  auto result = std::make_unique<Stmt>();
  result->kind = kind;
  result->buffer = buffer;
  result->index = std::move(at);
  result->value = std::move(value);
  return result;
}

// Let, Declare, Assign of an F32
inline StmtPtr local(Stmt::Kind kind, loops::VarId v, Expr value) {
  auto result = std::make_unique<Stmt>();
  result->kind = kind;
  result->var = v;
  result->type = DType::F32;
  result->value = std::move(value);
  return result;
}

inline StmtPtr loop(Stmt::Loop kind, loops::VarId v, int64_t hi, StmtPtr body = nullptr) {
  auto result = std::make_unique<Stmt>();
  result->kind = Stmt::Kind::For;
  result->loop = kind;
  result->var = v;
  result->lo = index(0);
  result->hi = index(hi);
  if (body) result->body.push_back(std::move(body));
  return result;
}

// Appends to the loop `inside`: v3 = the sum of left * right over v2 below `terms`; buffer[at] =
// what becomes of v3.
inline void addContraction(Stmt& inside, int64_t terms, const Expr& left, const Expr& right,
                           loops::BufferId buffer, Expr at, Expr result) {
  const Expr sum = loops::variable(3, DType::F32);
  inside.body.push_back(
      local(Stmt::Kind::Declare, 3, loops::literal(Scalar::ofFloat(DType::F32, 0.0))));
  inside.body.push_back(loop(Stmt::Loop::Sequential, 2, terms,
                             local(Stmt::Kind::Assign, 3, loops::fma(left, right, sum))));
  inside.body.push_back(statement(Stmt::Kind::Store, buffer, std::move(at), std::move(result)));
}

}  // namespace rlc::gpu
