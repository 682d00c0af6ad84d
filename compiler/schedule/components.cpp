#include "compiler/schedule/components.h"

#include <algorithm>
#include <map>

namespace rlc::schedule {

namespace {

struct Tarjan {
  const std::vector<std::vector<int>>& next;
  std::vector<int> order, low, component;
  std::vector<int> stack;
  std::vector<bool> onStack;
  int counter = 0, components = 0;

  explicit Tarjan(const std::vector<std::vector<int>>& graph)
      : next(graph), order(graph.size(), -1), low(graph.size()), component(graph.size(), -1), onStack(graph.size()) {
    for (size_t v = 0; v < graph.size(); ++v)
      if (order[v] < 0) visit(static_cast<int>(v));
  }

  void visit(int root) {
    std::vector<std::pair<int, size_t>> frames{{root, 0}};
    enter(root);
    while (!frames.empty()) {
      auto& [v, edge] = frames.back();
      const auto at = static_cast<size_t>(v);
      if (edge < next[at].size()) {
        const int w = next[at][edge++];
        const auto to = static_cast<size_t>(w);
        if (order[to] < 0) {
          enter(w);
          frames.push_back({w, 0});
        } else if (onStack[to]) {
          low[at] = std::min(low[at], order[to]);
        }
        continue;
      }
      const int done = v;
      if (low[at] == order[at]) close(done);
      frames.pop_back();
      if (!frames.empty()) {
        int& parent = low[static_cast<size_t>(frames.back().first)];
        parent = std::min(parent, low[static_cast<size_t>(done)]);
      }
    }
  }

  void enter(int v) {
    order[static_cast<size_t>(v)] = low[static_cast<size_t>(v)] = counter++;
    stack.push_back(v);
    onStack[static_cast<size_t>(v)] = true;
  }

  void close(int root) {
    while (true) {
      const int v = stack.back();
      stack.pop_back();
      onStack[static_cast<size_t>(v)] = false;
      component[static_cast<size_t>(v)] = components;
      if (v == root) break;
    }
    ++components;
  }
};

}  // namespace

Components findComponents(const std::vector<int>& statements, const std::vector<const Dependence*>& dependences,
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
      next[static_cast<size_t>(position.at(group[k]))].push_back(position.at(group[(k + 1) % group.size()]));
  Tarjan tarjan(next);

  // Renumber components by their first statement, so that the order in the source decides where dependences don't.
  std::vector<int> number(static_cast<size_t>(tarjan.components), -1);
  Components result;
  result.of.resize(statements.size());
  for (size_t k = 0; k < statements.size(); ++k) {
    int& mine = number[static_cast<size_t>(tarjan.component[k])];
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

}  // namespace rlc::schedule
