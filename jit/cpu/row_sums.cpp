#include "jit/cpu/row_sums.h"

#include <bit>

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

}  // namespace

std::optional<RowSums> matchRowSums(const Program& program, const Stmt& loop, int64_t length,
                                    const std::function<bool(const Expr&)>& isVarying) {
  RowSums match;
  Renaming inlined;
  match.rows = &loop;
  if (!isCountedLoop(match.rows)) return std::nullopt;
  match.accumulate = onlyStatement(loop.body, inlined);
  match.count = *tripCount(loop);
  if (!isSharedSum(program, match.accumulate) || 2 * match.count < length) return std::nullopt;
  const Stmt& sum = *match.accumulate;
  match.index = inlined(sum.index);
  std::vector<Expr> factors, ofRows, ofAll;
  collectFactors(inlined(sum.value), factors);
  for (const Expr& factor : factors)
    (mentions(factor, loop.var) ? ofRows : ofAll).push_back(factor);
  if (ofRows.empty()) return std::nullopt;
  match.value = product(ofRows);
  if (!ofAll.empty()) match.ofColumn = product(ofAll);
  if (stepOf(match.index, loop.var) != 1 || isVarying(match.index) || isVarying(loop.lo) ||
      !isSmall(match.value) || !isPure(program, inlined(sum.value), sum.buffer))
    return std::nullopt;
  return match;
}

std::optional<RowSums> asRowSums(const OuterProduct& product, int64_t length) {
  const int64_t columns = product.columnCount;
  if (!std::has_single_bit(static_cast<uint64_t>(columns)) || columns * kOuterProducts > length ||
      product.rowCount * columns < length)
    return std::nullopt;
  if (stepOf(product.index, product.rows->var) != columns) return std::nullopt;
  if (!isSmall(product.a)) return std::nullopt;
  return RowSums{.rows = product.rows,
                 .columns = product.columns,
                 .accumulate = product.accumulate,
                 .index = product.index,
                 .value = product.a,
                 .ofColumn = product.b,
                 .count = product.rowCount * columns,
                 .columnCount = columns};
}

}  // namespace rlc::cpu
