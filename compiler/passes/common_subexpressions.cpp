#include "compiler/passes/common_subexpressions.h"

#include <unordered_map>

#include "compiler/passes/aliases.h"
#include "compiler/passes/near_equal.h"
#include "compiler/passes/structural_key.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

constexpr size_t kMostCandidates = 16;  // of one key, over different points: keeps the pass linear
constexpr int kMostRounds = 4;

class Unifier {
 public:
  Unifier(Graph& graph, Notes& notes)
      : graph_(graph), notes_(notes), names_(pdg::displayNames(graph)), gone_(names_.size()) {}

  int run() {
    int all = 0;
    // A node that comes later may cover more points than one whose readers have been looked at:
    // these are compared anew.
    for (int round = 0; round < kMostRounds; ++round) {
      again_ = false;
      Aliases aliases(graph_);
      representatives_.clear();
      for (NodeId id : producersFirst(graph_)) {
        if (gone_[static_cast<size_t>(id)]) continue;
        aliases.redirect(id);
        unify(id, aliases);
      }
      aliases.redirectAll();
      all += aliases.count();
      if (!again_) break;
    }
    return all;
  }

 private:
  void unify(NodeId id, Aliases& aliases) {
    const auto key = structuralKey(graph_, graph_.node(id));
    if (!key) return;
    std::vector<NodeId>& candidates = representatives_[*key];
    for (NodeId& candidate : candidates) {
      if (holds([&] { return covers(graph_.node(candidate), graph_.node(id)); })) {
        replace(id, candidate, aliases);
        return;
      }
      if (holds([&] { return covers(graph_.node(id), graph_.node(candidate)); })) {
        replace(candidate, id, aliases);
        candidate = id;
        again_ = true;
        return;
      }
    }
    if (candidates.size() < kMostCandidates) candidates.push_back(id);
  }

  void replace(NodeId gone, NodeId by, Aliases& aliases) {
    const Node& node = graph_.node(gone);
    gone_[static_cast<size_t>(gone)] = true;
    if (!node.name.empty() && !isConstant(gone)) {
      const bool part = graph_.node(by).name.empty();
      notes_.did(node.span, called(names_, gone) + (part ? " is computed already, for " : " is ") +
                                called(names_, by) + ": the same operation on the same values");
    }
    aliases.set(gone, {by, pdg::identity(node.dims), pdg::identity(pdg::elementVars(node))});
  }

  bool isConstant(NodeId id) const {
    const Node& node = graph_.node(id);
    const auto* merge = std::get_if<pdg::Merge>(&node.op);
    const bool alias = merge && merge->pieces.size() == 1;
    return std::holds_alternative<pdg::Constant>(
        (alias ? graph_.node(node.inputs[0].producer) : node).op);
  }

  Graph& graph_;
  Notes& notes_;
  std::vector<std::string> names_;
  std::vector<bool> gone_;
  bool again_ = false;
  std::unordered_map<std::string, std::vector<NodeId>> representatives_;
};

}  // namespace

void commonSubexpressions(pdg::Graph& graph, Notes& notes) {
  notes.count(Unifier(graph, notes).run(), "computed elsewhere already");
  noteNearEqual(graph, notes);
}

}  // namespace rlc::passes
