// Lists of variables, each once.
#pragma once

#include <vector>

#include "compiler/polyhedral/index_expr.h"
#include "compiler/types/lists.h"

namespace rlc::polyhedral {

// Those of a, then those of b, which has none of them.
inline std::vector<Var> joined(std::vector<Var> a, const std::vector<Var>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace rlc::polyhedral
