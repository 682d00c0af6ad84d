// Short loops in lanes each of which reads consecutive elements of a place of its own, such as the
// children of a sum tree's node:
//   lanes i: for k in 0..16: f(x[base(i) + k])
// A gather a step would touch every lane's cache line again. The rows are loaded whole, transposed
// in registers, and the loop is written out, so that step k uses element k of all lanes.
#include <bit>
#include <set>

#include "jit/cpu/emitter.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/rows.h"
#include "jit/cpu/transpose.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int kMostStatements = 24;  // that are written out so many times

struct RowLoad {
  const ExprNode* load = nullptr;
  Expr first;  // index of the row's first element
};

// The loads of `loop` that read a row of `length` elements each; none where the loop can't be
// written out.
std::vector<RowLoad> rowLoads(const Program& program, const Stmt& loop, int64_t length) {
  std::vector<RowLoad> found;
  std::set<VarId> defined;
  std::set<BufferId> written;
  Renaming inlined;
  int statements = 0;
  bool plain = true;
  forEachStmt(loop.body, [&](const Stmt& stmt) {
    ++statements;
    switch (stmt.kind) {
      case Stmt::Kind::Let:
        inlined.replace(stmt.var, inlined(stmt.value));
        break;
      case Stmt::Kind::Declare:
      case Stmt::Kind::Assign:
        defined.insert(stmt.var);
        break;
      case Stmt::Kind::Store:
      case Stmt::Kind::Accumulate:
        written.insert(stmt.buffer);
        break;
      default:
        plain = false;
    }
    forEachExpr(stmt, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) { plain &= node.kind != ExprNode::Kind::Random; });
    });
  });
  if (!plain || statements > kMostStatements) return {};
  const auto consider = [&](const ExprNode& node) {
    if (node.kind != ExprNode::Kind::Load) return;
    const Buffer& buffer = program.buffers[static_cast<size_t>(node.buffer)];
    if (buffer.kind == Buffer::Kind::Private ||
        (byteSize(buffer.type) != 4 && byteSize(buffer.type) != 1) || buffer.elements < length)
      return;
    for (BufferId other : written)
      if (mayOverlap(program, other, node.buffer)) return;
    const Expr index = inlined(node.args[0]);
    const auto linear = linearOf(index);
    if (!linear || !linear->coefficients.contains(loop.var) ||
        linear->coefficients.at(loop.var) != 1)
      return;
    for (const auto& [var, coefficient] : linear->coefficients)
      if (defined.contains(var)) return;
    Renaming atStart;
    atStart.replace(loop.var, loop.lo);
    found.push_back({&node, atStart(index)});
  };
  std::set<const ExprNode*> seen;
  forEachStmt(loop.body, [&](const Stmt& stmt) {
    forEachExpr(stmt, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) {
        if (seen.insert(&node).second) consider(node);
      });
    });
  });
  return found;
}

}  // namespace

// Element k of all lanes' rows, for each k.
std::vector<llvm::Value*> Emitter::transposedRows(BufferId id, V* first, int64_t length) {
  const Buffer& buffer = bufferAt(id);
  llvm::Type* type = memoryType(buffer.type);
  const int64_t side = std::min(laneVector(), length);
  auto* row = llvm::FixedVectorType::get(type, static_cast<unsigned>(side));
  const llvm::Align align(byteSize(buffer.type));  // an element's: rows begin anywhere
  V* const start = base(id);
  V* const safe = activeOr(first, llvm::Constant::getNullValue(first->getType()));
  std::vector<Vectors> parts(static_cast<size_t>(length));  // by element: vectors of `side` lanes
  for (int64_t lane = 0; lane < lanes_.width; lane += side) {
    Vectors at;
    for (int64_t k = 0; k < side; ++k)
      at.push_back(b_.CreateInBoundsGEP(
          type, start, b_.CreateExtractElement(safe, static_cast<uint64_t>(lane + k))));
    for (int64_t element = 0; element < length; element += side) {
      Vectors square;
      for (V* pointer : at)
        square.push_back(tagged(
            b_.CreateAlignedLoad(
                row, b_.CreateConstInBoundsGEP1_64(type, pointer, static_cast<uint64_t>(element)),
                align),
            id));
      transpose(b_, square);
      for (int64_t k = 0; k < side; ++k)
        parts[static_cast<size_t>(element + k)].push_back(square[static_cast<size_t>(k)]);
    }
  }
  std::vector<V*> result;
  for (Vectors& pieces : parts) {
    while (pieces.size() > 1) {  // joined two by two
      Vectors joined;
      for (size_t i = 0; i < pieces.size(); i += 2) {
        const auto lanes =
            llvm::cast<llvm::FixedVectorType>(pieces[i]->getType())->getNumElements();
        std::vector<int> both(2 * lanes);
        for (size_t k = 0; k < both.size(); ++k) both[k] = static_cast<int>(k);
        joined.push_back(b_.CreateShuffleVector(pieces[i], pieces[i + 1], both));
      }
      pieces = std::move(joined);
    }
    result.push_back(fromMemory(buffer.type, pieces[0]));
  }
  return result;
}

bool Emitter::loopOverRows(const Stmt& stmt) {
  const auto lo = constantOf(stmt.lo), trip = tripCount(stmt);
  if (!lo || !trip || *trip < 4 || *trip > kLongestRow ||
      !std::has_single_bit(static_cast<uint64_t>(*trip)) || lanes_.width < 4)
    return false;
  std::vector<std::pair<const ExprNode*, std::vector<V*>>> rows;
  for (const RowLoad& load : rowLoads(program_, stmt, *trip)) {
    const Value first = expr(load.first);
    const bool apart = first.shape == Value::Shape::Varying ||
                       (first.shape == Value::Shape::Linear && std::abs(first.stride) >= *trip);
    if (!apart || bandsOf(load.load->buffer)) continue;
    rows.emplace_back(load.load, transposedRows(load.load->buffer, vectorValue(first), *trip));
  }
  cache_.clear();
  if (rows.empty()) return false;
  for (int64_t step = 0; step < *trip; ++step) {
    const int64_t k = stmt.descending ? *trip - 1 - step : step;
    for (const auto& [load, elements] : rows) rowElements_[load] = elements[static_cast<size_t>(k)];
    vars_[static_cast<size_t>(stmt.var)] = {Value{i64(*lo + k)}};
    block(stmt.body);
  }
  cache_.clear();
  for (const auto& [load, elements] : rows) rowElements_.erase(load);
  return true;
}

}  // namespace rlc::cpu
