// What an expression mentions, and how an index moves with the variables.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "compiler/loops/ir.h"

namespace rlc::loops {

// `e` and every expression below it, each shared node once.
void forEachNode(const Expr& e, const std::function<void(const ExprNode&)>& visit);

bool mentions(const Expr& e, VarId var);
bool mentionsAny(const Expr& e, const std::function<bool(VarId)>& which);

// Whether both are written alike; draws are never the same.
bool sameExpr(const Expr& a, const Expr& b);

// coefficient * variable, summed, + constant; empty where the expression is not linear.
struct Linear {
  std::map<VarId, int64_t> coefficients;
  int64_t constant = 0;
};
std::optional<Linear> linearOf(const Expr& e);
// The same in the variables that move; what mentions none of them may be anything, and the constant
// is not told.
std::optional<Linear> linearIn(const Expr& e, const std::function<bool(VarId)>& moves);

}  // namespace rlc::loops
