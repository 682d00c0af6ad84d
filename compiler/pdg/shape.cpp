#include "compiler/pdg/shape.h"

#include <algorithm>

#include "compiler/diagnostics/internal_error.h"

namespace rlc::pdg {

std::optional<std::vector<int64_t>> constantShape(const Node& node) {
  std::vector<int64_t> extents;
  for (const IndexExpr& extent : node.shape) {
    auto constant = extent.asConstant();
    if (!constant) return std::nullopt;
    extents.push_back(*constant);
  }
  return extents;
}

std::vector<int64_t> maximumShape(const Node& node) {
  if (auto extents = constantShape(node)) return *extents;
  std::vector<int64_t> extents;
  for (const IndexExpr& extent : node.shape) {
    auto constant = extent.asConstant();
    const int64_t largest = constant ? *constant : node.domain.maximum(extent).value_or(0);
    if (largest == INT64_MAX) throw InternalError("an extent of `" + node.name + "` is unbounded");
    extents.push_back(std::max<int64_t>(largest, 0));
  }
  return extents;
}

int64_t elementCount(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (__builtin_mul_overflow(count, std::max<int64_t>(extent, 0), &count))
      throw InternalError("a shape has more than 2^63 elements");
  }
  return count;
}

std::vector<IndexExpr> shapeOf(const std::vector<int64_t>& extents) {
  return {extents.begin(), extents.end()};
}

std::vector<Var> elementVars(const Node& node) {
  std::vector<Var> vars;
  for (size_t axis = 0; axis < node.shape.size(); ++axis)
    vars.push_back(Var::element(static_cast<int>(axis)));
  return vars;
}

std::vector<IndexExpr> identity(const std::vector<Var>& vars) { return {vars.begin(), vars.end()}; }

std::optional<Scalar> splatValue(const Node& node) {
  const Constant* constant = std::get_if<Constant>(&node.op);
  if (!constant || constant->value.elements.empty()) return std::nullopt;
  const Scalar& first = constant->value.elements.front();
  for (const Scalar& element : constant->value.elements)
    if (!identical(element, first)) return std::nullopt;
  return first;
}

DenseTensor scalarTensor(Scalar value) { return {value.type, {}, {value}}; }

Scalar zero(DType type) { return Scalar::ofInt(type, 0); }
Scalar one(DType type) { return Scalar::ofInt(type, 1); }

}  // namespace rlc::pdg
