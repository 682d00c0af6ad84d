#include "compiler/passes/near_equal.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

constexpr size_t kMostPairs = 4096;  // pairs of nodes on the walk to the first difference
constexpr size_t kMostNotes = 4;
constexpr size_t kFewestAdded = 64;  // of a sum, at each point: less is not worth a word

size_t mix(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2));
}

class Comparison {
 public:
  explicit Comparison(const Graph& graph)
      : graph_(graph), names_(pdg::displayNames(graph)), hash_(names_.size()) {
    for (const Node& node : graph.nodes()) hash_[pdg::at(node.id)] = static_cast<size_t>(node.id);
    for (NodeId id : producersFirst(graph)) hash_[pdg::at(id)] = hashOf(graph.node(id));
  }

  void run(Notes& notes) {
    std::map<size_t, NodeId> first;
    std::set<std::string> said;
    const std::vector<NodeId> order = producersFirst(graph_);
    // The outermost of a tensor's sums speaks for all of them.
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      if (!isLarge(graph_.node(*id))) continue;
      const auto [other, isNew] = first.emplace(hash_[pdg::at(*id)], *id);
      if (isNew || said.size() >= kMostNotes) continue;
      NodeId a = *id, b = other->second;
      if (!isOfProgram(name(a)) || !isOfProgram(name(b)) || name(a) == name(b)) continue;
      if (b < a) std::swap(a, b);  // the later in the program is the one that could have reused
      if (!said.insert(name(b)).second || said.contains(name(a))) continue;
      std::set<std::pair<NodeId, NodeId>> seen;
      if (const auto found = difference(own(a), own(b), seen)) note(a, b, *found, notes);
    }
  }

 private:
  // Gradients read what the program's own equations do.
  static bool isOfProgram(const std::string& name) {
    return !name.empty() && !name.starts_with("∂");
  }

  // A node, and its point and that of its bound variables over those of the node that it is seen
  // from.
  struct View {
    NodeId node;
    std::map<Var, IndexExpr> point;
  };
  struct Difference {
    NodeId producer;
    std::string first, second;
  };

  const std::string& name(NodeId id) const { return names_[pdg::at(id)]; }

  bool isLarge(const Node& node) const {
    const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
    if (!reduce || reduce->kind != pdg::ReduceKind::Sum) return false;
    size_t elements = 1;
    for (const IndexExpr& extent : node.shape)
      elements *= static_cast<size_t>(extent.asConstant().value_or(0));
    return elements >= kFewestAdded;
  }

  // What it computes, but for the points that it reads. In a recurrence a node stands for itself.
  size_t hashOf(const Node& node) const {
    if (const Read* same = pdg::passedOn(node)) return hash_[pdg::at(same->producer)];
    if (std::holds_alternative<pdg::Merge>(node.op)) return pdg::at(node.id);
    size_t hash = mix(node.op.index(), static_cast<size_t>(node.type));
    if (const auto* map = std::get_if<pdg::Map>(&node.op)) {
      hash = mix(hash, static_cast<size_t>(map->op));
    } else if (const auto* reduce = std::get_if<pdg::Reduce>(&node.op)) {
      hash = mix(mix(hash, static_cast<size_t>(reduce->kind)), reduce->bound.size());
      if (!reduce->keys.empty() || reduce->hasFilter) return pdg::at(node.id);
    } else {
      return pdg::at(node.id);
    }
    for (const IndexExpr& extent : node.shape)
      hash = mix(hash, static_cast<size_t>(extent.asConstant().value_or(-1)));
    for (int k = 0; k < node.dataInputs(); ++k)
      hash = mix(hash, hash_[pdg::at(node.inputs[static_cast<size_t>(k)].producer)]);
    return hash;
  }

  View own(NodeId id) const {
    View view{id, {}};
    for (Var var : graph_.node(id).variables()) view.point.emplace(var, IndexExpr(var));
    return view;
  }

  View inside(const View& view, const Read& read) const {
    View next{read.producer, {}};
    const Node& producer = graph_.node(read.producer);
    for (size_t k = 0; k < producer.dims.size(); ++k)
      next.point.emplace(producer.dims[k], read.at[k].substitute(view.point));
    for (Var var : producer.variables()) next.point.emplace(var, IndexExpr(var));
    return next;
  }

  // Aliases are read through, as the hash does.
  View resolved(View view) const {
    for (;;) {
      const Read* same = pdg::passedOn(graph_.node(view.node));
      if (same == nullptr) return view;
      view = inside(view, *same);
    }
  }

  // The first tensor that both read, at points that have not the same text.
  std::optional<Difference> difference(View a, View b,
                                       std::set<std::pair<NodeId, NodeId>>& seen) const {
    a = resolved(std::move(a));
    b = resolved(std::move(b));
    if (a.node == b.node) {
      const std::string first = text(a), second = text(b);
      if (first == second || first.empty() || second.empty()) return std::nullopt;
      return Difference{a.node, first, second};
    }
    const Node &x = graph_.node(a.node), &y = graph_.node(b.node);
    if (x.dataInputs() != y.dataInputs() || seen.size() > kMostPairs ||
        !seen.insert({a.node, b.node}).second)
      return std::nullopt;
    for (int k = 0; k < x.dataInputs(); ++k)
      if (auto found = difference(inside(a, x.inputs[static_cast<size_t>(k)]),
                                  inside(b, y.inputs[static_cast<size_t>(k)]), seen))
        return found;
    return std::nullopt;
  }

  // "" where a position is computed: a gather of the same values would do.
  std::string text(const View& view) const {
    std::string text;
    const auto namer = graph_.namer();
    for (Var dim : graph_.node(view.node).dims) {
      const IndexExpr& e = view.point.at(dim);
      if (e.hasValue()) return "";
      text += (text.empty() ? "" : ", ") + e.toString(namer);
    }
    return text.empty() ? "" : "[" + text + "]";
  }

  void note(NodeId a, NodeId b, const Difference& found, Notes& notes) const {
    const auto& nodes = graph_.nodes();
    const auto named = std::find_if(nodes.begin(), nodes.end(),
                                    [&](const Node& node) { return node.name == name(b); });
    notes.didNot((named == nodes.end() ? graph_.node(b) : *named).span,
                 called(names_, b) + " does not reuse " + called(names_, a) +
                     ", which computes the same of the same tensors: it reads " +
                     called(names_, found.producer) + " at `" + found.second + "`, not at `" +
                     found.first + "`");
  }

  const Graph& graph_;
  std::vector<std::string> names_;
  std::vector<size_t> hash_;
};

}  // namespace

void noteNearEqual(const Graph& graph, Notes& notes) { Comparison(graph).run(notes); }

}  // namespace rlc::passes
