// Expressions with variables and elements of buffers replaced.
#pragma once

#include <map>
#include <unordered_map>

#include "compiler/loops/ir.h"

namespace rlc::loops {

// Replaces variables; shared nodes stay shared within one Renaming.
class Renaming {
 public:
  void replace(VarId var, Expr with);
  // Loads of that element, whose index is given as it is after the renaming.
  void replaceElement(BufferId buffer, Expr index, Expr with);
  void keepElements(BufferId buffer);  // undoes it for all elements of that buffer
  bool touches(const Expr& e) const;   // whether a variable would be replaced
  VarId local(VarId var) const;        // what a replaced local is called now
  Expr operator()(const Expr& e);

 private:
  struct Element {
    BufferId buffer;
    Expr index, with;
  };

  std::map<VarId, Expr> replacements_;
  std::vector<Element> elements_;
  std::unordered_map<const ExprNode*, Expr> done_;
};

}  // namespace rlc::loops
