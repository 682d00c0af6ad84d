// Expressions with variables replaced.
#pragma once

#include <map>
#include <unordered_map>

#include "compiler/loops/ir.h"

namespace rlc::loops {

// Replaces variables; shared nodes stay shared within one Renaming.
class Renaming {
 public:
  void replace(VarId var, Expr with);
  bool touches(const Expr& e) const;  // whether anything would be replaced
  VarId local(VarId var) const;       // what a replaced local is called now
  Expr operator()(const Expr& e);

 private:
  std::map<VarId, Expr> replacements_;
  std::unordered_map<const ExprNode*, Expr> done_;
};

}  // namespace rlc::loops
