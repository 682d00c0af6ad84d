// Which loops become products of matrices for a library.
#include <gtest/gtest.h>

#include "jit/cpu/walk.h"
#include "jit/gpu/products.h"

namespace rlc::gpu {
namespace {

using loops::Buffer;
using loops::Expr;
using loops::index;
using loops::Program;
using loops::Stmt;
using loops::StmtPtr;

Expr var(loops::VarId id) { return loops::variable(id, DType::I64); }

StmtPtr statement(Stmt::Kind kind, loops::VarId v, Expr value) {
  auto result = std::make_unique<Stmt>();
  result->kind = kind;
  result->var = v;
  result->value = std::move(value);
  return result;
}

StmtPtr loop(Stmt::Loop kind, loops::VarId v, int64_t hi, std::vector<StmtPtr> body) {
  auto result = std::make_unique<Stmt>();
  result->kind = Stmt::Kind::For;
  result->loop = kind;
  result->var = v;
  result->lo = index(0);
  result->hi = index(hi);
  result->body = std::move(body);
  return result;
}

// c[64 * v0 + v1] = -(sum of a[left] * b[right] over v2 in 0..48), for 32 rows and 64 columns
Program multiplied(const Expr& left, const Expr& right) {
  Program program;
  for (const char* name : {"a", "b", "c"}) {
    Buffer buffer;
    buffer.name = name;
    buffer.elements = 64 * 64;
    buffer.offset = static_cast<int64_t>(program.buffers.size()) * 64 * 64 * 4;
    program.buffers.push_back(buffer);
  }
  program.arenaBytes = program.residentBytes = 3 * 64 * 64 * 4;
  program.variables = 4;
  const Expr sum = loops::variable(3, DType::F32);
  std::vector<StmtPtr> add, columns, rows;
  add.push_back(statement(Stmt::Kind::Assign, 3, loops::fma(loops::load(0, DType::F32, left), loops::load(1, DType::F32, right), sum)));
  columns.push_back(statement(Stmt::Kind::Declare, 3, loops::literal(Scalar::ofFloat(DType::F32, 0.0))));
  columns.push_back(loop(Stmt::Loop::Sequential, 2, 48, std::move(add)));
  columns.push_back(statement(Stmt::Kind::Store, -1, loops::op(ScalarOp::Neg, {sum})));
  columns.back()->buffer = 2;
  columns.back()->index = var(0) * index(64) + var(1);
  rows.push_back(loop(Stmt::Loop::Lanes, 1, 64, std::move(columns)));
  program.body.push_back(loop(Stmt::Loop::Sequential, 0, 32, std::move(rows)));
  program.body.back()->elements = true;
  return program;
}

std::vector<int64_t> sizesOf(const Program& program) {
  std::vector<int64_t> sizes;
  for (const auto& stmt : program.body)
    if (stmt->kind == Stmt::Kind::Call)
      for (const Expr& arg : stmt->args) sizes.push_back(*cpu::constantOf(arg));
  return sizes;
}

TEST(Products, AreFoundWithTheirStrides) {
  const Program plain = extractProducts(multiplied(var(0) * index(48) + var(2), var(2) * index(64) + var(1)), 1);
  EXPECT_EQ(sizesOf(plain), (std::vector<int64_t>{32, 64, 48, 48, 1, 64, 1}));
  ASSERT_EQ(plain.body.size(), 2u);
  EXPECT_EQ(plain.body[1]->body[0]->body.size(), 2u);  // takes the product and goes on
  EXPECT_EQ(plain.buffers.back().elements, 32 * 64);
}

TEST(Products, MayHaveTransposedFactorsInAnyOrder) {
  const Program swapped = extractProducts(multiplied(var(1) * index(48) + var(2), var(2) * index(32) + var(0)), 1);
  EXPECT_EQ(sizesOf(swapped), (std::vector<int64_t>{32, 64, 48, 1, 32, 1, 48}));
  EXPECT_EQ(swapped.body[0]->places[0].buffer, 1);
}

TEST(Products, AreLeftWhereTheyAreSmallOrNoMatrices) {
  EXPECT_TRUE(sizesOf(extractProducts(multiplied(var(0) * index(48) + var(2), var(2) * index(64) + var(1)), 1e6)).empty());
  // no contiguous axis; a third axis; a diagonal
  EXPECT_TRUE(sizesOf(extractProducts(multiplied(var(0) * index(96) + var(2) * index(2), var(2) * index(64) + var(1)), 1)).empty());
  EXPECT_TRUE(sizesOf(extractProducts(multiplied(var(0) * index(48) + var(2) + var(1), var(2) * index(64) + var(1)), 1)).empty());
  EXPECT_TRUE(sizesOf(extractProducts(multiplied(var(0) + var(2), var(2) * index(64) + var(1)), 1)).empty());
}

}  // namespace
}  // namespace rlc::gpu
