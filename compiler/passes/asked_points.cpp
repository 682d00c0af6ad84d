#include "compiler/passes/asked_points.h"

#include <optional>
#include <utility>
#include <vector>

#include "compiler/pdg/faults.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

using pdg::Graph;
using pdg::Merge;
using pdg::Node;
using pdg::NodeId;
using pdg::Read;
using pdg::Reduce;
using pdg::Set;
using pdg::Var;

constexpr int kFarthestReader = 1000;  // of readers of readers

class AskedPoints {
 public:
  explicit AskedPoints(Graph& graph)
      : graph_(graph),
        users_(pdg::users(graph)),
        asked_(static_cast<size_t>(graph.size())),
        narrowed_(asked_.size()) {
    const auto whole = [&](NodeId id) { asked_[pdg::at(id)].state = State::Known; };
    for (const pdg::Sink& sink : graph.sinks())
      pdg::forEachLeaf(sink.value, [&](const Read& leaf) { whole(leaf.producer); });
    for (int dim = 0; dim < graph.dimCount(); ++dim)
      if (const NodeId end = graph.dim(Var::dim(dim)).end; end >= 0) whole(end);
  }

  void run() {
    for (NodeId id = 0; id < graph_.size(); ++id)
      if (pdg::mayFault(graph_, graph_.node(id)) && pointsAskedOf(id, 0)) narrow(id);
    for (NodeId id = 0; id < graph_.size(); ++id)
      if (narrowed_[pdg::at(id)]) apply(graph_.node(id), *asked_[pdg::at(id)].points);
  }

 private:
  enum class State : uint8_t { Unknown, Open, Known };
  struct Asked {
    State state = State::Unknown;
    std::optional<Set> points;  // none: all
  };

  // None: all of the node's domain. Around a cycle all is taken to be asked for.
  const std::optional<Set>& pointsAskedOf(NodeId id, int depth) {
    static const std::optional<Set> all;
    Asked& asked = asked_[pdg::at(id)];
    if (asked.state == State::Known) return asked.points;
    if (asked.state == State::Open || depth > kFarthestReader) return all;
    asked.state = State::Open;
    auto points = pointsRead(id, depth);
    asked.state = State::Known;
    asked.points = std::move(points);
    return asked.points;
  }

  std::optional<Set> pointsRead(NodeId id, int depth) {
    const Set domain = graph_.node(id).domain;
    Set points = Set::empty(domain.context(), graph_.node(id).dims);
    for (const NodeId reader : users_[pdg::at(id)]) {
      const std::optional<Set> asked = pointsAskedOf(reader, depth + 1);
      points = points.unite(readBy(reader, asked, id));
      if (domain.isSubset(points)) return std::nullopt;
    }
    if (points.isEmpty()) return std::nullopt;  // nobody's, which dead-code leaves out
    points = points.coalesce().hull().intersect(domain);
    return domain.isSubset(points) ? std::nullopt : std::optional(points);
  }

  // What a node takes of another one where it is itself asked for these points (none: all).
  Set readBy(NodeId reader, const std::optional<Set>& asked, NodeId producer) {
    Node& node = graph_.node(reader);
    Set points = Set::empty(node.domain.context(), graph_.node(producer).dims);
    const Set whole = asked ? std::exchange(node.domain, *asked) : node.domain;
    for (size_t input = 0; input < node.inputs.size(); ++input)
      if (node.inputs[input].producer == producer)
        points = points.unite(pdg::pointsRead(graph_, node, static_cast<int>(input)));
    node.domain = whole;
    return points;
  }

  void narrow(NodeId id) {
    if (narrowed_[pdg::at(id)]) return;
    narrowed_[pdg::at(id)] = true;
    const Set& left = *asked_[pdg::at(id)].points;
    for (const NodeId reader : users_[pdg::at(id)])
      if (!readBy(reader, std::nullopt, id).isSubset(left)) narrow(reader);
  }

  static void apply(Node& node, const Set& points) {
    node.domain = points;
    if (auto* merge = std::get_if<Merge>(&node.op))
      for (Merge::Piece& piece : merge->pieces) piece.domain = piece.domain.intersect(points);
    if (auto* reduce = std::get_if<Reduce>(&node.op))
      reduce->domain = reduce->domain.intersect(points.extendTo(reduce->domain.vars()));
  }

  Graph& graph_;
  const std::vector<std::vector<NodeId>> users_;
  std::vector<Asked> asked_;    // [node]
  std::vector<bool> narrowed_;  // [node]
};

}  // namespace

void computeFaultsWhereAsked(Graph& graph) { AskedPoints(graph).run(); }

}  // namespace rlc::passes
