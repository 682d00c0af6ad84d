// Helpers of this folder's tests.
#pragma once

#include <vector>

#include "compiler/interpreter/interpreter.h"
#include "compiler/pdg/testing.h"

namespace rlc::interpreter {

using Values = std::vector<double>;

inline Values values(pdg::testing::GraphBuilder& g, NodeId id, const Point& point = {}) {
  Values result;
  for (const Scalar& element : Interpreter(g.graph()).evaluate(id, point).elements)
    result.push_back(element.asDouble());
  return result;
}

}  // namespace rlc::interpreter
