#include "compiler/passes/computed_from.h"

#include <numeric>
#include <optional>

#include "compiler/pdg/reads.h"
#include "compiler/types/lists.h"

namespace rlc::passes {

namespace {

using pdg::Graph;
using pdg::Node;
using pdg::NodeId;
using pdg::Read;
using pdg::Set;
using pdg::Var;

class Search {
 public:
  Search(const Graph& graph, const std::set<NodeId>& nodes, const std::set<Var>& around)
      : graph_(graph), nodes_(nodes), around_(around) {}

  bool find(NodeId tensor) {
    enter(tensor, std::nullopt);
    while (!open_.empty() && !found_) {
      const Equation next = open_.back();
      open_.pop_back();
      follow(next);
    }
    return found_;
  }

 private:
  using Equation = std::pair<NodeId, int>;  // its piece, 0 where it has but one

  // Those of the node's equations that make the points; none: all.
  void enter(NodeId id, const std::optional<Set>& points) {
    found_ = found_ || nodes_.contains(id);
    for (int piece = 0; piece < piecesOf(id); ++piece) {
      if (points && std::get<pdg::Merge>(graph_.node(id).op)
                        .pieces[static_cast<size_t>(piece)]
                        .domain.isDisjoint(*points))
        continue;
      if (seen_.emplace(id, piece).second) open_.emplace_back(id, piece);
    }
  }

  void follow(const Equation& equation) {
    const Node& node = graph_.node(equation.first);
    for (int input : inputsOf(node, equation.second)) {
      const Read& read = node.inputs[static_cast<size_t>(input)];
      if (isEarlier(read)) continue;
      enter(read.producer, piecesOf(read.producer) > 1
                               ? std::optional(pdg::pointsRead(graph_, node, input))
                               : std::nullopt);
    }
  }

  int piecesOf(NodeId id) const {
    const auto* merge = std::get_if<pdg::Merge>(&graph_.node(id).op);
    return merge == nullptr ? 1 : static_cast<int>(merge->pieces.size());
  }

  // A piece's own, and what serves its Value atoms.
  static std::vector<int> inputsOf(const Node& node, int piece) {
    if (!std::holds_alternative<pdg::Merge>(node.op)) {
      std::vector<int> all(node.inputs.size());
      std::iota(all.begin(), all.end(), 0);
      return all;
    }
    std::vector<int> inputs{piece};
    for (size_t k = 0; k < inputs.size(); ++k)
      for (int value : pdg::valueInputs(node.inputs[static_cast<size_t>(inputs[k])]))
        if (!contains(inputs, value)) inputs.push_back(value);
    return inputs;
  }

  bool isEarlier(const Read& read) const {
    const std::vector<Var>& dims = graph_.node(read.producer).dims;
    for (size_t k = 0; k < dims.size(); ++k) {
      const auto shifted = read.at[k].asShifted();
      if (shifted && shifted->offset < 0 && shifted->var == dims[k] && around_.contains(dims[k]))
        return true;
    }
    return false;
  }

  const Graph& graph_;
  const std::set<NodeId>& nodes_;
  const std::set<Var>& around_;
  std::set<Equation> seen_;
  std::vector<Equation> open_;
  bool found_ = false;
};

}  // namespace

bool isComputedFrom(const Graph& graph, NodeId tensor, const std::set<NodeId>& nodes,
                    const std::set<Var>& around) {
  return Search(graph, nodes, around).find(tensor);
}

}  // namespace rlc::passes
