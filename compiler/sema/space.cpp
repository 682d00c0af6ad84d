#include "compiler/sema/space.h"

#include <algorithm>

namespace rlc::sema {

const Set& Space::over(const std::vector<Var>& vars) const {
  if (vars == dims) return domain;
  auto it = projections_.find(vars);
  if (it == projections_.end()) it = projections_.emplace(vars, domain.projectOnto(vars)).first;
  return it->second;
}

std::shared_ptr<Space> Space::clone() const {
  auto copy = std::make_shared<Space>();
  copy->open = open;
  copy->dims = dims;
  if (!open) copy->domain = domain;
  copy->index = index;
  copy->touched = touched;
  copy->drawAt = drawAt;
  return copy;
}

SpaceRef Space::narrow(const Condition& condition) const {
  auto copy = clone();
  if (!open) copy->domain = domain.intersect(condition);
  return copy;
}

SpaceRef Space::narrow(const Set& set) const {
  auto copy = clone();
  if (!open) copy->domain = domain.intersect(set.extendTo(dims));
  return copy;
}

std::shared_ptr<Space> Space::extend(Var var, const IndexExpr& lo, const IndexExpr& hi) const {
  auto copy = clone();
  copy->dims.push_back(var);
  if (!open)
    copy->domain = domain.extendTo(copy->dims).intersect(Condition::within(IndexExpr(var), lo, hi));
  return copy;
}

std::vector<Var> Space::order(std::vector<Var> vars) const {
  std::sort(vars.begin(), vars.end(), [&](Var a, Var b) {
    auto ia = std::find(dims.begin(), dims.end(), a), ib = std::find(dims.begin(), dims.end(), b);
    return ia != ib ? ia < ib : a < b;
  });
  return vars;
}

}  // namespace rlc::sema
