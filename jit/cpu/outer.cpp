#include "jit/cpu/outer.h"

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

// Fewer are summed over a block's lanes, element by element.
constexpr int64_t kFewestRows = 3, kFewestColumns = 3;

}  // namespace

void collectFactors(const Expr& e, std::vector<Expr>& factors) {
  if (e->kind == ExprNode::Kind::Op && e->op == ScalarOp::Mul) {
    for (const Expr& arg : e->args) collectFactors(arg, factors);
    return;
  }
  factors.push_back(e);
}

Expr product(const std::vector<Expr>& factors) {
  Expr result = factors.front();
  for (size_t i = 1; i < factors.size(); ++i) result = result * factors[i];
  return result;
}

const Stmt* onlyStatement(const Block& block, Renaming& inlined) {
  for (size_t i = 0; i < block.size(); ++i) {
    if (i + 1 == block.size()) return block[i].get();
    if (block[i]->kind != Stmt::Kind::Let) return nullptr;
    inlined.replace(block[i]->var, inlined(block[i]->value));
  }
  return nullptr;
}

bool isSharedSum(const Program& program, const Stmt* stmt) {
  if (stmt == nullptr || stmt->kind != Stmt::Kind::Accumulate ||
      stmt->combine != loops::Combine::Sum)
    return false;
  const loops::Buffer& buffer = program.buffers[static_cast<size_t>(stmt->buffer)];
  return buffer.type == DType::F32 &&
         (buffer.kind == loops::Buffer::Kind::Arena || buffer.kind == loops::Buffer::Kind::Thread);
}

bool isPure(const Program& program, const Expr& value, BufferId buffer) {
  bool pure = true;
  forEachNode(value, [&](const ExprNode& node) {
    pure &= node.kind != ExprNode::Kind::Random &&
            (node.buffer < 0 || !mayOverlap(program, node.buffer, buffer));
  });
  return pure;
}

bool isCountedLoop(const Stmt* stmt) {
  return stmt != nullptr && stmt->kind == Stmt::Kind::For && stmt->loop != Stmt::Loop::Parallel &&
         tripCount(*stmt).has_value();
}

std::optional<OuterProduct> matchOuterProduct(const Program& program, const Stmt& loop,
                                              const std::function<bool(const Expr&)>& isVarying) {
  OuterProduct match;
  Renaming inlined;
  match.rows = &loop;
  if (!isCountedLoop(match.rows)) return std::nullopt;
  match.columns = onlyStatement(loop.body, inlined);
  if (!isCountedLoop(match.columns)) return std::nullopt;
  match.accumulate = onlyStatement(match.columns->body, inlined);
  if (!isSharedSum(program, match.accumulate)) return std::nullopt;
  const Stmt& sum = *match.accumulate;
  match.rowCount = *tripCount(*match.rows);
  match.columnCount = *tripCount(*match.columns);
  if (match.rowCount < kFewestRows || match.columnCount < kFewestColumns) return std::nullopt;

  const loops::VarId m = match.rows->var, k = match.columns->var;
  if (mentions(match.columns->lo, m) || inlined.touches(match.columns->lo) ||
      isVarying(match.rows->lo) || isVarying(match.columns->lo))
    return std::nullopt;
  match.index = inlined(sum.index);
  const auto linear = linearIn(match.index, [&](loops::VarId var) { return var == m || var == k; });
  if (!linear || linear->coefficients.count(k) == 0 || linear->coefficients.at(k) != 1 ||
      isVarying(match.index))
    return std::nullopt;

  std::vector<Expr> factors, ofRows, ofColumns;
  collectFactors(inlined(sum.value), factors);
  for (const Expr& factor : factors) {
    const bool row = mentions(factor, m), column = mentions(factor, k);
    if ((row && column) || !isPure(program, factor, sum.buffer)) return std::nullopt;
    (column ? ofColumns : ofRows).push_back(factor);
  }
  if (ofRows.empty() || ofColumns.empty()) return std::nullopt;
  match.a = product(ofRows);
  match.b = product(ofColumns);
  return match;
}

}  // namespace rlc::cpu
