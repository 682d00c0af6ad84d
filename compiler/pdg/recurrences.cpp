#include "compiler/pdg/recurrences.h"

#include <algorithm>
#include <map>

#include "compiler/pdg/traversal.h"

namespace rlc::pdg {

namespace {

// A node of a breadth-first search over reads, with the point of it that the start depends on.
struct Step {
  NodeId node = -1;
  int from = -1;               // the step before
  std::vector<IndexExpr> at;   // of `node`, over the start's dims and whatever ranges bind on the way
};

std::vector<IndexExpr> composed(const Read& read, const Node& consumer, const std::vector<IndexExpr>& at) {
  std::map<Var, IndexExpr> point;
  for (size_t k = 0; k < at.size(); ++k) point.emplace(consumer.dims[k], at[k]);
  std::vector<IndexExpr> result;
  for (const IndexExpr& e : read.at) result.push_back(e.substitute(point));
  return result;
}

class Search {
 public:
  Search(const Graph& graph, const std::vector<int>& componentOf) : graph_(graph), componentOf_(componentOf) {}

  // The shortest way back to `start`: its steps, the first and the last of them at `start`; empty where there is none.
  std::vector<Step> cycle(NodeId start) {
    std::vector<bool> seen(static_cast<size_t>(graph_.size()));
    std::vector<IndexExpr> own;
    for (Var dim : graph_.node(start).dims) own.emplace_back(dim);
    std::vector<Step> steps{{start, -1, own}};
    for (size_t k = 0; k < steps.size(); ++k) {
      const Node& node = graph_.node(steps[k].node);
      for (const Read& read : node.inputs) {
        const auto producer = static_cast<size_t>(read.producer);
        if (componentOf_[producer] != componentOf_[static_cast<size_t>(start)] || seen[producer]) continue;
        seen[producer] = true;
        Step next{read.producer, static_cast<int>(k), composed(read, node, steps[k].at)};
        if (read.producer == start) return wayTo(steps, std::move(next));
        steps.push_back(std::move(next));
      }
    }
    return {};
  }

 private:
  static std::vector<Step> wayTo(const std::vector<Step>& steps, Step last) {
    std::vector<Step> way{std::move(last)};
    while (way.back().from >= 0) way.push_back(steps[static_cast<size_t>(way.back().from)]);
    std::reverse(way.begin(), way.end());
    return way;
  }

  const Graph& graph_;
  const std::vector<int>& componentOf_;
};

std::string textOf(const IndexExpr& e, const polyhedral::VarNamer& namer) {
  return e.hasValue() ? "data" : e.toString(namer);
}

std::string describe(const Graph& graph, const std::string& name, const std::vector<Step>& way, size_t dim) {
  const auto namer = graph.namer();
  const Node& node = graph.node(way.front().node);
  std::string text = "`" + name + "[" + namer(node.dims[dim]) + "]` reads `" + name + "[" +
                     textOf(way.back().at[dim], namer) + "]`";
  std::vector<std::string> names;
  for (size_t k = 1; k + 1 < way.size(); ++k) {
    const std::string& other = graph.node(way[k].node).name;
    if (!other.empty() && other != name) names.push_back(other);
  }
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? ", through `" : k + 1 == names.size() ? " and `" : ", `") + names[k] + "`";
  return text;
}

}  // namespace

std::vector<Recurrence> recurrences(const Graph& graph) {
  std::vector<int> componentOf(static_cast<size_t>(graph.size()));
  const auto all = components(graph);
  for (size_t c = 0; c < all.size(); ++c)
    for (NodeId id : all[c]) componentOf[static_cast<size_t>(id)] = static_cast<int>(c);
  const std::vector<bool> cyclic = recurrent(graph);

  const std::vector<std::string> names = displayNames(graph);
  std::vector<Recurrence> result;
  Search search(graph, componentOf);
  for (const Node& node : graph.nodes()) {
    const std::string& name = names[static_cast<size_t>(node.id)];
    if (!cyclic[static_cast<size_t>(node.id)] || name.empty()) continue;
    if (node.name.empty() && !std::holds_alternative<Merge>(node.op)) continue;
    const std::vector<Step> way = search.cycle(node.id);
    if (way.empty()) continue;
    for (size_t k = 0; k < node.dims.size(); ++k) {
      if (way.back().at[k] == IndexExpr(node.dims[k])) continue;
      Recurrence found{node.id, name, node.dims[k], {}, node.span, describe(graph, name, way, k)};
      const Span equation = graph.node(way[1].node).span;
      if (equation.file == node.span.file) found.span = equation;
      for (size_t step = 1; step + 1 < way.size(); ++step)
        if (!graph.node(way[step].node).name.empty()) found.through.push_back(way[step].node);
      result.push_back(std::move(found));
    }
  }
  return result;
}

std::string rootName(const std::string& name) {
  const size_t slash = name.rfind('/');
  return name.substr(0, name.find('.', slash == std::string::npos ? 0 : slash));
}

}  // namespace rlc::pdg
