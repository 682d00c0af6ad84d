#include "jit/gpu/products.h"

#include <algorithm>
#include <array>
#include <set>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/windows.h"

namespace rlc::gpu {

using loops::Block;
using loops::Buffer;
using loops::BufferId;
using loops::Expr;
using loops::ExprNode;
using loops::Program;
using loops::Stmt;
using loops::StmtPtr;
using loops::VarId;

namespace {

constexpr int64_t kFewest = 16;  // rows, columns, summands

// A matrix in a buffer: element (i, j) at first + i * row + j * column.
struct Matrix {
  BufferId buffer = -1;
  Expr first;
  int64_t row = 0, column = 0;
};

bool isAnyOrder(const Stmt& s) {
  return s.kind == Stmt::Kind::For && !s.descending && s.root < 0 && s.reductions.empty() &&
         (s.loop != Stmt::Loop::Sequential || s.elements) && cpu::constantOf(s.lo) == 0 &&
         cpu::tripCount(s);
}

// A load as a matrix over (i, j), which no other variable of the nest moves along; one axis is
// contiguous.
std::optional<Matrix> matrixOf(const Expr& load, VarId i, VarId j, const std::set<VarId>& bound) {
  if (load->kind != ExprNode::Kind::Load) return std::nullopt;
  const SplitIndex split = splitIndex(load->args[0], bound);
  const auto inside = cpu::linearOf(split.inside);
  if (!inside || inside->coefficients.size() != 2 || inside->coefficients.count(i) == 0 ||
      inside->coefficients.count(j) == 0)
    return std::nullopt;
  Matrix matrix;
  matrix.buffer = load->buffer;
  matrix.first = loops::index(inside->constant);
  for (const auto& [term, count] : split.base)
    matrix.first = matrix.first + term * loops::index(count);
  matrix.row = inside->coefficients.at(i);
  matrix.column = inside->coefficients.at(j);
  if (std::min(matrix.row, matrix.column) != 1 || std::max(matrix.row, matrix.column) <= 1)
    return std::nullopt;
  return matrix;
}

class Extraction {
 public:
  Extraction(Program& program, double work, const std::function<bool()>& library)
      : program_(program), work_(work), library_(library) {}

  Block block(const Block& source) {
    Block result;
    for (const auto& stmt : source) {
      if (!extract(*stmt, result)) result.push_back(copy(*stmt));
    }
    return result;
  }

 private:
  StmtPtr copy(const Stmt& stmt) {
    StmtPtr result = cpu::copyHead(stmt, same_);
    // Lanes run by themselves: nothing inside them is a call.
    const bool inside = stmt.kind == Stmt::Kind::For && stmt.loop != Stmt::Loop::Sequential;
    inLanes_ += inside;
    result->body = block(stmt.body);
    result->otherwise = block(stmt.otherwise);
    inLanes_ -= inside;
    return result;
  }

  bool extract(const Stmt& rows, Block& out) {
    if (inLanes_ > 0 || !isAnyOrder(rows) || rows.body.size() != 1 ||
        !isAnyOrder(*rows.body.front()))
      return false;
    const Stmt& columns = *rows.body.front();
    if (columns.body.size() < 3) return false;
    const Stmt& zero = *columns.body[0];
    const Stmt& along = *columns.body[1];
    if (zero.kind != Stmt::Kind::Declare || zero.value->kind != ExprNode::Kind::Literal ||
        zero.value->literal.f != 0 || !isFloat(zero.type))
      return false;
    if (along.kind != Stmt::Kind::For || along.loop != Stmt::Loop::Sequential || along.descending ||
        cpu::constantOf(along.lo) != 0 || !cpu::tripCount(along) || along.body.size() != 1)
      return false;
    const Stmt& add = *along.body.front();
    if (add.kind != Stmt::Kind::Assign || add.var != zero.var) return false;
    const auto factors = factorsOf(add.value, zero.var);
    if (!factors) return false;
    const int64_t m = *cpu::tripCount(rows), n = *cpu::tripCount(columns),
                  k = *cpu::tripCount(along);
    if (std::min({m, n, k}) < kFewest ||
        static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) < work_)
      return false;
    std::set<VarId> bound = boundIn(rows.body);
    bound.insert(rows.var);
    for (size_t left : {0, 1}) {
      const auto a = matrixOf((*factors)[left], rows.var, along.var, bound);
      const auto b = matrixOf((*factors)[1 - left], along.var, columns.var, bound);
      if (!a || !b || !isStored(*a, zero.type) || !isStored(*b, zero.type)) continue;
      if (!library_ || !library_()) return false;
      write(rows, *a, *b, {m, n, k}, out);
      return true;
    }
    return false;
  }

  bool isStored(const Matrix& matrix, DType type) const {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(matrix.buffer)];
    return buffer.kind == Buffer::Kind::Arena && buffer.type == type;
  }

  struct Sizes {
    int64_t m, n, k;
  };

  void write(const Stmt& rows, const Matrix& a, const Matrix& b, const Sizes& sizes, Block& out) {
    const Stmt& columns = *rows.body.front();
    const Stmt& zero = *columns.body[0];
    Buffer result;
    result.name = "product";
    result.type = zero.type;
    result.kind = Buffer::Kind::Private;
    result.elements = sizes.m * sizes.n;
    const auto id = static_cast<BufferId>(program_.buffers.size());
    program_.buffers.push_back(std::move(result));

    auto call = std::make_unique<Stmt>();
    call->kind = Stmt::Kind::Call;
    call->function = Stmt::Function::Product;
    call->span = columns.body[1]->span;
    for (int64_t arg : {sizes.m, sizes.n, sizes.k, a.row, a.column, b.row, b.column})
      call->args.push_back(loops::index(arg));
    call->places = {{a.buffer, a.first}, {b.buffer, b.first}, {id, loops::index(0)}};
    out.push_back(std::move(call));

    StmtPtr outer = cpu::copyHead(rows, same_), inner = cpu::copyHead(columns, same_);
    StmtPtr value = cpu::copyHead(zero, same_);
    value->value = loops::load(id, zero.type,
                               loops::variable(rows.var, DType::I64) * loops::index(sizes.n) +
                                   loops::variable(columns.var, DType::I64));
    inner->body.push_back(std::move(value));
    for (size_t at = 2; at < columns.body.size(); ++at) {
      StmtPtr rest = cpu::copyHead(*columns.body[at], same_);
      ++inLanes_;
      rest->body = block(columns.body[at]->body);
      rest->otherwise = block(columns.body[at]->otherwise);
      --inLanes_;
      inner->body.push_back(std::move(rest));
    }
    outer->body.push_back(std::move(inner));
    out.push_back(std::move(outer));
  }

  Program& program_;
  double work_;
  const std::function<bool()>& library_;
  cpu::Renaming same_;
  int inLanes_ = 0;
};

}  // namespace

std::optional<std::array<Expr, 2>> factorsOf(const Expr& e, VarId sum) {
  const auto isSum = [&](const Expr& part) {
    return part->kind == ExprNode::Kind::Variable && part->var == sum;
  };
  const auto isOp = [](const Expr& part, ScalarOp op) {
    return part->kind == ExprNode::Kind::Op && part->op == op;
  };
  if (e->kind == ExprNode::Kind::Fma && isSum(e->args[2]))
    return std::array{e->args[0], e->args[1]};
  if (e->type == DType::BF16 && isOp(e, ScalarOp::Add) && isSum(e->args[0]) &&
      isOp(e->args[1], ScalarOp::Mul))
    return std::array{e->args[1]->args[0], e->args[1]->args[1]};
  return std::nullopt;
}

Program extractProducts(const Program& program, double work, const std::function<bool()>& library) {
  Program result = cpu::copyHead(program);
  Extraction extraction(result, work, library);
  result.body = extraction.block(program.body);
  return result;
}

}  // namespace rlc::gpu
