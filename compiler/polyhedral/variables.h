// Lists of variables, each once.
#pragma once

#include <algorithm>
#include <vector>

#include "compiler/polyhedral/index_expr.h"

namespace rlc::polyhedral {

inline bool contains(const std::vector<Var>& vars, Var var) {
  return std::ranges::find(vars, var) != vars.end();
}

// Those of a, then those of b, which has none of them.
inline std::vector<Var> joined(std::vector<Var> a, const std::vector<Var>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace rlc::polyhedral
