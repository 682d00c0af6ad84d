#include "compiler/schedule/components.h"

#include <algorithm>
#include <map>

#include "compiler/pdg/strong_components.h"

namespace rlc::schedule {

Components findComponents(const std::vector<int>& statements, const Edges& dependences,
                          const std::vector<std::vector<int>>& together) {
  std::map<int, int> position;
  for (size_t k = 0; k < statements.size(); ++k) position[statements[k]] = static_cast<int>(k);
  std::vector<std::vector<int>> next(statements.size());
  std::vector<bool> selfDependent(statements.size());
  for (const Dependence* dependence : dependences) {
    const int from = position.at(dependence->source), to = position.at(dependence->sink);
    if (from == to) selfDependent[static_cast<size_t>(from)] = true;
    next[static_cast<size_t>(from)].push_back(to);
  }
  for (const std::vector<int>& group : together)
    for (size_t k = 0; k < group.size(); ++k)
      next[static_cast<size_t>(position.at(group[k]))].push_back(
          position.at(group[(k + 1) % group.size()]));
  const pdg::StrongComponents found = pdg::findStrongComponents(next);

  // Renumber components by their first statement, so that the order in the source decides where
  // dependences don't.
  std::vector<int> number(static_cast<size_t>(found.count), -1);
  Components result;
  result.of.resize(statements.size());
  for (size_t k = 0; k < statements.size(); ++k) {
    int& mine = number[static_cast<size_t>(found.of[k])];
    if (mine < 0) {
      mine = static_cast<int>(result.members.size());
      result.members.emplace_back();
    }
    result.of[k] = mine;
    result.members[static_cast<size_t>(mine)].push_back(statements[k]);
  }
  result.successors.resize(result.members.size());
  result.cyclic.resize(result.members.size());
  for (size_t k = 0; k < statements.size(); ++k) {
    const auto from = static_cast<size_t>(result.of[k]);
    if (selfDependent[k] || result.members[from].size() > 1) result.cyclic[from] = true;
    for (int to : next[k]) {
      const int target = result.of[static_cast<size_t>(to)];
      if (target != static_cast<int>(from)) result.successors[from].push_back(target);
    }
  }
  for (auto& list : result.successors) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return result;
}

Links linksOf(const Components& components, const std::vector<int>& statements,
              const Edges& dependences) {
  Links links;
  for (size_t k = 0; k < statements.size(); ++k)
    links.componentOf[statements[k]] = static_cast<size_t>(components.of[k]);
  links.inner.resize(components.members.size());
  links.incoming.resize(components.members.size());
  links.outgoing.resize(components.members.size());
  for (const Dependence* edge : dependences) {
    const size_t from = links.componentOf.at(edge->source), to = links.componentOf.at(edge->sink);
    if (from == to) {
      links.inner[to].push_back(edge);
      continue;
    }
    links.incoming[to].push_back(edge);
    links.outgoing[from].push_back(edge);
  }
  return links;
}

}  // namespace rlc::schedule
