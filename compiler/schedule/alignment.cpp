#include "compiler/schedule/alignment.h"

#include <algorithm>
#include <set>

namespace rlc::schedule {

std::map<Var, ClassId> alignVariables(const Statements& statements,
                                      const std::vector<Dependence>& dependences) {
  std::map<Var, ClassId> classOf;
  std::map<ClassId, std::set<int>> users;  // statements with a variable of the class
  for (size_t s = 0; s < statements.list.size(); ++s)
    for (Var var : statements.list[s].vars) {
      classOf[var] = var.id;
      users[var.id].insert(static_cast<int>(s));
    }
  auto unite = [&](Var a, Var b) {
    ClassId keep = classOf.at(a), drop = classOf.at(b);
    if (keep == drop) return;
    if (drop < keep) std::swap(keep, drop);
    const auto& left = users[keep];
    const auto& right = users[drop];
    const bool clash =
        std::any_of(right.begin(), right.end(), [&](int s) { return left.contains(s); });
    if (clash) return;
    users[keep].insert(right.begin(), right.end());
    users.erase(drop);
    for (auto& [var, id] : classOf)
      if (id == drop) id = keep;
  };
  for (const Dependence& dependence : dependences) {
    const Statement& source = statements.list[static_cast<size_t>(dependence.source)];
    for (size_t k = 0; k < source.vars.size(); ++k)
      if (dependence.shifts[k]) unite(source.vars[k], dependence.shifts[k]->var);
  }
  return classOf;
}

}  // namespace rlc::schedule
