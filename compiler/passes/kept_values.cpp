#include "compiler/passes/kept_values.h"

#include "compiler/passes/rewrite.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

constexpr int64_t kFewestKept = 64;

class Keeper {
 public:
  explicit Keeper(Graph& graph)
      : graph_(graph),
        names_(pdg::displayNames(graph)),
        users_(pdg::users(graph)),
        shown_(static_cast<size_t>(graph.size())) {
    for (NodeId root : pdg::roots(graph)) shown_[static_cast<size_t>(root)] = true;
  }

  void visit(NodeId owner, size_t piece, Notes& notes) {
    const NodeId value = graph_.node(owner).inputs[piece].producer;
    const Node& node = graph_.node(value);
    if (std::holds_alternative<pdg::Merge>(node.op) ||
        users_[static_cast<size_t>(value)].size() < 2)
      return;
    const auto shape = pdg::constantShape(node);
    if (!shape || pdg::elementCount(*shape) < kFewestKept || shown_[static_cast<size_t>(value)])
      return;
    const auto place = placeOf(owner, piece);
    if (!place || !holds([&] { return isReadWhereKept(owner, piece, *place); })) return;
    for (NodeId user : users_[static_cast<size_t>(value)]) {
      if (user == owner) continue;
      Node& reader = graph_.node(user);
      for (Read& read : reader.inputs)
        if (read.producer == value) read = compose(graph_, reader, read, *place);
    }
    const std::string own = called(names_, value), keeper = called(names_, owner);
    notes.did(node.span, own == keeper ? "the next point of " + own + " is read where it is kept"
                                       : own + " is kept as " + keeper + " and read there");
  }

 private:
  // Where the owner keeps the value, over the value's variables; none where not all of its elements
  // lie at one point of their own.
  std::optional<Read> placeOf(NodeId id, size_t piece) const {
    const Node& owner = graph_.node(id);
    const Read& kept = owner.inputs[piece];
    const Node& value = graph_.node(kept.producer);
    const auto& element = std::get<pdg::Merge>(owner.op).pieces[piece].element;
    if (element.kind() != pdg::Condition::Kind::True || value.dims.size() != owner.dims.size() ||
        pdg::constantShape(owner) != pdg::constantShape(value) ||
        kept.element != pdg::identity(pdg::elementVars(owner)))
      return std::nullopt;
    Read place{id, {}, kept.element};
    for (Var dim : owner.dims) {
      std::optional<IndexExpr> at;
      for (size_t k = 0; k < kept.at.size(); ++k) {
        const auto shifted = kept.at[k].asShifted();
        if (!shifted) return std::nullopt;
        if (shifted->var == dim) at = IndexExpr(value.dims[k]) - IndexExpr(shifted->offset);
      }
      if (!at) return std::nullopt;
      place.at.push_back(*at);
    }
    return place;
  }

  // Whether all others read points that the owner takes from the value.
  bool isReadWhereKept(NodeId id, size_t piece, const Read& place) const {
    const Node& owner = graph_.node(id);
    const NodeId value = owner.inputs[piece].producer;
    const Set& points = std::get<pdg::Merge>(owner.op).pieces[piece].domain;
    for (size_t k = 0; k < owner.inputs.size(); ++k)
      if (k != piece && owner.inputs[k].producer == value) return false;
    for (NodeId user : users_[static_cast<size_t>(value)]) {
      if (user == id) continue;
      Node& reader = graph_.node(user);
      for (size_t k = 0; k < reader.inputs.size(); ++k) {
        const Read& read = reader.inputs[k];
        if (read.producer != value) continue;
        if (hasValues(read)) return false;
        const Set scope = pdg::readDomain(reader, static_cast<int>(k));
        if (!scope.isSubset(points.preimage(scope, compose(graph_, reader, read, place).at)))
          return false;
      }
    }
    return true;
  }

  using Set = polyhedral::Set;

  Graph& graph_;
  const std::vector<std::string> names_;
  const std::vector<std::vector<NodeId>> users_;  // before any change
  std::vector<bool> shown_;
};

}  // namespace

void keptValues(pdg::Graph& graph, Notes& notes) {
  Keeper keeper(graph);
  const int count = graph.size();
  for (NodeId id = 0; id < count; ++id)
    if (const auto* merge = std::get_if<pdg::Merge>(&graph.node(id).op))
      for (size_t k = 0; k < merge->pieces.size(); ++k) keeper.visit(id, k, notes);
}

}  // namespace rlc::passes
