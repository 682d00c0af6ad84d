#include "jit/cpu/testing/programs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "compiler/loops/verifier.h"

namespace rlc::cpu {

Stmt& Builder::append(Stmt::Kind kind) {
  block_->push_back(std::make_unique<Stmt>());
  block_->back()->kind = kind;
  return *block_->back();
}

void Builder::inside(Block& block, const std::function<void()>& body) {
  Block* outer = block_;
  block_ = &block;
  body();
  block_ = outer;
}

BufferId Builder::arena(DType type, int64_t elements) {
  Buffer buffer;
  buffer.type = type;
  buffer.elements = elements;
  buffer.offset = program.arenaBytes;
  program.arenaBytes += (elements * static_cast<int64_t>(byteSize(type)) + 63) / 64 * 64;
  program.buffers.push_back(buffer);
  return static_cast<BufferId>(program.buffers.size() - 1);
}

BufferId Builder::privateBuffer(DType type, int64_t elements) {
  Buffer buffer;
  buffer.kind = Buffer::Kind::Private;
  buffer.type = type;
  buffer.elements = elements;
  program.buffers.push_back(buffer);
  return static_cast<BufferId>(program.buffers.size() - 1);
}

BufferId Builder::constant(DType type, const std::vector<double>& values) {
  Buffer buffer;
  buffer.kind = Buffer::Kind::Constant;
  buffer.type = type;
  buffer.elements = static_cast<int64_t>(values.size());
  for (double value : values)
    buffer.data.push_back(isFloat(type) ? Scalar::ofFloat(type, value)
                                        : Scalar::ofInt(type, static_cast<int64_t>(value)));
  program.buffers.push_back(buffer);
  return static_cast<BufferId>(program.buffers.size() - 1);
}

BufferId Builder::parameter(DType type) {
  Buffer buffer;
  buffer.kind = Buffer::Kind::Parameter;
  buffer.type = type;
  buffer.elements = 1;
  buffer.offset = program.parameterBytes;
  program.parameterBytes += 8;
  program.buffers.push_back(buffer);
  return static_cast<BufferId>(program.buffers.size() - 1);
}

Expr Builder::get(BufferId buffer, Expr at) {
  return loops::load(buffer, program.buffers[static_cast<size_t>(buffer)].type, std::move(at));
}

Stmt& Builder::loop(Stmt::Loop kind, Expr lo, Expr hi, const Body& body) {
  Stmt& stmt = append(Stmt::Kind::For);
  stmt.loop = kind;
  stmt.var = program.variables++;
  stmt.lo = std::move(lo);
  stmt.hi = std::move(hi);
  inside(stmt.body, [&] { body(loops::variable(stmt.var, DType::I64)); });
  return stmt;
}

void Builder::when(Expr condition, const std::function<void()>& then,
                   const std::function<void()>& otherwise) {
  Stmt& stmt = append(Stmt::Kind::If);
  stmt.value = std::move(condition);
  inside(stmt.body, then);
  if (otherwise) inside(stmt.otherwise, otherwise);
}

Expr Builder::let(Expr value) {
  Stmt& stmt = append(Stmt::Kind::Let);
  stmt.var = program.variables++;
  stmt.type = value->type;
  stmt.value = std::move(value);
  return loops::variable(stmt.var, stmt.type);
}

Expr Builder::declare(Expr initial) {
  Stmt& stmt = append(Stmt::Kind::Declare);
  stmt.var = program.variables++;
  stmt.type = initial->type;
  stmt.value = std::move(initial);
  return loops::variable(stmt.var, stmt.type);
}

void Builder::assign(const Expr& local, Expr value) {
  Stmt& stmt = append(Stmt::Kind::Assign);
  stmt.var = local->var;
  stmt.type = local->type;
  stmt.value = std::move(value);
}

void Builder::store(BufferId buffer, Expr index, Expr value) {
  Stmt& stmt = append(Stmt::Kind::Store);
  stmt.buffer = buffer;
  stmt.index = std::move(index);
  stmt.value = std::move(value);
}

void Builder::accumulate(BufferId buffer, Expr index, Expr value, loops::Combine combine) {
  Stmt& stmt = append(Stmt::Kind::Accumulate);
  stmt.buffer = buffer;
  stmt.index = std::move(index);
  stmt.value = std::move(value);
  stmt.combine = combine;
}

void Builder::check(Expr condition, int fault, std::vector<Expr> coordinates) {
  Stmt& stmt = append(Stmt::Kind::Check);
  stmt.value = std::move(condition);
  stmt.fault = fault;
  stmt.args = std::move(coordinates);
}

void Builder::exit(const Expr& loopVariable, Expr condition) {
  Stmt& stmt = append(Stmt::Kind::Exit);
  stmt.var = loopVariable->var;
  stmt.value = std::move(condition);
}

void Builder::emit(int sink, std::vector<Expr> coordinates) {
  Stmt& stmt = append(Stmt::Kind::Emit);
  stmt.sink = sink;
  stmt.args = std::move(coordinates);
}

Stmt& Builder::call(Stmt::Function function, std::vector<Expr> args,
                    std::vector<Stmt::Place> places) {
  Stmt& stmt = append(Stmt::Kind::Call);
  stmt.function = function;
  stmt.args = std::move(args);
  stmt.places = std::move(places);
  return stmt;
}

Expr Builder::random(loops::ExprNode::Draw draw, DType type, uint64_t stream,
                     std::vector<Expr> coordinates, Expr element, int64_t count,
                     std::vector<Expr> parameters) {
  auto node = std::make_shared<loops::ExprNode>();
  node->kind = loops::ExprNode::Kind::Random;
  node->draw = draw;
  node->type = type;
  node->stream = stream;
  node->coordinates = static_cast<int>(coordinates.size());
  node->elementCount = count;
  node->args = std::move(coordinates);
  node->args.push_back(std::move(element));
  for (Expr& parameter : parameters) node->args.push_back(std::move(parameter));
  return node;
}

// ---- memory -------------------------------------------------------------------------------------

Memory::Memory(const loops::Program& program)
    : buffers_(program.buffers),
      arena_(static_cast<size_t>(program.arenaBytes) + 64),
      parameters_(static_cast<size_t>(program.parameterBytes) + 8) {
  shift_ = (64 - reinterpret_cast<uintptr_t>(arena_.data()) % 64) % 64;
  std::mt19937 random(1);
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer& b = buffers_[i];
    if (b.kind == Buffer::Kind::Parameter) setParameter(b, 3);
    if (b.kind != Buffer::Kind::Arena) continue;
    for (int64_t k = 0; k < b.elements; ++k) {
      const double unit = static_cast<double>(random() % 4001) / 1000.0 - 2.0;
      set(static_cast<BufferId>(i), k,
          isFloat(b.type)         ? unit
          : b.type == DType::Bool ? unit > 0
          : b.type == DType::U8   ? std::floor(unit * 50 + 100)
                                  : std::floor(unit * 20));
    }
  }
}

double Memory::get(BufferId id, int64_t index) const {
  const Buffer& b = buffers_[static_cast<size_t>(id)];
  return loadNumber(
      b.type, arena_.data() + shift_ + b.offset + index * static_cast<int64_t>(byteSize(b.type)));
}

void Memory::set(BufferId id, int64_t index, double value) {
  const Buffer& b = buffers_[static_cast<size_t>(id)];
  storeNumber(b.type,
              arena_.data() + shift_ + b.offset + index * static_cast<int64_t>(byteSize(b.type)),
              value);
}

std::vector<char> Memory::bytes(BufferId id) const {
  const Buffer& b = buffers_[static_cast<size_t>(id)];
  const char* start = arena_.data() + shift_ + b.offset;
  return {start, start + b.elements * static_cast<int64_t>(byteSize(b.type))};
}

ReferenceRun runCompiled(const loops::Program& program, Memory& memory, const RunOptions& options) {
  CompileOptions compileOptions;
  compileOptions.cache = false;
  compileOptions.vectorWidth = options.width;
  compileOptions.optimization = options.optimization;
  compileOptions.tileContractions = options.tile;
  compileOptions.roundFactors = options.roundFactors;
  compileOptions.targetCpu = options.targetCpu;
  const auto executable = compile(program, compileOptions);
  ReferenceRun result;
  RunContext context;
  context.arena = memory.arena();
  context.arenaBytes = program.arenaBytes;
  context.parameters = memory.parameters();
  context.seed = options.seed;
  context.threads = options.threads;
  context.emit = [&](int sink, std::span<const int64_t> at) {
    result.emitted.push_back({sink, {at.begin(), at.end()}});
  };
  result.outcome = executable->run(context);
  return result;
}

void expectAgrees(const Builder& builder, const RunOptions& options, double tolerance) {
  ASSERT_EQ(loops::verify(builder.program), std::vector<std::string>{});
  Memory expected(builder.program), actual(builder.program);
  const ReferenceRun reference =
      runReference(builder.program, expected.arena(), expected.parameters(), options.seed);
  const ReferenceRun compiled = runCompiled(builder.program, actual, options);
  const std::string where = " at width " + std::to_string(options.width) + ", " +
                            std::to_string(options.threads) + " threads";
  EXPECT_EQ(reference.outcome.kind, compiled.outcome.kind) << where;
  EXPECT_EQ(reference.outcome.fault, compiled.outcome.fault) << where;
  EXPECT_EQ(reference.outcome.coordinates, compiled.outcome.coordinates) << where;
  EXPECT_EQ(reference.emitted, compiled.emitted) << where;
  if (reference.outcome.kind != Outcome::Kind::Ok) return;
  int shown = 0;
  for (size_t i = 0; i < builder.program.buffers.size(); ++i) {
    const Buffer& b = builder.program.buffers[i];
    const auto id = static_cast<BufferId>(i);
    if (b.kind != Buffer::Kind::Arena || expected.bytes(id) == actual.bytes(id)) continue;
    for (int64_t k = 0; k < b.elements && shown < 5; ++k) {
      const double x = expected.get(id, k), y = actual.get(id, k);
      if ((std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y)))
        continue;
      if (std::abs(x - y) <= tolerance * std::max(1.0, std::abs(x))) continue;
      ADD_FAILURE() << "buffer " << i << " (" << name(b.type) << ")[" << k << "]: expected " << x
                    << ", got " << y << where;
      ++shown;
    }
  }
}

void expectAgreesAtAllWidths(const Builder& builder, double tolerance) {
  for (int width : kWidths) expectAgrees(builder, {.width = width}, tolerance);
}

void expectSameForAllThreads(const loops::Program& program, BufferId buffer) {
  std::vector<char> one;
  for (int threads : {1, 2, 3, 16, 2, 16}) {
    Memory memory(program);
    runCompiled(program, memory, {.threads = threads});
    if (one.empty()) one = memory.bytes(buffer);
    EXPECT_EQ(memory.bytes(buffer), one) << threads;
  }
}

}  // namespace rlc::cpu
