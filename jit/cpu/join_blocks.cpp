#include "jit/cpu/join_blocks.h"

#include <set>

#include "jit/cpu/blocks.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestBlocks = 32;
constexpr int64_t kShortestLoop = 8;
constexpr double kMostOperations = 600;  // of an iteration; more keep the units busy
constexpr int64_t kMostKept = 32;        // elements of a lane

bool sharesBounds(const Stmt& loop, const Stmt& lanes) {
  std::vector<VarId> own{lanes.var};
  for (const StmtPtr& stmt : lanes.body)
    if (stmt->kind == Stmt::Kind::Let || stmt->kind == Stmt::Kind::Declare)
      own.push_back(stmt->var);
  bool shared = true;
  for (const Expr& bound : {loop.lo, loop.hi})
    forEachNode(bound, [&](const ExprNode& node) {
      shared &= node.kind != ExprNode::Kind::Load && node.kind != ExprNode::Kind::Random;
      for (const VarId var : own)
        shared &= node.kind != ExprNode::Kind::Variable || node.var != var;
    });
  return shared;
}

void join(Stmt& blocks, const LaneBlocks& lanes, int& variables) {
  const int64_t length = 2 * lanes.length, whole = lanes.count / length;
  const Expr number = loops::variable(blocks.var, DType::I64),
             first = number * loops::index(length) + loops::index(lanes.first);
  Renaming same;
  StmtPtr joined = copyStmt(*blocks.body[0], same, variables);
  joined->lo = first;
  joined->hi = first + loops::index(length);
  blocks.lo = loops::index(0);
  blocks.hi = loops::index((lanes.count + length - 1) / length);
  if (whole * length == lanes.count) {
    blocks.body[0] = std::move(joined);
    return;
  }
  auto choice = std::make_unique<Stmt>();
  choice->kind = Stmt::Kind::If;
  choice->span = blocks.span;
  choice->value = loops::op(ScalarOp::Lt, {number, loops::index(whole)});
  StmtPtr rest = std::move(blocks.body[0]);
  rest->lo = loops::index(lanes.first + whole * length);
  rest->hi = loops::index(lanes.first + lanes.count);
  choice->body.push_back(std::move(joined));
  choice->otherwise.push_back(std::move(rest));
  blocks.body[0] = std::move(choice);
}

void joinWithin(const Program& program, Block& block, int width, int& variables) {
  for (StmtPtr& stmt : block) {
    const auto lanes = laneBlocks(*stmt);
    if (!lanes) {
      joinWithin(program, stmt->body, width, variables);
      joinWithin(program, stmt->otherwise, width, variables);
    } else if (lanes->length % (2 * width) == 0) {  // they are joined where the loop is planned
      if (lanes->count % lanes->length == 0)
        stmt->body[0]->hi = stmt->body[0]->lo + loops::index(lanes->length);
    } else if (lanes->length == width && lanes->count >= kFewestBlocks * width &&
               waitsForItself(program, *stmt->body[0]) &&
               // A block that knows its number can't be two.
               !mentions(stmt->body[0]->body, stmt->var)) {
      join(*stmt, *lanes, variables);
    }
  }
}

}  // namespace

bool waitsForItself(const Program& program, const Stmt& lanes) {
  bool plain = true, loops = false;
  for (const StmtPtr& stmt : lanes.body) {
    if (stmt->kind != Stmt::Kind::For) continue;
    plain &= stmt->loop == Stmt::Loop::Sequential && sharesBounds(*stmt, lanes) &&
             countOperations(stmt->body) <= kMostOperations;
    loops |= tripCount(*stmt).value_or(kShortestLoop) >= kShortestLoop;
  }
  std::set<BufferId> kept;
  forEachStmt(lanes.body, [&](const Stmt& stmt) {
    plain &= stmt.kind != Stmt::Kind::Exit && stmt.kind != Stmt::Kind::Call &&
             stmt.kind != Stmt::Kind::Emit;
    if (stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::If)
      forEachStmt(stmt.body, [&](const Stmt& inner) { plain &= inner.kind != Stmt::Kind::For; });
    if (stmt.kind == Stmt::Kind::Store &&
        program.buffers[static_cast<size_t>(stmt.buffer)].kind == Buffer::Kind::Private)
      kept.insert(stmt.buffer);
  });
  int64_t elements = 0;
  for (const BufferId buffer : kept)
    elements += program.buffers[static_cast<size_t>(buffer)].elements;
  return plain && loops && elements > 0 && elements <= kMostKept;
}

void joinBlocks(Program& program, int width) {
  joinWithin(program, program.body, width, program.variables);
}

}  // namespace rlc::cpu
