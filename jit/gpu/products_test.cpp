// Which loops become products of matrices for a library.
#include "jit/gpu/products.h"

#include <gtest/gtest.h>

#include "jit/cpu/walk.h"
#include "jit/gpu/test_programs.h"

namespace rlc::gpu {
namespace {

// c[64 * v0 + v1] = -(sum of a[left] * b[right] over v2 in 0..48), for 32 rows and 64 columns
Program multiplied(const Expr& left, const Expr& right) {
  Program program;
  for (const char* name : {"a", "b", "c"})
    program.buffers.push_back(
        arena(name, 64 * 64, static_cast<int64_t>(program.buffers.size()) * 64 * 64 * 4));
  program.arenaBytes = program.residentBytes = 3 * 64 * 64 * 4;
  program.variables = 4;
  auto columns = loop(Stmt::Loop::Lanes, 1, 64);
  addContraction(*columns, 48, loops::load(0, DType::F32, left), loops::load(1, DType::F32, right),
                 2, var(0) * index(64) + var(1),
                 loops::op(ScalarOp::Neg, {loops::variable(3, DType::F32)}));
  program.body.push_back(loop(Stmt::Loop::Sequential, 0, 32, std::move(columns)));
  program.body.back()->elements = true;
  return program;
}

Program extracted(const Program& program, double work = 1) {
  return extractProducts(program, work, [] { return true; });
}

std::vector<int64_t> sizesOf(const Program& program) {
  std::vector<int64_t> sizes;
  for (const auto& stmt : program.body)
    if (stmt->kind == Stmt::Kind::Call)
      for (const Expr& arg : stmt->args) sizes.push_back(*cpu::constantOf(arg));
  return sizes;
}

TEST(Products, AreFoundWithTheirStrides) {
  const Program plain =
      extracted(multiplied(var(0) * index(48) + var(2), var(2) * index(64) + var(1)));
  EXPECT_EQ(sizesOf(plain), (std::vector<int64_t>{32, 64, 48, 48, 1, 64, 1}));
  ASSERT_EQ(plain.body.size(), 2u);
  EXPECT_EQ(plain.body[1]->body[0]->body.size(), 2u);  // takes the product and goes on
  EXPECT_EQ(plain.buffers.back().elements, 32 * 64);
}

TEST(Products, MayHaveTransposedFactorsInAnyOrder) {
  const Program swapped =
      extracted(multiplied(var(1) * index(48) + var(2), var(2) * index(32) + var(0)));
  EXPECT_EQ(sizesOf(swapped), (std::vector<int64_t>{32, 64, 48, 1, 32, 1, 48}));
  EXPECT_EQ(swapped.body[0]->places[0].buffer, 1);
}

TEST(Products, AreLeftWhereTheyAreSmallOrNoMatrices) {
  EXPECT_TRUE(
      sizesOf(extracted(multiplied(var(0) * index(48) + var(2), var(2) * index(64) + var(1)), 1e6))
          .empty());
  // no contiguous axis; a third axis; a diagonal
  EXPECT_TRUE(sizesOf(extracted(multiplied(var(0) * index(96) + var(2) * index(2),
                                           var(2) * index(64) + var(1))))
                  .empty());
  EXPECT_TRUE(sizesOf(extracted(multiplied(var(0) * index(48) + var(2) + var(1),
                                           var(2) * index(64) + var(1))))
                  .empty());
  EXPECT_TRUE(sizesOf(extracted(multiplied(var(0) + var(2), var(2) * index(64) + var(1)))).empty());
}

TEST(Products, NeedALibraryWhichIsAskedForOnlyThen) {
  const Program product = multiplied(var(0) * index(48) + var(2), var(2) * index(64) + var(1));
  EXPECT_TRUE(sizesOf(extractProducts(product, 1, [] { return false; })).empty());
  EXPECT_TRUE(sizesOf(extractProducts(product, 1, nullptr)).empty());
  int asked = 0;
  extractProducts(product, 1e6, [&] { return ++asked > 0; });
  EXPECT_EQ(asked, 0);
}

}  // namespace
}  // namespace rlc::gpu
