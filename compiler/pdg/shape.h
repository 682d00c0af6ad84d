// Constants and shapes of the graph, as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

// The extents, where all are constants.
std::optional<std::vector<int64_t>> constantShape(const Node& node);
// The largest extents over the domain: the storage that a point needs. Throws InternalError where
// the domain is unbounded.
std::vector<int64_t> maximumShape(const Node& node);
int64_t elementCount(const std::vector<int64_t>& shape);  // 1 for a scalar

std::vector<IndexExpr> shapeOf(const std::vector<int64_t>& extents);
std::vector<Var> elementVars(const Node& node);  // Var::element(0), ...
std::vector<IndexExpr> identity(const std::vector<Var>& vars);

// The value of a node that is the same constant at every point and element.
std::optional<Scalar> splatValue(const Node& node);
DenseTensor scalarTensor(Scalar value);
Scalar zero(DType type);
Scalar one(DType type);

}  // namespace rlc::pdg
