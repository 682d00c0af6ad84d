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
  const Read* read = nullptr;  // by which the step before reads it
  std::vector<IndexExpr> at;   // of `node`, over the start's dims and whatever ranges bind on the
                               // way; of steps of a way only
};

std::vector<IndexExpr> composed(const Read& read, const Node& consumer,
                                const std::vector<IndexExpr>& at) {
  std::map<Var, IndexExpr> point;
  for (size_t k = 0; k < at.size(); ++k) point.emplace(consumer.dims[k], at[k]);
  std::vector<IndexExpr> result;
  for (const IndexExpr& e : read.at) result.push_back(e.substitute(point));
  return result;
}

class Search {
 public:
  Search(const Graph& graph, const std::vector<int>& componentOf)
      : graph_(graph), componentOf_(componentOf), seenBy_(static_cast<size_t>(graph.size())) {}

  // The shortest way back to `start` that begins with one of its inputs: its steps, the first and
  // the last of them at `start`; empty where there is none. A training loop is one component of
  // nearly all nodes, each of which starts a search.
  std::vector<Step> cycle(NodeId start, size_t input) {
    const int component = componentOf_[static_cast<size_t>(start)];
    steps_.assign(1, {start, -1, nullptr, {}});
    ++searches_;
    for (size_t k = 0; k < steps_.size(); ++k) {
      const std::vector<Read>& inputs = graph_.node(steps_[k].node).inputs;
      for (size_t r = k == 0 ? input : 0; r < (k == 0 ? input + 1 : inputs.size()); ++r) {
        const Read& read = inputs[r];
        const auto producer = static_cast<size_t>(read.producer);
        if (componentOf_[producer] != component || seenBy_[producer] == searches_) continue;
        seenBy_[producer] = searches_;
        steps_.push_back({read.producer, static_cast<int>(k), &read, {}});
        if (read.producer == start) return wayTo();
      }
    }
    return {};
  }

 private:
  // To the last step, with the points of all.
  std::vector<Step> wayTo() const {
    std::vector<Step> way{steps_.back()};
    while (way.back().from >= 0) way.push_back(steps_[static_cast<size_t>(way.back().from)]);
    std::reverse(way.begin(), way.end());
    for (Var dim : graph_.node(way.front().node).dims) way.front().at.emplace_back(dim);
    for (size_t k = 1; k < way.size(); ++k)
      way[k].at = composed(*way[k].read, graph_.node(way[k - 1].node), way[k - 1].at);
    return way;
  }

  const Graph& graph_;
  const std::vector<int>& componentOf_;
  std::vector<Step> steps_;
  std::vector<int> seenBy_;  // by node: the number of the last search that came to it
  int searches_ = 0;
};

std::string textOf(const IndexExpr& e, const polyhedral::VarNamer& namer) {
  return e.hasValue() ? "data" : e.toString(namer);
}

std::string describe(const Graph& graph, const std::string& name, const std::vector<Step>& way,
                     size_t dim) {
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

namespace {

// The shortest way that moves along the dim: by a constant distance, if one does.
const std::vector<Step>* wayAlong(const Node& node, const std::vector<std::vector<Step>>& ways,
                                  size_t dim) {
  const std::vector<Step>* moving = nullptr;
  for (const std::vector<Step>& way : ways) {
    const IndexExpr& at = way.back().at[dim];
    if (at == IndexExpr(node.dims[dim])) continue;
    const auto shifted = at.asShifted();
    if (shifted && shifted->var == node.dims[dim]) return &way;
    if (!moving) moving = &way;
  }
  return moving;
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
    std::vector<std::vector<Step>> ways;
    for (size_t input = 0; input < node.inputs.size(); ++input)
      if (auto way = search.cycle(node.id, input); !way.empty()) ways.push_back(std::move(way));
    std::stable_sort(ways.begin(), ways.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (size_t k = 0; k < node.dims.size(); ++k) {
      const std::vector<Step>* closing = wayAlong(node, ways, k);
      if (!closing) continue;
      const std::vector<Step>& way = *closing;
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
