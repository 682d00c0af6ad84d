#include "jit/cpu/row_sums.h"

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int kLargestValue = 16;  // nodes of an expression that is worth emitting for each element
// A register of sums takes about as long as this many of an outer product's, for a block of two
// registers; those of rows shorter than a register are only partly used.
constexpr int64_t kOuterProducts = 3;

// Bodies of loops that code is generated for element by element.
bool isSmall(const Expr& value) {
  int nodes = 0;
  forEachNode(value, [&](const ExprNode&) { ++nodes; });
  return nodes <= kLargestValue;
}

// Whether it may be evaluated in another order, and before `buffer` changes.
bool isPure(const Program& program, const Expr& value, BufferId buffer) {
  bool pure = true;
  forEachNode(value, [&](const ExprNode& node) {
    pure &= node.kind != ExprNode::Kind::Random &&
            (node.buffer < 0 || !mayOverlap(program, node.buffer, buffer));
  });
  return pure;
}

}  // namespace

std::optional<RowSums> matchRowSums(const Program& program, const Stmt& loop, int64_t length,
                                    const std::function<bool(const Expr&)>& isVarying) {
  RowSums match;
  Renaming inlined;
  match.rows = &loop;
  if (!isCountedLoop(match.rows)) return std::nullopt;
  match.accumulate = onlyStatement(loop.body, inlined);
  if (match.accumulate == nullptr || match.accumulate->kind != Stmt::Kind::Accumulate)
    return std::nullopt;
  const Stmt& sum = *match.accumulate;
  const loops::Buffer& buffer = program.buffers[static_cast<size_t>(sum.buffer)];
  match.count = *tripCount(loop);
  if (sum.combine != loops::Combine::Sum || buffer.type != DType::F32 ||
      buffer.kind != loops::Buffer::Kind::Arena || 2 * match.count < length)
    return std::nullopt;
  match.index = inlined(sum.index);
  std::vector<Expr> factors, ofRows, ofAll;
  collectFactors(inlined(sum.value), factors);
  for (const Expr& factor : factors)
    (mentions(factor, loop.var) ? ofRows : ofAll).push_back(factor);
  if (ofRows.empty()) return std::nullopt;
  match.value = product(ofRows);
  if (!ofAll.empty()) match.ofColumn = product(ofAll);
  const auto linear = linearIn(match.index, [&](VarId var) { return var == loop.var; });
  if (!linear || linear->coefficients.count(loop.var) == 0 ||
      linear->coefficients.at(loop.var) != 1 || isVarying(match.index) || isVarying(loop.lo) ||
      !isSmall(match.value) || !isPure(program, inlined(sum.value), sum.buffer))
    return std::nullopt;
  return match;
}

std::optional<RowSums> asRowSums(const OuterProduct& product, int64_t length) {
  const int64_t columns = product.columnCount;
  const bool power = (columns & (columns - 1)) == 0;
  if (!power || columns * kOuterProducts > length || product.rowCount * columns < length)
    return std::nullopt;
  const VarId m = product.rows->var, k = product.columns->var;
  const auto linear = linearIn(product.index, [&](VarId var) { return var == m || var == k; });
  if (linear->coefficients.count(m) == 0 || linear->coefficients.at(m) != columns)
    return std::nullopt;
  if (!isSmall(product.a)) return std::nullopt;
  RowSums result;
  result.rows = product.rows;
  result.columns = product.columns;
  result.accumulate = product.accumulate;
  result.index = product.index;
  result.value = product.a;
  result.ofColumn = product.b;
  result.count = product.rowCount * columns;
  result.columnCount = columns;
  return result;
}

}  // namespace rlc::cpu
