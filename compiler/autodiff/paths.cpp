#include "compiler/autodiff/paths.h"

#include <algorithm>

namespace rlc::autodiff {

namespace {

bool isFlat(ScalarOp op) {
  return op == ScalarOp::FloorDiv || op == ScalarOp::Sign || op == ScalarOp::Floor ||
         op == ScalarOp::Ceil || op == ScalarOp::Round || op == ScalarOp::Trunc;
}

struct Passes {
  int input;
  bool operator()(const pdg::Constant&) const { return false; }
  bool operator()(const pdg::IndexValue&) const { return false; }
  bool operator()(const pdg::Param&) const { return false; }
  bool operator()(const pdg::Map& map) const { return !isFlat(map.op); }
  bool operator()(const pdg::Detach&) const { return false; }
  bool operator()(const pdg::Reduce& reduce) const {
    const bool value = reduce.kind == pdg::ReduceKind::Sum ||
                       reduce.kind == pdg::ReduceKind::Prod ||
                       reduce.kind == pdg::ReduceKind::Max || reduce.kind == pdg::ReduceKind::Min;
    return value && input == 0;
  }
  bool operator()(const pdg::Merge&) const { return true; }
  bool operator()(const pdg::Draw&) const { return false; }
  bool operator()(const pdg::Sort& sort) const { return !sort.positions; }
  bool operator()(const pdg::TreeUpdate&) const { return false; }  // sema has detached priorities
  bool operator()(const pdg::TreeFind&) const { return false; }
  bool operator()(const pdg::PointUpdate&) const { return false; }  // made when there are none left
  bool operator()(const pdg::Grad&) const { return input == 0; }
};

}  // namespace

bool passesGradient(const Graph& graph, const Node& consumer, int input) {
  if (input >= consumer.dataInputs() || !isFloat(consumer.type)) return false;
  if (!isFloat(graph.node(consumer.inputs[static_cast<size_t>(input)].producer).type)) return false;
  return std::visit(Passes{input}, consumer.op);
}

Paths::Paths(const Graph& graph, const Group& group) : graph_(graph), group_(group) {
  collectEdges();
  markPaths();
  const int dims = static_cast<int>(graph.node(group.loss.producer).dims.size());
  std::vector<bool> done(static_cast<size_t>(dims));
  // A cut may leave another axis with moves of one sign only.
  for (bool progress = true; progress;) {
    progress = false;
    for (int dim = 0; dim < dims; ++dim) {
      if (done[static_cast<size_t>(dim)] || !follow(dim)) continue;
      done[static_cast<size_t>(dim)] = true;
      progress = progress || axes_.back().matched;
    }
  }
}

std::vector<NodeId> Paths::nodes() const {
  std::vector<NodeId> result;
  for (NodeId id = 0; id < static_cast<NodeId>(on_.size()); ++id)
    if (on(id)) result.push_back(id);
  return result;
}

void Paths::collectEdges() {
  readers_.resize(at(graph_.size()));
  reads_.resize(at(graph_.size()));
  std::vector<bool> seen(at(graph_.size()));
  std::vector<NodeId> pending{group_.loss.producer};
  seen[at(group_.loss.producer)] = true;
  while (!pending.empty()) {
    const Node& consumer = graph_.node(pending.back());
    pending.pop_back();
    for (int input = 0; input < consumer.dataInputs(); ++input) {
      if (!passesGradient(graph_, consumer, input)) continue;
      const NodeId producer = consumer.inputs[static_cast<size_t>(input)].producer;
      readers_[at(producer)].push_back(static_cast<int>(edges_.size()));
      reads_[at(consumer.id)].push_back(static_cast<int>(edges_.size()));
      edges_.push_back({consumer.id, input, producer});
      if (seen[at(producer)]) continue;
      seen[at(producer)] = true;
      pending.push_back(producer);
    }
  }
}

void Paths::markPaths() {
  auto reach = [&](std::vector<NodeId> pending, const std::vector<std::vector<int>>& edges,
                   bool toProducers) {
    std::vector<bool> seen(at(graph_.size()));
    for (NodeId id : pending) seen[at(id)] = true;
    while (!pending.empty()) {
      const NodeId id = pending.back();
      pending.pop_back();
      for (int number : edges[at(id)]) {
        const Edge& edge = edges_[static_cast<size_t>(number)];
        const NodeId next = toProducers ? edge.producer : edge.consumer;
        if (edge.cut || seen[at(next)]) continue;
        seen[at(next)] = true;
        pending.push_back(next);
      }
    }
    return seen;
  };
  on_ = reach({group_.loss.producer}, reads_, true);
  std::vector<NodeId> targets;
  for (NodeId grad : group_.grads) targets.push_back(graph_.node(grad).inputs[1].producer);
  const std::vector<bool> above = reach(targets, readers_, false);
  for (size_t i = 0; i < on_.size(); ++i) on_[i] = on_[i] && above[i];
}

bool Paths::follow(int dim) {
  Axis axis;
  axis.loss = group_.loss.at[static_cast<size_t>(dim)];
  if (!on(group_.loss.producer) || axis.loss.hasValue()) return false;
  if (!assignPositions(axis, dim) || !shiftPositions(axis)) return false;
  if (axis.matched) cutMoves(axis);
  axes_.push_back(std::move(axis));
  if (axes_.back().matched) markPaths();
  return true;
}

std::vector<Equation> Paths::kept(const Edge& edge) const {
  std::vector<Equation> result;
  for (const Axis& axis : axes_) {
    if (axis.matched && move(axis, edge).asConstant() != 0)
      result.push_back({*axis.position[at(edge.producer)], *axis.position[at(edge.consumer)]});
  }
  return result;
}

}  // namespace rlc::autodiff
