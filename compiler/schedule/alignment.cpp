#include "compiler/schedule/alignment.h"

#include <algorithm>

namespace rlc::schedule {

Alignment::Alignment(const Statements& statements, const std::vector<Dependence>& dependences) {
  for (size_t s = 0; s < statements.list.size(); ++s)
    for (Var var : statements.list[s].vars) {
      classOf_[var] = var.id;
      users_[var.id].insert(static_cast<int>(s));
    }
  for (const Dependence& dependence : dependences) {
    const Statement& source = statements.list[static_cast<size_t>(dependence.source)];
    for (size_t k = 0; k < source.vars.size(); ++k)
      if (dependence.shifts[k]) unite(classOf(source.vars[k]), classOf(dependence.shifts[k]->var));
  }
}

bool Alignment::unite(ClassId a, ClassId b) {
  if (a == b) return true;
  const ClassId keep = std::min(a, b), drop = std::max(a, b);
  std::set<int>& left = users_[keep];
  const std::set<int>& right = users_[drop];
  if (std::any_of(right.begin(), right.end(), [&](int s) { return left.contains(s); }))
    return false;
  left.insert(right.begin(), right.end());
  users_.erase(drop);
  for (auto& [var, id] : classOf_)
    if (id == drop) id = keep;
  return true;
}

}  // namespace rlc::schedule
