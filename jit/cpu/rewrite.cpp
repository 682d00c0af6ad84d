#include "jit/cpu/rewrite.h"

#include <algorithm>
#include <iterator>

#include "compiler/diagnostics/internal_error.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

StmtPtr copyHead(const Stmt& stmt, Renaming& renaming) {
  auto copy = std::make_unique<Stmt>();
  copy->kind = stmt.kind;
  copy->span = stmt.span;
  copy->loop = stmt.loop;
  copy->descending = stmt.descending;
  copy->elements = stmt.elements;
  copy->units = stmt.units;
  copy->wide = stmt.wide;
  copy->sharedAsLast = stmt.sharedAsLast;
  copy->besideLast = stmt.besideLast;
  copy->comment = stmt.comment;
  copy->root = stmt.root;
  copy->rootLoop = stmt.rootLoop;
  copy->region = stmt.region;
  copy->var = stmt.var;
  copy->type = stmt.type;
  copy->lo = renaming(stmt.lo);
  copy->hi = renaming(stmt.hi);
  copy->value = renaming(stmt.value);
  copy->buffer = stmt.buffer;
  copy->index = renaming.indexIn(stmt.buffer, stmt.index);
  copy->combine = stmt.combine;
  copy->fault = stmt.fault;
  copy->sink = stmt.sink;
  for (const Expr& arg : stmt.args) copy->args.push_back(renaming(arg));
  copy->function = stmt.function;
  for (const auto& place : stmt.places)
    copy->places.push_back({place.buffer, renaming.indexIn(place.buffer, place.index)});
  copy->stream = stmt.stream;
  for (auto reduction : stmt.reductions) {
    if (reduction.local >= 0) reduction.local = renaming.local(reduction.local);
    copy->reductions.push_back(reduction);
  }
  return copy;
}

StmtPtr copyStmt(const Stmt& stmt, Renaming& renaming, int& variables) {
  StmtPtr copy = copyHead(stmt, renaming);
  switch (stmt.kind) {
    case Stmt::Kind::For:
      copy->var = variables++;
      renaming.replace(stmt.var, loops::variable(copy->var, DType::I64));
      break;
    case Stmt::Kind::Let:
    case Stmt::Kind::Declare:
      copy->var = variables++;
      renaming.replace(stmt.var, loops::variable(copy->var, stmt.type));
      break;
    case Stmt::Kind::Assign:
    case Stmt::Kind::Exit:
      copy->var = renaming.local(stmt.var);
      break;
    default:
      break;
  }
  copy->body = copyBlock(stmt.body, renaming, variables);
  copy->otherwise = copyBlock(stmt.otherwise, renaming, variables);
  return copy;
}

Block copyBlock(const Block& block, Renaming& renaming, int& variables) {
  Block copy;
  for (const auto& stmt : block) copy.push_back(copyStmt(*stmt, renaming, variables));
  return copy;
}

StmtPtr copyAlike(const Stmt& stmt, Renaming& renaming) {
  StmtPtr copy = copyHead(stmt, renaming);
  for (const auto& inner : stmt.body) copy->body.push_back(copyAlike(*inner, renaming));
  for (const auto& inner : stmt.otherwise) copy->otherwise.push_back(copyAlike(*inner, renaming));
  return copy;
}

StmtPtr copyAlike(const Stmt& stmt) {
  Renaming same;
  return copyAlike(stmt, same);
}

Program copyHead(const Program& program) {
  Program copy;
  copy.buffers = program.buffers;
  copy.faults = program.faults;
  copy.arenaBytes = program.arenaBytes;
  copy.residentBytes = program.residentBytes;
  copy.scratchInFile = program.scratchInFile;
  copy.scratchLimit = program.scratchLimit;
  copy.transferBytes = program.transferBytes;
  copy.parameterBytes = program.parameterBytes;
  copy.variables = program.variables;
  copy.readsUnwritten = program.readsUnwritten;
  return copy;
}

Program copyProgram(const Program& program) {
  Program copy = copyHead(program);
  Renaming renaming;
  copy.body = copyBlock(program.body, renaming, copy.variables);
  return copy;
}

StmtPtr makeStmt(const Stmt& like, Stmt::Kind kind) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = kind;
  stmt->span = like.span;
  return stmt;
}

StmtPtr makeLoop(const Stmt& like, Stmt::Loop kind, VarId var, Expr lo, Expr hi) {
  StmtPtr loop = makeStmt(like, Stmt::Kind::For);
  loop->loop = kind;
  loop->var = var;
  loop->lo = std::move(lo);
  loop->hi = std::move(hi);
  return loop;
}

void append(Block& to, Block statements) {
  for (StmtPtr& stmt : statements) to.push_back(std::move(stmt));
}

size_t putInPlace(Block& block, size_t at, Block statements) {
  const size_t last = at + statements.size() - 1;
  const auto place = block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
  block.insert(place, std::make_move_iterator(statements.begin()),
               std::make_move_iterator(statements.end()));
  return last;
}

// ---- index expressions --------------------------------------------------------------------------

namespace {

constexpr int64_t kLarge = int64_t{1} << 60;

std::optional<Interval> within(__int128 lo, __int128 hi) {
  if (lo < -kLarge || hi > kLarge) return std::nullopt;
  return Interval{static_cast<int64_t>(lo), static_cast<int64_t>(hi)};
}

int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

}  // namespace

std::optional<Interval> rangeOf(const Expr& e, const Ranges& ranges) {
  if (e->type != DType::I64) return std::nullopt;
  if (e->kind == ExprNode::Kind::Literal) return Interval{e->literal.i, e->literal.i};
  if (e->kind == ExprNode::Kind::Variable) {
    const auto found = ranges.find(e->var);
    return found == ranges.end() ? std::nullopt : std::optional(found->second);
  }
  if (e->kind != ExprNode::Kind::Op || e->args.size() != 2) return std::nullopt;
  const auto a = rangeOf(e->args[0], ranges), b = rangeOf(e->args[1], ranges);
  if (!a || !b) return std::nullopt;
  using Wide = __int128;
  switch (e->op) {
    case ScalarOp::Add:
      return within(Wide{a->lo} + b->lo, Wide{a->hi} + b->hi);
    case ScalarOp::Sub:
      return within(Wide{a->lo} - b->hi, Wide{a->hi} - b->lo);
    case ScalarOp::Mul: {
      const auto corners = std::minmax(
          {Wide{a->lo} * b->lo, Wide{a->lo} * b->hi, Wide{a->hi} * b->lo, Wide{a->hi} * b->hi});
      return within(corners.first, corners.second);
    }
    case ScalarOp::Min:
      return Interval{std::min(a->lo, b->lo), std::min(a->hi, b->hi)};
    case ScalarOp::Max:
      return Interval{std::max(a->lo, b->lo), std::max(a->hi, b->hi)};
    case ScalarOp::FloorDiv:
      if (b->lo != b->hi || b->lo <= 0) return std::nullopt;
      return Interval{floorDivide(a->lo, b->lo), floorDivide(a->hi, b->lo)};
    case ScalarOp::Mod:
      if (b->lo != b->hi || b->lo <= 0) return std::nullopt;
      if (floorDivide(a->lo, b->lo) == floorDivide(a->hi, b->lo))
        return Interval{a->lo - b->lo * floorDivide(a->lo, b->lo),
                        a->hi - b->lo * floorDivide(a->lo, b->lo)};
      return Interval{0, b->lo - 1};
    default:
      return std::nullopt;
  }
}

int64_t stepOf(const loops::Expr& index, loops::VarId var) {
  const auto linear = linearIn(index, [&](loops::VarId other) { return other == var; });
  if (!linear) return 0;
  const auto found = linear->coefficients.find(var);
  return found == linear->coefficients.end() ? 0 : found->second;
}

void noteRange(const Stmt& loop, Ranges& ranges) {
  const auto lo = rangeOf(loop.lo, ranges), hi = rangeOf(loop.hi, ranges);
  if (lo && hi && lo->lo < hi->hi) ranges[loop.var] = {lo->lo, hi->hi - 1};
}

void narrowRanges(const Expr& condition, Ranges& ranges) {
  if (condition->kind != ExprNode::Kind::Op) return;
  if (condition->op == ScalarOp::And) {
    for (const Expr& part : condition->args) narrowRanges(part, ranges);
    return;
  }
  if (condition->op != ScalarOp::Le || constantOf(condition->args[0]) != 0) return;
  const auto linear = linearOf(condition->args[1]);
  if (!linear || linear->coefficients.size() != 1) return;
  const auto [var, step] = *linear->coefficients.begin();
  const auto range = ranges.find(var);
  if (range == ranges.end() || step == 0) return;
  if (step > 0)
    range->second.lo = std::max(range->second.lo, -floorDivide(linear->constant, step));
  else
    range->second.hi = std::min(range->second.hi, floorDivide(linear->constant, -step));
}

std::optional<int64_t> middleTrip(const Stmt& loop, Ranges& middles) {
  const auto lo = rangeOf(loop.lo, middles), hi = rangeOf(loop.hi, middles);
  if (!lo || !hi || lo->lo != lo->hi || hi->lo != hi->hi) return tripCount(loop);
  const int64_t middle = lo->lo + std::max<int64_t>(0, hi->lo - lo->lo) / 2;
  middles[loop.var] = {middle, middle};
  return std::max<int64_t>(0, hi->lo - lo->lo);
}

Expr settleExtremes(const Expr& e, const Ranges& ranges) {
  if (!e || e->kind != ExprNode::Kind::Op || e->type != DType::I64 || e->args.size() != 2) return e;
  std::vector<Expr> args{settleExtremes(e->args[0], ranges), settleExtremes(e->args[1], ranges)};
  if (e->op == ScalarOp::Min || e->op == ScalarOp::Max) {
    const auto a = rangeOf(args[0], ranges), b = rangeOf(args[1], ranges);
    if (a && b && a->hi <= b->lo) return e->op == ScalarOp::Min ? args[0] : args[1];
    if (a && b && b->hi <= a->lo) return e->op == ScalarOp::Min ? args[1] : args[0];
  }
  return args == e->args ? e : loops::op(e->op, std::move(args));
}

}  // namespace rlc::cpu
