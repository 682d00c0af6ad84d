#include "compiler/passes/asked_points.h"

#include <optional>
#include <utility>
#include <vector>

#include "compiler/passes/rewrite.h"
#include "compiler/pdg/faults.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

using pdg::at;
using pdg::Merge;
using pdg::Reduce;
using pdg::Set;

constexpr int kFarthestReader = 1000;  // reader of a reader of ...

class AskedPoints {
 public:
  explicit AskedPoints(Graph& graph)
      : graph_(graph),
        users_(pdg::users(graph)),
        shown_(static_cast<size_t>(graph.size())),
        asked_(shown_.size()),
        narrowed_(shown_.size()) {}

  void run() {
    std::vector<NodeId> faults;
    for (NodeId id = 0; id < graph_.size(); ++id)
      if (pdg::mayFault(graph_, graph_.node(id))) faults.push_back(id);
    if (faults.empty()) return;
    askSinks();
    for (const NodeId id : faults)
      if (pointsAskedOf(id, 0)) narrow(id);
    for (NodeId id = 0; id < graph_.size(); ++id)
      if (narrowed_[at(id)]) apply(graph_.node(id), *asked_[at(id)].points);
  }

 private:
  enum class State : uint8_t { Unknown, Open, Known };
  struct Asked {
    State state = State::Unknown;
    std::optional<Set> points;  // a hull of them; none: all
  };

  static void add(const Set& more, std::optional<Set>& points) {
    points = points ? points->unite(more.hull()).hull() : more.hull();
  }

  void askSinks() {
    for (const pdg::Sink& sink : graph_.sinks())
      pdg::forEachLeaf(sink.value, [&](const Read& leaf) {
        const Node& node = graph_.node(leaf.producer);
        std::optional<Set>& known = shown_[at(leaf.producer)];
        const bool found = holds([&] {
          add(pdg::imageOf(graph_, sink.domain, leaf.at, node.dims), known);
          return true;
        });
        if (!found) known = node.domain;
      });
    const auto all = [&](NodeId id) { shown_[at(id)] = graph_.node(id).domain; };
    for (const pdg::Sink& sink : graph_.sinks())
      if (sink.where) all(sink.where->producer);
    for (int dim = 0; dim < graph_.dimCount(); ++dim)
      if (const NodeId end = graph_.dim(Var::dim(dim)).end; end >= 0) all(end);
  }

  // None: all of the node's domain. Around a cycle all is taken to be asked for.
  const std::optional<Set>& pointsAskedOf(NodeId id, int depth) {
    static const std::optional<Set> all;
    Asked& asked = asked_[at(id)];
    if (asked.state == State::Known) return asked.points;
    if (asked.state == State::Open || depth > kFarthestReader) return all;
    asked.state = State::Open;
    std::optional<Set> points = shown_[at(id)];
    const bool few = holds([&] { return askReaders(id, depth, points); });
    asked.state = State::Known;
    if (few) asked.points = std::move(points);
    return asked.points;
  }

  // Adds what readers take to the points; whether these are not all.
  bool askReaders(NodeId id, int depth, std::optional<Set>& points) {
    const Set domain = graph_.node(id).domain;
    if (points && domain.isSubset(*points)) return false;
    for (const NodeId reader : users_[at(id)]) {
      const std::optional<Set> asked = pointsAskedOf(reader, depth + 1);
      add(readBy(reader, asked, id), points);
      if (domain.isSubset(*points)) return false;
    }
    if (!points) return false;  // nobody's, which dead-code leaves out
    if (points->isEmpty()) return true;
    points = alongOthers(*points, graph_.node(id).dims).intersect(domain);
    return !domain.isSubset(*points);
  }

  // Of an index that ends on a condition all points stay: the domain says how far a node goes on
  // past the end (pointsPastRange).
  Set alongOthers(const Set& points, const std::vector<Var>& dims) const {
    std::vector<Var> others = dims;
    std::erase_if(others, [&](Var var) { return graph_.dim(var).end >= 0; });
    return others.size() == dims.size() ? points : points.projectOnto(others).extendTo(dims);
  }

  // What a node takes of another one where it is itself asked for these points (none: all).
  Set readBy(NodeId reader, const std::optional<Set>& asked, NodeId producer) const {
    std::optional<Node> narrower;
    if (asked) narrower = graph_.node(reader), narrower->domain = *asked;
    const Node& node = narrower ? *narrower : graph_.node(reader);
    Set points = Set::empty(node.domain.context(), graph_.node(producer).dims);
    for (size_t input = 0; input < node.inputs.size(); ++input)
      if (node.inputs[input].producer == producer)
        points = points.unite(pdg::pointsRead(graph_, node, static_cast<int>(input)));
    return points;
  }

  // With those readers that take more of it than is asked for of them.
  void narrow(NodeId id) {
    std::vector<NodeId> pending{id};
    while (!pending.empty()) {
      const NodeId next = pending.back();
      pending.pop_back();
      if (narrowed_[at(next)]) continue;
      narrowed_[at(next)] = true;
      const Set& points = *asked_[at(next)].points;
      for (const NodeId reader : users_[at(next)])
        if (asked_[at(reader)].points &&
            !holds([&] { return readBy(reader, {}, next).isSubset(points); }))
          pending.push_back(reader);
    }
  }

  static void apply(Node& node, const Set& points) {
    // Left as it is: with the pieces that read it gone, dead-code leaves it out.
    if (points.isEmpty()) return;
    node.domain = points;
    if (auto* merge = std::get_if<Merge>(&node.op))
      for (size_t k = merge->pieces.size(); k-- > 0;) {
        Set& own = merge->pieces[k].domain;
        own = own.intersect(points);
        if (own.isEmpty()) removePiece(node, k);
      }
    dropUnusedInputs(node);
    if (auto* reduce = std::get_if<Reduce>(&node.op))
      reduce->domain = reduce->domain.intersect(points.extendTo(reduce->domain.vars()));
  }

  Graph& graph_;
  const std::vector<std::vector<NodeId>> users_;
  std::vector<std::optional<Set>> shown_;  // [node] by sinks; none: nothing
  std::vector<Asked> asked_;               // [node]
  std::vector<bool> narrowed_;             // [node]
};

}  // namespace

void computeFaultsWhereAsked(Graph& graph) { AskedPoints(graph).run(); }

}  // namespace rlc::passes
