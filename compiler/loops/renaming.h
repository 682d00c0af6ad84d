// Expressions with variables and elements of buffers replaced.
#pragma once

#include <functional>
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
  // All of a buffer's elements, stored ones too: each is where `place` says, of its index as it is
  // after the renaming.
  void moveElements(BufferId buffer, std::function<Expr(const Expr& index)> place);
  void keepElements(BufferId buffer);  // undoes it for all elements of that buffer
  bool touches(const Expr& e) const;   // whether a variable would be replaced
  VarId local(VarId var) const;        // what a replaced local is called now
  Expr operator()(const Expr& e);
  Expr indexIn(BufferId buffer, const Expr& index);  // of an element that is stored

 private:
  struct Element {
    BufferId buffer;
    Expr index, with;
  };

  std::map<VarId, Expr> replacements_;
  std::vector<Element> elements_;
  std::map<BufferId, std::function<Expr(const Expr& index)>> places_;
  std::unordered_map<const ExprNode*, Expr> done_;
};

}  // namespace rlc::loops
