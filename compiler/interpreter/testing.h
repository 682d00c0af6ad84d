// Helpers of this folder's tests.
#pragma once

#include <limits>
#include <vector>

#include "compiler/interpreter/interpreter.h"
#include "compiler/pdg/testing.h"

namespace rlc::interpreter {

using Values = std::vector<double>;

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline const IndexExpr e0 = Var::element(0), e1 = Var::element(1);

inline Values values(pdg::testing::GraphBuilder& g, NodeId id, const Point& point = {}) {
  Values result;
  for (const Scalar& element : Interpreter(g.graph()).evaluate(id, point).elements)
    result.push_back(element.asDouble());
  return result;
}

}  // namespace rlc::interpreter
