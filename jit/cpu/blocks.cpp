#include "jit/cpu/blocks.h"

#include <algorithm>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

// Statements that are worth compiling twice.
constexpr int kMostOfBlock = 400;

// min(a, constant), either way round: the constant.
std::optional<int64_t> limitOf(const Expr& e, Expr& other) {
  if (e->kind != ExprNode::Kind::Op || e->op != ScalarOp::Min) return std::nullopt;
  for (size_t k : {0, 1})
    if (const auto limit = constantOf(e->args[k])) {
      other = e->args[1 - k];
      return limit;
    }
  return std::nullopt;
}

void separate(Stmt& blocks, const LaneBlocks& lanes, int& variables) {
  const int64_t whole = lanes.count / lanes.length * lanes.length;
  if (whole == 0 || whole == lanes.count) return;
  int statements = 0;
  forEachStmt(blocks.body, [&](const Stmt&) { ++statements; });
  if (statements > kMostOfBlock) return;
  Renaming same;
  StmtPtr last = copyStmt(*blocks.body[0], same, variables);
  last->lo = loops::index(lanes.first + whole);
  last->hi = loops::index(lanes.first + lanes.count);
  StmtPtr others = std::move(blocks.body[0]);
  others->hi = others->lo + loops::index(lanes.length);
  auto choice = std::make_unique<Stmt>();
  choice->kind = Stmt::Kind::If;
  choice->span = blocks.span;
  choice->value = loops::op(ScalarOp::Lt, {others->lo, last->lo});
  choice->body.push_back(std::move(others));
  choice->otherwise.push_back(std::move(last));
  blocks.body[0] = std::move(choice);
}

void separateWithin(Block& block, int& variables) {
  for (StmtPtr& stmt : block) {
    if (const auto lanes = laneBlocks(*stmt)) {
      separate(*stmt, *lanes, variables);
      continue;
    }
    separateWithin(stmt->body, variables);
    separateWithin(stmt->otherwise, variables);
  }
}

}  // namespace

std::optional<LaneBlocks> laneBlocks(const Stmt& parallel) {
  if (parallel.kind != Stmt::Kind::For || parallel.loop != Stmt::Loop::Parallel ||
      parallel.body.size() != 1)
    return std::nullopt;
  const Stmt& lanes = *parallel.body[0];
  if (lanes.kind != Stmt::Kind::For || lanes.loop != Stmt::Loop::Lanes) return std::nullopt;
  const auto begin = constantOf(parallel.lo), trip = tripCount(parallel);
  const auto lo = linearOf(lanes.lo);
  if (!begin || !trip || *trip == 0 || !lo || lo->coefficients.size() != 1 ||
      lo->coefficients.begin()->first != parallel.var)
    return std::nullopt;
  LaneBlocks result;
  result.length = lo->coefficients.begin()->second;
  if (result.length <= 0) return std::nullopt;
  result.first = lo->constant + *begin * result.length;
  result.count = *trip * result.length;
  Expr end = lanes.hi;
  if (const auto limit = limitOf(lanes.hi, end)) {
    // The last block begins before the limit, and all others end before it.
    if (*limit <= result.first + (*trip - 1) * result.length) return std::nullopt;
    result.count = std::min(result.count, *limit - result.first);
  }
  const auto length = linearOf(end - lanes.lo);
  if (!length || length->constant != result.length) return std::nullopt;
  for (const auto& [var, coefficient] : length->coefficients)
    if (coefficient != 0) return std::nullopt;
  return result;
}

void forEachBatch(
    Block& block,
    const std::function<size_t(Block& block, size_t at, const LaneBlocks& lanes)>& visit) {
  for (size_t at = 0; at < block.size(); ++at) {
    Stmt& stmt = *block[at];
    if (const auto lanes = laneBlocks(stmt)) {
      at = visit(block, at, *lanes);
    } else if (stmt.kind != Stmt::Kind::For || stmt.loop == Stmt::Loop::Sequential) {
      forEachBatch(stmt.body, visit);
      forEachBatch(stmt.otherwise, visit);
    }
  }
}

// A block of lanes is either a whole one or the last.
double operationsOf(const Stmt& parallel, int64_t trip) {
  const auto times = static_cast<double>(trip);
  const auto isLanes = [](const Block& block) {
    return block.size() == 1 && block[0]->kind == Stmt::Kind::For &&
           block[0]->loop == Stmt::Loop::Lanes;
  };
  if (parallel.body.size() != 1 || !isLanes(parallel.body[0]->body) ||
      !isLanes(parallel.body[0]->otherwise))
    return times * countOperations(parallel.body);
  const Stmt& either = *parallel.body[0];
  return std::max(0.0, times - 1) * countOperations(either.body) +
         countOperations(either.otherwise);
}

void separateLastBlocks(Program& program) { separateWithin(program.body, program.variables); }

}  // namespace rlc::cpu
