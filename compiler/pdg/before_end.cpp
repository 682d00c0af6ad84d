#include "compiler/pdg/before_end.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"

namespace rlc::pdg {

namespace {

// Nodes of an equation's right side stand at points of their own, a few from those of the left.
constexpr int64_t kMostDelay = 8;

// How many points further on than at its own a node reads its k-th input along an index, at most;
// none: at points of another choice.
std::optional<int64_t> pointsAhead(const Graph& graph, const Node& node, size_t k, Var dim) {
  const IndexExpr& at = *positionAlong(graph, node.inputs[k], dim);
  if (at.hasValue()) return std::nullopt;
  if (!runsAlong(node, {dim})) {  // the first point is no later than any
    const auto point = at.asConstant(), first = graph.dim(dim).lo.asConstant();
    return point && first && *point <= *first ? std::optional<int64_t>(0) : std::nullopt;
  }
  const auto shifted = at.asShifted();
  if (shifted && shifted->var == dim) return shifted->offset;
  return readDomain(node, static_cast<int>(k)).maximum(at - IndexExpr(dim));
}

// By node, the least number of points that it is computed later than its own along an index, so
// that all of some nodes read from the same time or earlier ones; none where they go on to later
// points, or ask for points of their own choice.
std::optional<std::vector<int64_t>> delaysAlong(const Graph& graph, const std::vector<bool>& nodes,
                                                Var dim) {
  const std::vector<std::vector<NodeId>> readers = users(graph);
  std::vector<int64_t> delays(static_cast<size_t>(graph.size()));
  std::vector<NodeId> pending;
  for (const Node& node : graph.nodes())
    if (nodes[static_cast<size_t>(node.id)]) pending.push_back(node.id);
  while (!pending.empty()) {
    const Node& node = graph.node(pending.back());
    pending.pop_back();
    int64_t& own = delays[static_cast<size_t>(node.id)];
    const int64_t known = own;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (positionAlong(graph, node.inputs[k], dim) == nullptr) continue;
      const auto ahead = pointsAhead(graph, node, k, dim);
      if (!ahead) return std::nullopt;
      own = std::max(own, *ahead + delays[static_cast<size_t>(node.inputs[k].producer)]);
    }
    if (own == known) continue;
    if (own > kMostDelay || !runsAlong(node, {dim})) return std::nullopt;
    for (const NodeId reader : readers[static_cast<size_t>(node.id)])
      if (nodes[static_cast<size_t>(reader)]) pending.push_back(reader);
  }
  return delays;
}

}  // namespace

Before::Before(const Graph& graph, NodeId node, const std::vector<Var>& indices)
    : node_(node), dims_(graph.node(node).dims), ever_(reachable(graph, {node})) {
  std::vector<Back> all, atOnce;
  for (const Var dim : indices)
    if (auto delays = delaysAlong(graph, ever_, dim)) all.push_back({dim, std::move(*delays)});
  std::copy_if(all.begin(), all.end(), std::back_inserter(atOnce), [](const Back& back) {
    return std::ranges::all_of(back.delays, [](int64_t delay) { return delay == 0; });
  });
  const bool more = atOnce.size() < all.size();
  orders_.push_back(orderBy(graph, std::move(atOnce)));
  if (more) orders_.push_back(orderBy(graph, std::move(all)));
}

Before::Order Before::orderBy(const Graph& graph, std::vector<Back> back) const {
  Order order{std::move(back), ever_};
  if (order.back.empty()) return order;
  order.known.assign(ever_.size(), false);
  std::vector<NodeId> pending{node_};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (order.known[static_cast<size_t>(id)]) continue;
    order.known[static_cast<size_t>(id)] = true;
    const Node& reader = graph.node(id);
    for (size_t k = 0; k < reader.inputs.size(); ++k) {
      const NodeId producer = reader.inputs[k].producer;
      const bool earlier = std::any_of(order.back.begin(), order.back.end(), [&](const Back& b) {
        return positionAlong(graph, reader.inputs[k], b.dim) != nullptr &&
               *pointsAhead(graph, reader, k, b.dim) + b.delay(producer) < b.delay(id);
      });
      if (!earlier) pending.push_back(producer);
    }
  }
  return order;
}

bool Before::mayBeAskedBy(const Node& reader, const std::vector<IndexExpr>& at) const {
  if (!ever_[static_cast<size_t>(reader.id)]) return true;
  return std::any_of(orders_.begin(), orders_.end(),
                     [&](const Order& order) { return mayBeAskedBy(reader, at, order); });
}

bool Before::mayBeAskedBy(const Node& reader, const std::vector<IndexExpr>& at,
                          const Order& order) const {
  // How much later than it is computed the reader asks along an index, at most.
  const auto ahead = [&](const Back& back) -> std::optional<int64_t> {
    const auto place = std::find(dims_.begin(), dims_.end(), back.dim) - dims_.begin();
    const IndexExpr& position = at[static_cast<size_t>(place)];
    std::vector<Var> vars;
    position.collectVariables(vars);
    if (position.hasValue() || !runsAlong(reader, {back.dim}) || !runsAlong(reader, vars))
      return std::nullopt;
    const auto most = reader.domain.maximum(position - IndexExpr(back.dim));
    return most ? *most + back.delay(node_) - back.delay(reader.id) : 0;  // or nothing is asked
  };
  // What is asked for depends on nothing of a later time than its own.
  if (std::any_of(order.back.begin(), order.back.end(),
                  [&](const Back& back) { return ahead(back).value_or(0) < 0; }))
    return true;
  if (order.known[static_cast<size_t>(reader.id)]) return false;
  // From its own time back: what is asked for depends on the reader at earlier ones only.
  return std::all_of(order.back.begin(), order.back.end(),
                     [&](const Back& back) { return ahead(back).value_or(1) <= 0; });
}

}  // namespace rlc::pdg
