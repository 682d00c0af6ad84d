#include "compiler/loops/printer.h"

#include <gtest/gtest.h>

#include "compiler/loops/verifier.h"

namespace rlc::loops {
namespace {

StmtPtr make(Stmt::Kind kind) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = kind;
  return stmt;
}

// lanes v0 in 0..8: y[v0] += x[v0 + 1] * 2
Program small() {
  Program p;
  for (const char* name : {"x", "y"}) {
    Buffer b;
    b.name = name;
    b.elements = 16;
    b.offset = p.arenaBytes;
    p.arenaBytes += 64;
    p.buffers.push_back(b);
  }
  p.variables = 1;
  auto loop = make(Stmt::Kind::For);
  loop->loop = Stmt::Loop::Lanes;
  loop->var = 0;
  loop->lo = index(0);
  loop->hi = index(8);
  loop->comment = "b";
  auto sum = make(Stmt::Kind::Accumulate);
  const Expr i = variable(0, DType::I64);
  sum->buffer = 1;
  sum->index = i;
  sum->value = load(0, DType::F32, i + index(1)) * literal(Scalar::ofFloat(DType::F32, 2.0));
  loop->body.push_back(std::move(sum));
  p.body.push_back(std::move(loop));
  return p;
}

TEST(Printer, WritesBuffersLoopsAndStatements) {
  EXPECT_EQ(print(small()),
            "arena x: f32[16] at 0\n"
            "arena y: f32[16] at 64\n"
            "\n"
            "lanes v0 in 0..8:  # b\n"
            "  y[v0] += x[v0 + 1] * 2\n");
}

// Those that code generators add, too.
TEST(Printer, NamesBuffersAndCallsOfEveryKind) {
  Program p;
  const auto kinds = {Buffer::Kind::Private, Buffer::Kind::Scratch, Buffer::Kind::Thread};
  for (Buffer::Kind kind : kinds) {
    p.buffers.emplace_back();
    p.buffers.back().name = std::string(1, "xyz"[p.buffers.size() - 1]);
    p.buffers.back().kind = kind;
    p.buffers.back().elements = 4;
  }
  for (const auto function : {Stmt::Function::Product, Stmt::Function::Prefetch}) {
    p.body.push_back(make(Stmt::Kind::Call));
    p.body.back()->function = function;
    p.body.back()->places.push_back({0, index(3)});
  }
  EXPECT_EQ(print(p),
            "private x: f32[4]\n"
            "scratch y: f32[4]\n"
            "thread z: f32[4]\n"
            "\n"
            "product(&x[3])\n"
            "prefetch(&x[3])\n");
}

TEST(Printer, ParenthesizesByPrecedence) {
  const Program p;
  const Expr a = variable(0, DType::I64), b = variable(1, DType::I64);
  EXPECT_EQ(print(p, (a + b) * (a - (b - a))), "(v0 + v1) * (v0 - (v1 - v0))");
  EXPECT_EQ(print(p, op(ScalarOp::Max, {a * b + a, b})), "max(v0 * v1 + v0, v1)");
}

TEST(Verifier, AcceptsAValidProgram) { EXPECT_TRUE(verify(small()).empty()); }

TEST(Verifier, FindsWhatIsWrong) {
  const auto firstProblem = [](const std::function<void(Program&)>& change) {
    Program p = small();
    change(p);
    const auto problems = verify(p);
    return problems.empty() ? std::string()
                            : problems.front().substr(0, problems.front().find('\n'));
  };
  EXPECT_EQ(firstProblem([](Program& p) { p.arenaBytes = 64; }), "buffer `y` ends past the arena");
  EXPECT_EQ(firstProblem([](Program& p) { p.body[0]->body[0]->index = variable(3, DType::I64); }),
            "v3 is read where it is not defined");
  EXPECT_EQ(firstProblem([](Program& p) { p.buffers[1].type = DType::F64; }),
            "buffer `y` ends past the arena");
  EXPECT_EQ(firstProblem([](Program& p) { p.buffers[1].type = DType::I32; }),
            "`y` is given another type");
  EXPECT_EQ(firstProblem([](Program& p) { p.body[0]->body.push_back(make(Stmt::Kind::Emit)); }),
            "a value is emitted by parallel code");
  EXPECT_EQ(firstProblem([](Program& p) {
              auto leave = make(Stmt::Kind::Exit);
              leave->var = 0;
              leave->value = literal(Scalar::ofInt(DType::Bool, 1));
              p.body[0]->body.push_back(std::move(leave));
            }),
            "an exit from no sequential loop around it");
  EXPECT_EQ(firstProblem([](Program& p) {
              p.buffers[0].kind = Buffer::Kind::Private;
              auto outside = make(Stmt::Kind::Store);
              outside->buffer = 0;
              outside->index = index(0);
              outside->value = literal(Scalar::ofFloat(DType::F32, 1.0));
              p.body.push_back(std::move(outside));
            }),
            "`x` is private to lanes and used outside of them");
}

}  // namespace
}  // namespace rlc::loops
