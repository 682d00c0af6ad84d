#include "jit/cpu/testing/reference.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/interpreter/scalar_eval.h"
#include "jit/host/abi.h"
#include "jit/runtime/random.h"

namespace rlc::cpu {

using interpreter::Cell;
using interpreter::evalScalar;
using interpreter::floatCell;
using interpreter::intCell;
using loops::Block;
using loops::Buffer;
using loops::Expr;
using loops::ExprNode;
using loops::Program;
using loops::Stmt;

namespace {

Cell loadCell(DType type, const char* at) {
  const auto as = [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (type) {
    case DType::Bool:
      return intCell(as(uint8_t{}) != 0);
    case DType::U8:
      return intCell(as(uint8_t{}));
    case DType::I32:
      return intCell(as(int32_t{}));
    case DType::I64:
      return intCell(as(int64_t{}));
    case DType::BF16: {
      const uint32_t bits = static_cast<uint32_t>(as(uint16_t{})) << 16;
      float value;
      std::memcpy(&value, &bits, sizeof value);
      return floatCell(value);
    }
    case DType::F32:
      return floatCell(as(float{}));
    case DType::F64:
      return floatCell(as(double{}));
  }
  return intCell(0);
}

void storeCell(DType type, char* at, Cell cell) {
  const auto put = [&](auto value) { std::memcpy(at, &value, sizeof value); };
  switch (type) {
    case DType::Bool:
      return put(static_cast<uint8_t>(cell.i != 0));
    case DType::U8:
      return put(static_cast<uint8_t>(cell.i));
    case DType::I32:
      return put(static_cast<int32_t>(cell.i));
    case DType::I64:
      return put(cell.i);
    case DType::BF16: {
      const float value = static_cast<float>(cell.f);
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      return put(static_cast<uint16_t>(bits >> 16));
    }
    case DType::F32:
      return put(static_cast<float>(cell.f));
    case DType::F64:
      return put(cell.f);
  }
}

enum class Flow { Next, Exit, Fault };

class Reference {
 public:
  Reference(const Program& program, char* arena, const char* parameters, uint64_t seed)
      : program_(program),
        arena_(arena),
        parameters_(parameters),
        seed_(seed),
        vars_(static_cast<size_t>(program.variables)),
        privates_(program.buffers.size()) {
    for (size_t i = 0; i < program.buffers.size(); ++i) {
      const Buffer& b = program.buffers[i];
      if (b.kind != Buffer::Kind::Arena && b.kind != Buffer::Kind::Parameter)
        privates_[i].resize(static_cast<size_t>(b.elements) * byteSize(b.type));
      if (b.kind == Buffer::Kind::Constant)
        for (size_t k = 0; k < b.data.size(); ++k)
          storeCell(b.type, privates_[i].data() + k * byteSize(b.type),
                    interpreter::toCell(b.data[k]));
    }
  }

  ReferenceRun run() {
    block(program_.body);
    return std::move(result_);
  }

 private:
  char* at(loops::BufferId id, int64_t index) {
    const Buffer& b = program_.buffers[static_cast<size_t>(id)];
    const int64_t size = static_cast<int64_t>(byteSize(b.type));
    if (index < 0 || (b.elements > 0 && index >= b.elements))
      throw InternalError("reference: an index out of range");
    switch (b.kind) {
      case Buffer::Kind::Arena:
        return arena_ + b.offset + index * size;
      case Buffer::Kind::Parameter:
        return const_cast<char*>(parameters_) + b.offset + index * size;
      default:
        return privates_[static_cast<size_t>(id)].data() + index * size;
    }
  }

  int64_t integer(const Expr& e) { return eval(e).i; }

  Cell eval(const Expr& e) {
    switch (e->kind) {
      case ExprNode::Kind::Literal:
        return interpreter::toCell(e->literal);
      case ExprNode::Kind::Variable:
        return vars_[static_cast<size_t>(e->var)];
      case ExprNode::Kind::Load:
        return loadCell(e->type, at(e->buffer, integer(e->args[0])));
      case ExprNode::Kind::Op: {
        Cell args[3];
        for (size_t i = 0; i < e->args.size(); ++i) args[i] = eval(e->args[i]);
        const DType operand = e->op == ScalarOp::Select ? e->type : e->args[0]->type;
        return evalScalar(e->op, operand, e->type, args);
      }
      case ExprNode::Kind::Fma: {
        const Cell a = eval(e->args[0]), b = eval(e->args[1]), c = eval(e->args[2]);
        if (e->type == DType::F64) return floatCell(std::fma(a.f, b.f, c.f));
        if (e->type == DType::F32)
          return floatCell(
              std::fma(static_cast<float>(a.f), static_cast<float>(b.f), static_cast<float>(c.f)));
        return interpreter::roundTo(e->type, a.f * b.f + c.f);
      }
      case ExprNode::Kind::Factor: {
        const double number = eval(e->args[0]).f;
        return std::abs(number) < 0x1p-126 ? floatCell(std::copysign(0.0, number))
                                           : interpreter::roundTo(DType::BF16, number);
      }
      case ExprNode::Kind::Pair: {
        const auto half = [&](const Expr& arg) {
          uint16_t bits;
          char bytes[sizeof bits];
          storeCell(DType::BF16, bytes, eval(arg));
          std::memcpy(&bits, bytes, sizeof bits);
          return static_cast<uint32_t>(bits);
        };
        return intCell(static_cast<int32_t>(half(e->args[0]) | half(e->args[1]) << 16));
      }
      case ExprNode::Kind::PairFma: {
        const auto half = [](Cell pair, int shift) {
          const auto bits = static_cast<uint16_t>(static_cast<uint32_t>(pair.i) >> shift);
          char bytes[sizeof bits];
          std::memcpy(bytes, &bits, sizeof bits);
          return static_cast<float>(loadCell(DType::BF16, bytes).f);
        };
        const Cell a = eval(e->args[0]), b = eval(e->args[1]);
        float sum = static_cast<float>(eval(e->args[2]).f);
        for (const int shift : {16, 0}) sum = std::fma(half(a, shift), half(b, shift), sum);
        return floatCell(sum);
      }
      case ExprNode::Kind::Random:
        return random(*e);
    }
    throw InternalError("reference: an unknown expression");
  }

  Cell random(const ExprNode& e) {
    std::vector<int64_t> coordinates;
    const auto n = static_cast<size_t>(e.coordinates);
    for (size_t i = 0; i < n; ++i) coordinates.push_back(integer(e.args[i]));
    const runtime::DrawPoint point =
        runtime::Stream(seed_, e.stream).at(coordinates, e.elementCount);
    const int64_t element = integer(e.args[n]);
    const bool wide = e.type == DType::F64;
    switch (e.draw) {
      case ExprNode::Draw::Uniform01:
        return floatCell(wide ? point.uniformF64(element) : point.uniformF32(element));
      case ExprNode::Draw::StandardNormal:
        return floatCell(wide ? point.normalF64(element) : point.normalF32(element));
      case ExprNode::Draw::UniformInt:
        return intCell(point.uniformInt(element, static_cast<int32_t>(integer(e.args[n + 1])),
                                        static_cast<int32_t>(integer(e.args[n + 2]))));
      case ExprNode::Draw::StandardGamma:
        return floatCell(point.gammaF32(element, static_cast<float>(eval(e.args[n + 1]).f)));
    }
    throw InternalError("reference: an unknown draw");
  }

  Flow block(const Block& block) {
    for (const auto& stmt : block)
      if (const Flow flow = statement(*stmt); flow != Flow::Next) return flow;
    return Flow::Next;
  }

  Flow statement(const Stmt& s) {
    switch (s.kind) {
      case Stmt::Kind::For:
        return loop(s);
      case Stmt::Kind::If:
        return eval(s.value).i != 0 ? block(s.body) : block(s.otherwise);
      case Stmt::Kind::Let:
      case Stmt::Kind::Declare:
      case Stmt::Kind::Assign:
        vars_[static_cast<size_t>(s.var)] = eval(s.value);
        return Flow::Next;
      case Stmt::Kind::Store:
        storeCell(typeOf(s.buffer), at(s.buffer, integer(s.index)), eval(s.value));
        return Flow::Next;
      case Stmt::Kind::Accumulate:
        accumulate(s);
        return Flow::Next;
      case Stmt::Kind::Check: {
        if (eval(s.value).i != 0) return Flow::Next;
        result_.outcome = {Outcome::Kind::Fault, s.fault, coordinates(s)};
        return Flow::Fault;
      }
      case Stmt::Kind::Exit:
        if (eval(s.value).i == 0) return Flow::Next;
        leaving_ = s.var;
        return Flow::Exit;
      case Stmt::Kind::Emit:
        result_.emitted.push_back({s.sink, coordinates(s)});
        return Flow::Next;
      case Stmt::Kind::Call:
        call(s);
        return Flow::Next;
    }
    throw InternalError("reference: an unknown statement");
  }

  Flow loop(const Stmt& s) {
    const int64_t lo = integer(s.lo), hi = integer(s.hi);
    for (int64_t k = 0; k < hi - lo; ++k) {
      vars_[static_cast<size_t>(s.var)] = intCell(s.descending ? hi - 1 - k : lo + k);
      const Flow flow = block(s.body);
      if (flow == Flow::Fault) return flow;
      if (flow == Flow::Exit) return leaving_ == s.var ? Flow::Next : flow;
    }
    return Flow::Next;
  }

  void accumulate(const Stmt& s) {
    const DType type = typeOf(s.buffer);
    char* place = at(s.buffer, integer(s.index));
    Cell args[] = {loadCell(type, place), eval(s.value)};
    const ScalarOp ops[] = {ScalarOp::Add, ScalarOp::Mul, ScalarOp::Max,
                            ScalarOp::Min, ScalarOp::And, ScalarOp::Or};
    storeCell(type, place, evalScalar(ops[static_cast<size_t>(s.combine)], type, type, args));
  }

  void call(const Stmt& s) {
    std::vector<int64_t> args = coordinates(s);
    std::vector<char*> places;
    for (const auto& place : s.places) places.push_back(at(place.buffer, integer(place.index)));
    if (s.function == Stmt::Function::Permutation) {
      const size_t n = args.size() - 2;
      rlc_permutation(runtime::streamKey(seed_, s.stream), args.data(), static_cast<int64_t>(n),
                      args[n], 0, args[n], args[n + 1], reinterpret_cast<int32_t*>(places[0]));
    } else if (s.function == Stmt::Function::TreeUpdate) {
      rlc_tree_update(nullptr, args[0], args[1], args[2], reinterpret_cast<int32_t*>(places[0]),
                      reinterpret_cast<float*>(places[1]), reinterpret_cast<float*>(places[2]),
                      reinterpret_cast<float*>(places[3]));
    } else if (s.function == Stmt::Function::Sort) {
      rlc_sort(static_cast<int32_t>(typeOf(s.places[0].buffer)), places[0], args[1], places[1],
               args[2], args[0], args[3]);
    } else {
      rlc_argsort(static_cast<int32_t>(typeOf(s.places[0].buffer)), places[0], args[1],
                  reinterpret_cast<int32_t*>(places[1]), args[2], args[0], args[3]);
    }
  }

  std::vector<int64_t> coordinates(const Stmt& s) {
    std::vector<int64_t> values;
    for (const Expr& e : s.args) values.push_back(integer(e));
    return values;
  }

  DType typeOf(loops::BufferId id) const { return program_.buffers[static_cast<size_t>(id)].type; }

  const Program& program_;
  char* arena_;
  const char* parameters_;
  uint64_t seed_;
  std::vector<Cell> vars_;
  std::vector<std::vector<char>> privates_;
  loops::VarId leaving_ = -1;
  ReferenceRun result_;
};

}  // namespace

ReferenceRun runReference(const Program& program, char* arena, const char* parameters,
                          uint64_t seed) {
  return Reference(program, arena, parameters, seed).run();
}

double loadNumber(DType type, const char* at) {
  return interpreter::asDouble(type, loadCell(type, at));
}

void storeNumber(DType type, char* at, double value) {
  storeCell(type, at, interpreter::roundTo(type, value));
}

}  // namespace rlc::cpu
