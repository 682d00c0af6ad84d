// Which reads lie on a path from a loss back to what it is differentiated by, and what the points
// on such paths have in common.
//
// An axis follows one dim of the loss through the graph: a position for each node, such that all
// reads on paths go one way along it. Where loss and target stand at the same position, every read
// on a path between them keeps it: reads that always move are cut (a training step does not reach
// back through the step before), and the adjoints need that index of the loss only once.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/autodiff/inverse.h"

namespace rlc::autodiff {

// Gradients of one loss over the same points, taken together.
struct Group {
  Read loss;  // over dims
  std::vector<Var> dims;
  Set domain;
  std::vector<NodeId> grads;  // the Grad nodes
};

struct Edge {
  NodeId consumer;
  int input;
  NodeId producer;
  bool cut = false;
};

struct Axis {
  std::vector<std::optional<IndexExpr>>
      position;    // by node, over its dims; none where a path leaves the axis
  int sign = 0;    // of all moves from consumer to producer: -1, 1; 0: none moves
  IndexExpr loss;  // the loss's, over the group's dims
  std::optional<IndexExpr>
      target;            // of all that is differentiated by, where it is the same expression
  bool matched = false;  // the same as the loss's: every edge keeps the position
};

class Paths {
 public:
  Paths(const Graph& graph, const Group& group);

  bool on(NodeId node) const { return on_[static_cast<size_t>(node)]; }
  std::vector<NodeId> nodes() const;
  const std::vector<Edge>& edges() const { return edges_; }
  const std::vector<int>& readersOf(NodeId producer) const {
    return readers_[static_cast<size_t>(producer)];
  }
  // Whether the edge is on a path.
  bool live(const Edge& edge) const { return !edge.cut && on(edge.consumer) && on(edge.producer); }
  const std::vector<Axis>& axes() const { return axes_; }
  // What reads on paths keep.
  std::vector<Equation> kept(const Edge& edge) const;

 private:
  void collectEdges();
  void markPaths();
  bool follow(int dim);
  bool assignPositions(Axis& axis, int dim) const;
  struct Moves {
    int64_t least, most;
  };
  std::optional<Moves> moves(const Axis& axis, const Edge& edge) const;
  bool shiftPositions(Axis& axis) const;
  std::optional<std::vector<int64_t>> solveShifts(
      const std::vector<std::pair<const Edge*, Moves>>& all, int sign,
      const std::map<NodeId, int64_t>& wanted) const;
  std::optional<IndexExpr> targetPosition(const Axis& axis, const Read& read) const;
  void compareTargets(Axis& axis) const;
  void cutMoves(const Axis& axis);
  IndexExpr move(const Axis& axis, const Edge& edge) const;
  Set keptPoints(const Edge& edge) const;

  const Graph& graph_;
  const Group& group_;
  std::vector<bool> on_;
  std::vector<Edge> edges_;
  std::vector<std::vector<int>> readers_, reads_;  // edges by producer, by consumer
  std::vector<Axis> axes_;
};

// Whether the value of the operand moves the value of the node: not for integers, comparisons,
// detach.
bool passesGradient(const Graph& graph, const Node& consumer, int input);

}  // namespace rlc::autodiff
