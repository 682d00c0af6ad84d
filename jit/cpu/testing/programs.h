// Hand-made loop programs, and running them compiled and by the reference.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "compiler/loops/ir.h"
#include "jit/cpu/executable.h"
#include "jit/cpu/testing/reference.h"

namespace rlc::cpu {

using loops::Block;
using loops::Buffer;
using loops::BufferId;
using loops::Expr;
using loops::Stmt;
using loops::StmtPtr;
using loops::VarId;

inline Expr ix(int64_t value) { return loops::index(value); }
inline Expr f32(double value) { return loops::literal(Scalar::ofFloat(DType::F32, value)); }
inline Expr i32(int64_t value) { return loops::literal(Scalar::ofInt(DType::I32, value)); }
inline Expr less(Expr a, Expr b) { return loops::op(ScalarOp::Lt, {std::move(a), std::move(b)}); }
inline Expr lessEqual(Expr a, Expr b) {
  return loops::op(ScalarOp::Le, {std::move(a), std::move(b)});
}

// Builds a program by callbacks: what is called inside a callback lands in that body.
class Builder {
 public:
  loops::Program program;

  Builder() : block_(&program.body) {}
  BufferId arena(DType type, int64_t elements);
  BufferId privateBuffer(DType type, int64_t elements);
  BufferId constant(DType type, const std::vector<double>& values);
  BufferId parameter(DType type);
  Expr get(BufferId buffer, Expr at);

  using Body = std::function<void(Expr)>;
  Stmt& loop(Stmt::Loop kind, Expr lo, Expr hi, const Body& body);
  Stmt& sequential(Expr lo, Expr hi, const Body& body) {
    return loop(Stmt::Loop::Sequential, lo, hi, body);
  }
  Stmt& lanes(Expr lo, Expr hi, const Body& body) { return loop(Stmt::Loop::Lanes, lo, hi, body); }
  Stmt& parallel(Expr lo, Expr hi, const Body& body) {
    return loop(Stmt::Loop::Parallel, lo, hi, body);
  }
  void when(Expr condition, const std::function<void()>& then,
            const std::function<void()>& otherwise = nullptr);
  Expr let(Expr value);
  Expr declare(Expr initial);
  void assign(const Expr& local, Expr value);
  void store(BufferId buffer, Expr index, Expr value);
  void accumulate(BufferId buffer, Expr index, Expr value,
                  loops::Combine combine = loops::Combine::Sum);
  void check(Expr condition, int fault, std::vector<Expr> coordinates);
  void exit(const Expr& loopVariable, Expr condition);
  void emit(int sink, std::vector<Expr> coordinates);
  Stmt& call(Stmt::Function function, std::vector<Expr> args, std::vector<Stmt::Place> places);
  Expr random(loops::ExprNode::Draw draw, DType type, uint64_t stream,
              std::vector<Expr> coordinates, Expr element, int64_t count,
              std::vector<Expr> parameters = {});

 private:
  Stmt& append(Stmt::Kind kind);
  void inside(Block& block, const std::function<void()>& body);
  Block* block_;
};

// Memory for one run, its buffers filled with numbers that suit their types.
class Memory {
 public:
  explicit Memory(const loops::Program& program);
  char* arena() { return arena_.data() + shift_; }
  const char* parameters() const { return parameters_.data(); }
  void setParameter(const Buffer& buffer, double value) {
    storeNumber(buffer.type, parameters_.data() + buffer.offset, value);
  }
  double get(BufferId buffer, int64_t index) const;
  void set(BufferId buffer, int64_t index, double value);
  const std::vector<Buffer>& buffers() const { return buffers_; }
  std::vector<char> bytes(BufferId buffer) const;

 private:
  std::vector<Buffer> buffers_;
  std::vector<char> arena_, parameters_;
  size_t shift_ = 0;
};

struct RunOptions {
  int width = 0;
  int threads = 1;
  uint64_t seed = 7;
  int optimization = 2;
  bool tile = true;
  bool roundFactors = false;
  std::string targetCpu = {};
};

ReferenceRun runCompiled(const loops::Program& program, Memory& memory,
                         const RunOptions& options = {});

// Runs the program both ways on equal memory and expects equal outcomes, emitted points and
// buffers; floats within `tolerance` (relative and absolute; 0: the same bits).
void expectAgrees(const Builder& builder, const RunOptions& options = {}, double tolerance = 0.0);
void expectAgreesAtAllWidths(const Builder& builder, double tolerance = 0.0);

// The buffer has the same bits with 1, 2, 3 and 16 threads.
void expectSameForAllThreads(const loops::Program& program, BufferId buffer);

inline constexpr int kWidths[] = {1, 4, 8, 16, 32};

}  // namespace rlc::cpu
