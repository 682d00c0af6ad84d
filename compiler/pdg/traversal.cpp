#include "compiler/pdg/traversal.h"

#include <algorithm>
#include <deque>

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

namespace {

class Tarjan {
 public:
  explicit Tarjan(const Graph& graph)
      : graph_(graph),
        order_(static_cast<size_t>(graph.size()), -1),
        low_(order_.size(), 0),
        on_stack_(order_.size()) {}

  std::vector<std::vector<NodeId>> run() {
    for (NodeId id = 0; id < graph_.size(); ++id)
      if (order_[index(id)] < 0) visit(id);
    return std::move(components_);
  }

 private:
  struct Frame {
    NodeId node;
    size_t next;  // input to look at
  };

  static size_t index(NodeId id) { return static_cast<size_t>(id); }

  void enter(NodeId id) {
    order_[index(id)] = low_[index(id)] = counter_++;
    stack_.push_back(id);
    on_stack_[index(id)] = true;
    frames_.push_back({id, 0});
  }

  void visit(NodeId root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const Node& node = graph_.node(frame.node);
      if (frame.next < node.inputs.size()) {
        const NodeId producer = node.inputs[frame.next++].producer;
        if (order_[index(producer)] < 0) {
          enter(producer);
        } else if (on_stack_[index(producer)]) {
          low_[index(node.id)] = std::min(low_[index(node.id)], order_[index(producer)]);
        }
        continue;
      }
      frames_.pop_back();
      if (low_[index(node.id)] == order_[index(node.id)]) close(node.id);
      if (!frames_.empty()) {
        int& low = low_[index(frames_.back().node)];
        low = std::min(low, low_[index(node.id)]);
      }
    }
  }

  void close(NodeId head) {
    std::vector<NodeId> component;
    NodeId member;
    do {
      member = stack_.back();
      stack_.pop_back();
      on_stack_[index(member)] = false;
      component.push_back(member);
    } while (member != head);
    std::sort(component.begin(), component.end());
    components_.push_back(std::move(component));
  }

  const Graph& graph_;
  std::vector<int> order_, low_;
  std::vector<bool> on_stack_;
  std::vector<NodeId> stack_;
  std::vector<Frame> frames_;
  std::vector<std::vector<NodeId>> components_;
  int counter_ = 0;
};

}  // namespace

std::vector<std::vector<NodeId>> components(const Graph& graph) { return Tarjan(graph).run(); }

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

std::vector<std::string> displayNames(const Graph& graph) {
  std::vector<std::string> names(static_cast<size_t>(graph.size()));
  std::deque<NodeId> pending;
  for (const Node& node : graph.nodes()) {
    if (node.name.empty()) continue;
    names[static_cast<size_t>(node.id)] = node.name;
    pending.push_back(node.id);
  }
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
  return names;
}

}  // namespace rlc::pdg
