#include "compiler/pdg/traversal.h"

#include <algorithm>
#include <deque>

#include "compiler/pdg/strong_components.h"

namespace rlc::pdg {

std::vector<std::vector<NodeId>> users(const Graph& graph) {
  std::vector<std::vector<NodeId>> result(static_cast<size_t>(graph.size()));
  for (const Node& node : graph.nodes()) {
    for (const Read& read : node.inputs) {
      auto& list = result.at(static_cast<size_t>(read.producer));
      if (list.empty() || list.back() != node.id) list.push_back(node.id);
    }
  }
  return result;
}

std::vector<int> readCounts(const Graph& graph) {
  std::vector<int> counts(static_cast<size_t>(graph.size()));
  for (const Node& node : graph.nodes())
    for (const Read& read : node.inputs) ++counts[static_cast<size_t>(read.producer)];
  return counts;
}

std::vector<std::vector<NodeId>> components(const Graph& graph) {
  std::vector<std::vector<int>> producers(static_cast<size_t>(graph.size()));
  for (const Node& node : graph.nodes())
    for (const Read& read : node.inputs)
      producers[static_cast<size_t>(node.id)].push_back(read.producer);
  const StrongComponents found = findStrongComponents(producers);
  std::vector<std::vector<NodeId>> result(static_cast<size_t>(found.count));
  for (NodeId id = 0; id < graph.size(); ++id)
    result[static_cast<size_t>(found.of[static_cast<size_t>(id)])].push_back(id);
  return result;
}

std::vector<bool> recurrent(const Graph& graph) {
  std::vector<bool> result(static_cast<size_t>(graph.size()));
  for (const auto& component : components(graph)) {
    const Node& head = graph.node(component.front());
    const bool self = std::any_of(head.inputs.begin(), head.inputs.end(),
                                  [&](const Read& read) { return read.producer == head.id; });
    if (component.size() > 1 || self)
      for (NodeId id : component) result[static_cast<size_t>(id)] = true;
  }
  return result;
}

std::vector<bool> reachable(const Graph& graph, const std::vector<NodeId>& roots) {
  std::vector<bool> seen(static_cast<size_t>(graph.size()));
  std::vector<NodeId> pending;
  auto reach = [&](NodeId id) {
    if (seen[static_cast<size_t>(id)]) return;
    seen[static_cast<size_t>(id)] = true;
    pending.push_back(id);
  };
  for (NodeId root : roots) reach(root);
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    for (const Read& read : graph.node(id).inputs) reach(read.producer);
  }
  return seen;
}

std::vector<NodeId> sinkRoots(const Graph& graph) {
  std::vector<NodeId> roots;
  for (const Sink& sink : graph.sinks()) {
    forEachLeaf(sink.value, [&](const Read& read) { roots.push_back(read.producer); });
    if (sink.where) roots.push_back(sink.where->producer);
  }
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

std::vector<NodeId> roots(const Graph& graph) {
  std::vector<NodeId> result = sinkRoots(graph);
  for (int id = 0; id < graph.dimCount(); ++id)
    if (const NodeId end = graph.dim(Var::dim(id)).end; end >= 0) result.push_back(end);
  return result;
}

std::vector<std::string> displayNames(const Graph& graph) {
  std::vector<std::string> names(static_cast<size_t>(graph.size()));
  std::deque<NodeId> pending;
  for (const Node& node : graph.nodes()) names[static_cast<size_t>(node.id)] = node.name;
  // What a program and its gradient both read belongs to the program.
  for (bool gradients : {false, true}) {
    for (const Node& node : graph.nodes())
      if (!node.name.empty() && node.adjoint == gradients) pending.push_back(node.id);
    while (!pending.empty()) {
      const NodeId id = pending.front();
      pending.pop_front();
      for (const Read& read : graph.node(id).inputs) {
        std::string& name = names[static_cast<size_t>(read.producer)];
        if (!name.empty()) continue;
        name = names[static_cast<size_t>(id)];
        pending.push_back(read.producer);
      }
    }
  }
  return names;
}

}  // namespace rlc::pdg
