#include "compiler/passes/domain_reduction.h"

#include <algorithm>
#include <set>

#include "compiler/passes/rewrite.h"
#include "compiler/pdg/past_end.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"
#include "compiler/types/lists.h"

namespace rlc::passes {

namespace {

using pdg::Set;

// Every dim may go until something needs it: so a recurrence over t alone loses b although each of
// its nodes reads the next one at b.
class Reducer {
 public:
  explicit Reducer(Graph& graph)
      : graph_(graph),
        needed_(static_cast<size_t>(graph.size())),
        active_(needed_.size()),
        readers_(pdg::users(graph)) {}

  int run(Notes& notes) {
    for (const Node& node : graph_.nodes()) {
      needed_[index(node.id)].resize(node.dims.size());
      active_[index(node.id)].resize(node.inputs.size());
    }
    for (const Node& node : graph_.nodes()) seed(node);
    for (const pdg::Sink& sink : graph_.sinks())
      pdg::forEachLeaf(sink.value, [&](const Read& leaf) { needEnds(leaf); });
    propagate();
    // Sets last: they cost more, and are looked at for dims that nothing else needs.
    for (bool changed = true; changed;) {
      changed = false;
      for (const Node& node : graph_.nodes())
        if (seedBySets(node)) changed = true;
      propagate();
      if (!changed) changed = !prepare();
    }
    return apply(notes);
  }

 private:
  static size_t index(NodeId id) { return static_cast<size_t>(id); }

  void need(const Node& node, Var var) {
    auto at = std::find(node.dims.begin(), node.dims.end(), var);
    if (at == node.dims.end()) return;
    auto position = static_cast<size_t>(at - node.dims.begin());
    if (needed_[index(node.id)][position]) return;
    needed_[index(node.id)][position] = true;
    // Its readers need what their subscripts for this dim mention.
    pending_.push_back({node.id, position});
  }

  void needAll(const Node& node) {
    for (Var var : node.dims) need(node, var);
  }

  void needIn(const Node& node, const IndexExpr& e) {
    std::vector<Var> vars;
    e.collectVariables(vars);
    for (Var var : vars) need(node, var);
    if (e.hasValue())
      for (int input : pdg::valueInputs(e)) activate(node, static_cast<size_t>(input));
  }

  // The node uses the input: an operand, or a subscript of a dim that stays.
  void activate(const Node& node, size_t input) {
    if (active_[index(node.id)][input]) return;
    active_[index(node.id)][input] = true;
    const Read& read = node.inputs[input];
    for (const IndexExpr& e : read.element) needIn(node, e);
    const std::vector<bool>& needed = needed_[index(read.producer)];
    for (size_t k = 0; k < needed.size(); ++k)
      if (needed[k]) needIn(node, read.at[k]);
  }

  // What the operation itself varies over.
  void seed(const Node& node) {
    for (const IndexExpr& extent : node.shape) needIn(node, extent);
    for (int input = 0; input < node.dataInputs(); ++input)
      activate(node, static_cast<size_t>(input));
    for (const Read& read : node.inputs) {
      if (pdg::isTested(read)) needAll(graph_.node(read.producer));
      for (const pdg::PastEnd& past : read.past)
        for (const IndexExpr& e : past.where) needIn(node, e);
    }
    for (const auto& key : pdg::keysOf(node)) {
      need(node, key.own);
      needIn(node, key.expr);
    }
    if (const auto* value = std::get_if<pdg::IndexValue>(&node.op)) {
      needIn(node, value->expr);
    } else if (std::holds_alternative<pdg::Draw>(node.op) ||
               std::holds_alternative<pdg::Grad>(node.op)) {
      needAll(node);
    } else if (const auto* reduce = std::get_if<pdg::Reduce>(&node.op)) {
      needIn(node, reduce->otherwise);
    } else if (const auto* merge = std::get_if<pdg::Merge>(&node.op)) {
      for (const auto& piece : merge->pieces) {
        std::vector<Var> vars;
        piece.element.collectVariables(vars);
        for (Var var : vars) need(node, var);
      }
    }
  }

  // What is shown at a point is there up to where the index ends, at the other dims' points.
  void needEnds(const Read& leaf) {
    for (const pdg::PastEndCheck& check : pdg::pastEndChecks(graph_, leaf))
      for (Var var : graph_.node(check.end.producer).dims) need(graph_.node(leaf.producer), var);
  }

  void propagate() {
    while (!pending_.empty()) {
      const auto [producer, position] = pending_.back();
      pending_.pop_back();
      for (NodeId reader : readers_[index(producer)]) {
        const Node& node = graph_.node(reader);
        for (size_t k = 0; k < node.inputs.size(); ++k)
          if (node.inputs[k].producer == producer && active_[index(reader)][k])
            needIn(node, node.inputs[k].at[position]);
      }
    }
  }

  std::vector<Var> kept(const Node& node) const {
    std::vector<Var> vars;
    for (size_t k = 0; k < node.dims.size(); ++k)
      if (needed_[index(node.id)][k]) vars.push_back(node.dims[k]);
    return vars;
  }

  // Whether a set over the dims and perhaps more is the same for all values of the dims that go.
  bool invariant(const Node& node, const Set& set, const std::vector<Var>& gone) const {
    std::vector<Var> rest, extra;
    for (Var var : set.vars()) {
      if (!contains(gone, var)) rest.push_back(var);
      if (!contains(node.dims, var)) extra.push_back(var);
    }
    if (rest.size() == set.vars().size()) return true;
    std::vector<Var> own;
    for (Var var : set.vars())
      if (!contains(extra, var)) own.push_back(var);
    const Set points = node.domain.projectOnto(own).extendTo(set.vars());
    return set.projectOnto(rest).extendTo(set.vars()).intersect(points).isSubset(set);
  }

  bool invariant(const Node& node, const std::vector<Var>& gone) const {
    if (const auto* reduce = std::get_if<pdg::Reduce>(&node.op))
      return invariant(node, reduce->domain, gone);
    if (const auto* merge = std::get_if<pdg::Merge>(&node.op))
      return std::all_of(merge->pieces.begin(), merge->pieces.end(),
                         [&](const auto& piece) { return invariant(node, piece.domain, gone); });
    return true;
  }

  bool seedBySets(const Node& node) {
    const bool hasSets =
        std::holds_alternative<pdg::Reduce>(node.op) || std::holds_alternative<pdg::Merge>(node.op);
    if (!hasSets) return false;
    std::vector<Var> gone;
    for (size_t k = 0; k < node.dims.size(); ++k)
      if (!needed_[index(node.id)][k]) gone.push_back(node.dims[k]);
    // Fewer dims that go need less: what held once holds on.
    if (gone.empty() || checked_.count(node.id)) return false;
    if (holds([&] { return invariant(node, gone); })) {
      checked_.insert(node.id);
      return false;
    }
    bool found = false;
    for (Var var : gone) {
      if (gone.size() > 1 && holds([&] { return invariant(node, {var}); })) continue;
      need(node, var);
      found = true;
    }
    if (!found) needAll(node);
    return true;
  }

  // The sets that the nodes will have. False: some cannot be told, and keep their dims.
  bool prepare() {
    bool all = true;
    projected_.clear();
    for (const Node& node : graph_.nodes()) {
      const std::vector<Var> dims = kept(node);
      if (dims.size() == node.dims.size()) continue;
      const bool found = holds([&] {
        projected_.emplace(node.id, project(node, dims));
        return true;
      });
      if (found) continue;
      needAll(node);
      all = false;
    }
    propagate();
    return all;
  }

  int apply(Notes& notes) {
    const auto names = pdg::displayNames(graph_);
    int changed = 0;
    for (NodeId id = 0; id < graph_.size(); ++id) {
      Node& node = graph_.node(id);
      for (Read& read : node.inputs) shorten(read);
      auto projected = projected_.find(id);
      if (projected == projected_.end()) continue;
      ++changed;
      if (!node.name.empty()) describe(node, names, notes);
      replaceSets(node, std::move(projected->second));
      for (Read& read : node.inputs) pdg::tellOnly(read, pdg::readVariables(node));
    }
    for (pdg::Sink& sink : graph_.sinks()) {
      forEachLeaf(sink.value, [this](Read& leaf) { shorten(leaf); });
      if (sink.where) shorten(*sink.where);
    }
    for (NodeId id = 0; id < graph_.size(); ++id) dropUnusedInputs(graph_.node(id));
    return changed;
  }

  void describe(const Node& node, const std::vector<std::string>& names, Notes& notes) const {
    std::string gone;
    for (size_t k = 0; k < node.dims.size(); ++k)
      if (!needed_[index(node.id)][k])
        gone += (gone.empty() ? "" : ", ") + graph_.dim(node.dims[k]).name;
    notes.did(node.span, called(names, node.id) + " is the same for all " + gone +
                             ": computed once for all of them");
  }

  void shorten(Read& read) const {
    const std::vector<bool>& needed = needed_[index(read.producer)];
    std::vector<IndexExpr> at;
    for (size_t k = 0; k < read.at.size(); ++k)
      if (needed[k]) at.push_back(std::move(read.at[k]));
    read.at = std::move(at);
  }

  struct Projected {
    std::vector<Var> dims;
    Set domain;
    std::vector<Set> inner;  // a reduction's domain, or those of a merge's pieces
  };

  static Projected project(const Node& node, const std::vector<Var>& dims) {
    auto without = [&](const Set& set) {
      std::vector<Var> vars;
      for (Var var : set.vars()) {
        const bool own = contains(node.dims, var);
        const bool stays = contains(dims, var);
        if (!own || stays) vars.push_back(var);
      }
      return set.projectOnto(vars);
    };
    Projected result{dims, node.domain.projectOnto(dims), {}};
    if (const auto* reduce = std::get_if<pdg::Reduce>(&node.op))
      result.inner.push_back(without(reduce->domain));
    if (const auto* merge = std::get_if<pdg::Merge>(&node.op))
      for (const auto& piece : merge->pieces) result.inner.push_back(without(piece.domain));
    return result;
  }

  static void replaceSets(Node& node, Projected projected) {
    node.dims = std::move(projected.dims);
    node.domain = std::move(projected.domain);
    if (auto* reduce = std::get_if<pdg::Reduce>(&node.op))
      reduce->domain = std::move(projected.inner[0]);
    if (auto* merge = std::get_if<pdg::Merge>(&node.op))
      for (size_t k = 0; k < merge->pieces.size(); ++k)
        merge->pieces[k].domain = std::move(projected.inner[k]);
  }

  Graph& graph_;
  std::vector<std::vector<bool>> needed_;  // [node][dim]
  std::vector<std::vector<bool>> active_;  // [node][input]
  std::vector<std::vector<NodeId>> readers_;
  std::vector<std::pair<NodeId, size_t>> pending_;
  std::set<NodeId> checked_;
  std::map<NodeId, Projected> projected_;
};

}  // namespace

void domainReduction(pdg::Graph& graph, Notes& notes) {
  notes.count(Reducer(graph).run(notes), "computed at fewer points");
}

}  // namespace rlc::passes
