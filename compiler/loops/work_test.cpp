#include "compiler/loops/work.h"

#include <gtest/gtest.h>

#include "compiler/loops/testing.h"

namespace rlc::loops {
namespace {

using namespace testing;

Expr number(double value) { return literal(Scalar::ofFloat(DType::F32, value)); }

// x[0] = x[1] * 2 + 1
StmtPtr update() {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = Stmt::Kind::Store;
  stmt->buffer = 0;
  stmt->index = index(0);
  stmt->value = load(0, DType::F32, index(1)) * number(2.0) + number(1.0);
  return stmt;
}

Program around(Block body) {
  Program program;
  Buffer x;
  x.name = "x";
  x.elements = 16;
  x.offset = 0;
  program.arenaBytes = 64;
  program.buffers.push_back(x);
  program.variables = 3;
  program.body = std::move(body);
  return program;
}

Work workOf(const Program& program) { return WorkCount(program).total(); }

TEST(Work, CountsOperationsAndBytesOfALoop) {
  const Work work = workOf(around(block(loop(0, index(0), index(10), block(update())))));
  EXPECT_EQ(work.flops, 20);
  EXPECT_EQ(work.loadBytes, 40);
  EXPECT_EQ(work.storeBytes, 40);
  EXPECT_TRUE(work.exact);
}

// Ten lanes that update a buffer of this kind.
Work ofTenLanes(Buffer::Kind kind, int64_t elements) {
  StmtPtr lanes = loop(0, index(0), index(10), block(update()));
  lanes->loop = Stmt::Loop::Lanes;
  Program program = around(block(std::move(lanes)));
  program.buffers[0].kind = kind;
  program.buffers[0].elements = elements;
  return workOf(program);
}

TEST(Work, CountsBytesOfWhateverIsNotARegister) {
  for (const Buffer::Kind kind :
       {Buffer::Kind::Arena, Buffer::Kind::Private, Buffer::Kind::Scratch, Buffer::Kind::Thread}) {
    const Work work = ofTenLanes(kind, 16);
    EXPECT_EQ(work.loadBytes, 40) << static_cast<int>(kind);
    EXPECT_EQ(work.storeBytes, 40) << static_cast<int>(kind);
    EXPECT_EQ(work.arenaStoreBytes, kind == Buffer::Kind::Arena ? 40 : 0);
  }
  const Work lone = ofTenLanes(Buffer::Kind::Private, 1);
  EXPECT_EQ(lone.loadBytes + lone.storeBytes, 0);
  EXPECT_EQ(lone.flops, 20);
}

TEST(Work, CountsWhatALaneAddsToItsOwnTensor) {
  StmtPtr add = update();
  add->kind = Stmt::Kind::Accumulate;
  Program program = around(block(loop(0, index(0), index(10), block(std::move(add)))));
  program.buffers[0].kind = Buffer::Kind::Private;
  const Work work = workOf(program);
  EXPECT_EQ(work.loadBytes, 80);
  EXPECT_EQ(work.storeBytes, 40);
}

TEST(Work, AnEmptyLoopDoesNothing) {
  EXPECT_EQ(workOf(around(block(loop(0, index(5), index(5), block(update()))))).flops, 0);
}

TEST(Work, CountsTriangles) {
  // for i in 0..n: for j in i..n, by hand: n (n + 1) / 2 points.
  for (int64_t n : {1, 2, 3, 4, 7, 100}) {
    const Work work = workOf(around(
        block(loop(0, index(0), index(n), block(loop(1, at(0), index(n), block(update())))))));
    EXPECT_NEAR(work.flops, static_cast<double>(n * (n + 1)), 1e-6 * static_cast<double>(n * n))
        << n;
  }
}

TEST(Work, CountsTetrahedra) {
  // i < 9, j <= i, k <= j: 9 * 10 * 11 / 6 points.
  const Program program =
      around(block(loop(0, index(0), index(9),
                        block(loop(1, index(0), at(0) + index(1),
                                   block(loop(2, index(0), at(1) + index(1), block(update()))))))));
  EXPECT_NEAR(workOf(program).flops, 2 * 165, 1e-6);
}

TEST(Work, SaysWhereALengthDependsOnData) {
  const Work work = workOf(around(
      block(loop(0, index(0), cast(DType::I64, load(0, DType::F32, index(0))), block(update())))));
  EXPECT_EQ(work.flops, 2);
  EXPECT_FALSE(work.exact);
}

TEST(Work, CountsAPartOverTheWholeRun) {
  Block body;
  body.push_back(update());
  body.push_back(loop(1, index(0), index(3), block(update())));
  const Stmt* part = body.back().get();
  const Program program = around(block(loop(0, index(0), index(10), std::move(body))));
  EXPECT_EQ(workOf(program).flops, 10 * 2 * 4);
  EXPECT_EQ(WorkCount(program).of(*part).flops, 10 * 2 * 3);
}

}  // namespace
}  // namespace rlc::loops
