#include "compiler/loops/renaming.h"

#include <utility>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/expressions.h"

namespace rlc::loops {

void Renaming::replace(VarId var, Expr with) {
  replacements_[var] = std::move(with);
  done_.clear();
}

void Renaming::replaceElement(BufferId buffer, Expr index, Expr with) {
  elements_.push_back({buffer, std::move(index), std::move(with)});
  done_.clear();
}

void Renaming::moveElements(BufferId buffer, std::function<Expr(const Expr& index)> place) {
  places_[buffer] = std::move(place);
  done_.clear();
}

Expr Renaming::indexIn(BufferId buffer, const Expr& index) {
  const auto moved = places_.find(buffer);
  return moved == places_.end() ? (*this)(index) : moved->second((*this)(index));
}

void Renaming::keepElements(BufferId buffer) {
  std::erase_if(elements_, [&](const Element& element) { return element.buffer == buffer; });
  done_.clear();
}

bool Renaming::touches(const Expr& e) const {
  bool found = false;
  if (e)
    forEachNode(e, [&](const ExprNode& node) {
      found |= node.kind == ExprNode::Kind::Variable && replacements_.count(node.var) != 0;
    });
  return found;
}

VarId Renaming::local(VarId var) const {
  const auto found = replacements_.find(var);
  if (found == replacements_.end()) return var;
  if (found->second->kind != ExprNode::Kind::Variable)
    throw InternalError("renaming: a local became an expression");
  return found->second->var;
}

Expr Renaming::operator()(const Expr& e) {
  if (!e) return e;
  if (e->kind == ExprNode::Kind::Variable) {
    const auto found = replacements_.find(e->var);
    return found == replacements_.end() ? e : found->second;
  }
  if (e->args.empty()) return e;
  const auto found = done_.find(e.get());
  if (found != done_.end()) return found->second;
  std::vector<Expr> args;
  bool changed = false;
  for (const Expr& arg : e->args) {
    args.push_back((*this)(arg));
    changed |= args.back() != arg;
  }
  Expr result = e;
  if (const auto moved = places_.find(e->buffer);
      e->kind == ExprNode::Kind::Load && moved != places_.end()) {
    args.front() = moved->second(args.front());
    changed = true;
  }
  if (e->kind == ExprNode::Kind::Load)
    for (const Element& element : elements_)
      if (element.buffer == e->buffer && sameExpr(element.index, args.front()))
        return done_[e.get()] = element.with;
  if (changed && e->kind == ExprNode::Kind::Op && e->type == DType::I64 &&
      e->op != ScalarOp::Cast) {
    result = op(e->op, std::move(args));
  } else if (changed) {
    auto node = std::make_shared<ExprNode>(*e);
    node->args = std::move(args);
    result = node;
  }
  return done_[e.get()] = result;
}

}  // namespace rlc::loops
