// What all coefficients of an index expression are multiples of.
#pragma once

#include <numeric>

#include "compiler/polyhedral/index_expr.h"

namespace rlc::polyhedral {

// The greatest common divisor of the terms' coefficients and `start`; 0 where all of them are.
inline int64_t commonDivisor(const IndexExpr& e, int64_t start = 0) {
  for (const IndexExpr::Term& term : e.terms()) start = std::gcd(start, term.coefficient);
  return start;
}

}  // namespace rlc::polyhedral
