#include "compiler/schedule/lazy_faults.h"

#include <algorithm>

#include "compiler/pdg/faults.h"
#include "compiler/pdg/past_end.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"
#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

using pdg::Graph;
using pdg::Node;
using pdg::NodeId;

constexpr int kMostCopies = 8;       // of one node in the expressions that read it
constexpr int kMostOperations = 16;  // of what is computed at more points than it has

bool isExpression(const Node& node) {
  if (const auto* draw = std::get_if<pdg::Draw>(&node.op))
    return draw->kind == pdg::DrawKind::UniformInt;
  return std::holds_alternative<pdg::Map>(node.op) || std::holds_alternative<pdg::Merge>(node.op) ||
         std::holds_alternative<pdg::Detach>(node.op);
}

// Of an element, in additions, about.
int operationsOf(const Node& node) {
  if (std::holds_alternative<pdg::Draw>(node.op)) return 100;
  const auto* map = std::get_if<pdg::Map>(&node.op);
  return map && isTranscendental(map->op) ? 20 : 1;
}

class Finder {
 public:
  explicit Finder(const Graph& graph)
      : graph_(graph),
        components_(pdg::components(graph)),
        live_(pdg::reachable(graph, pdg::roots(graph))),
        candidate_(static_cast<size_t>(graph.size())),
        copies_(static_cast<size_t>(graph.size())),
        operations_(static_cast<size_t>(graph.size())) {}

  std::vector<bool> find() {
    markCandidates();
    if (!contains(candidate_, true)) return candidate_;  // as in nearly all programs
    for (const pdg::Sink& sink : graph_.sinks())
      for (const pdg::Read& read : pdg::hostReads(graph_, sink)) askAlways(read.producer);
    for (auto it = components_.rbegin(); it != components_.rend(); ++it)
      for (const NodeId id : *it) decide(graph_.node(id));
    // What is left may be computed again where it is read: without what is stored anyway.
    countOperations();
    for (auto it = components_.rbegin(); it != components_.rend(); ++it)
      for (const NodeId id : *it) limitCopies(graph_.node(id));
    return candidate_;
  }

 private:
  // Expressions of which something faults that they ask for in any case.
  void markCandidates() {
    const std::vector<bool> recurrent = pdg::recurrent(graph_);
    for (const auto& component : components_) {
      const Node& node = graph_.node(component.front());
      const auto id = static_cast<size_t>(node.id);
      if (recurrent[id] || !isExpression(node)) continue;
      candidate_[id] = pdg::mayFault(graph_, node);
      for (size_t k = 0; k < node.inputs.size(); ++k)
        if (candidate_[static_cast<size_t>(node.inputs[k].producer)])
          candidate_[id] = candidate_[id] || pdg::isAlwaysRead(node, k) ||
                           std::holds_alternative<pdg::Merge>(node.op);
    }
  }

  void countOperations() {
    for (const auto& component : components_)
      for (const NodeId id : component) {
        int& own = operations_[static_cast<size_t>(id)];
        own = operationsOf(graph_.node(id));
        for (const pdg::Read& read : graph_.node(id).inputs)
          if (candidate_[static_cast<size_t>(read.producer)])
            own = std::min(own + operations_[static_cast<size_t>(read.producer)],
                           kMostOperations + 1);
      }
  }

  void askAlways(NodeId id) { candidate_[static_cast<size_t>(id)] = false; }

  // All that reads the node has been decided; what it asks for in turn.
  void decide(const Node& node) {
    const auto id = static_cast<size_t>(node.id);
    if (!live_[id] || candidate_[id]) return;
    for (size_t k = 0; k < node.inputs.size(); ++k)
      if (pdg::isAlwaysRead(node, k)) askAlways(node.inputs[k].producer);
  }

  // What would be computed in too many places, or at too many points, is asked for always.
  void limitCopies(const Node& node) {
    const auto id = static_cast<size_t>(node.id);
    if (!live_[id]) return;
    if (copies_[id] > kMostCopies) candidate_[id] = false;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const NodeId producer = node.inputs[k].producer;
      const bool again = !pdg::readsEachPointOnce(node, static_cast<int>(k)) &&
                         operations_[static_cast<size_t>(producer)] > kMostOperations;
      if (again || (!candidate_[id] && pdg::isAlwaysRead(node, k))) askAlways(producer);
      copies_[static_cast<size_t>(producer)] += candidate_[id] ? copies_[id] : 1;
    }
  }

  const Graph& graph_;
  const std::vector<std::vector<NodeId>> components_;
  const std::vector<bool> live_;
  std::vector<bool> candidate_;
  std::vector<int> copies_;      // of a node in expressions, were it part of all that read it
  std::vector<int> operations_;  // of an element with the candidates that it is computed from
};

}  // namespace

std::vector<bool> askedForUnderConditions(const Graph& graph) { return Finder(graph).find(); }

}  // namespace rlc::schedule
