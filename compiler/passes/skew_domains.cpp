#include "compiler/passes/skew_domains.h"

#include <algorithm>

#include "compiler/passes/rewrite.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

using pdg::Set;

class Skewer {
 public:
  explicit Skewer(Graph& graph)
      : graph_(graph), readers_(pdg::users(graph)), shown_(static_cast<size_t>(graph.size())) {
    for (NodeId id : pdg::sinkRoots(graph)) shown_[static_cast<size_t>(id)] = true;
  }

  int run() {
    int changed = 0;
    const std::vector<bool> recurrent = pdg::recurrent(graph_);
    for (NodeId id : producersFirst(graph_)) {
      if (recurrent[static_cast<size_t>(id)] || shown_[static_cast<size_t>(id)] ||
          !isPointwise(graph_.node(id)))
        continue;
      changed += holds([&] { return skew(id); });
    }
    return changed;
  }

 private:
  static bool isPointwise(const Node& node) {
    return node.name.empty() && node.dims.size() >= 2 &&
           (std::holds_alternative<pdg::IndexValue>(node.op) ||
            std::holds_alternative<pdg::Map>(node.op));
  }

  bool skew(NodeId id) {
    const std::vector<Var> dims = graph_.node(id).dims;
    for (Var gone : dims)
      for (Var kept : dims)
        if (gone != kept && dependsOnDifference(graph_.node(id), kept, gone)) {
          replace(id, kept, gone);
          return true;
        }
    return false;
  }

  // Whether everything the node says mentions `gone` in `kept - gone` alone, and `kept` likewise.
  bool dependsOnDifference(const Node& node, Var kept, Var gone) const {
    const std::map<Var, IndexExpr> apart{{kept, IndexExpr(kept) + IndexExpr(gone)}};
    bool any = false, only = true;
    const auto look = [&](const IndexExpr& e) {
      if (e.hasValue()) only = false;
      if (!e.mentions(kept) && !e.mentions(gone)) return;
      any = true;
      if (e.substitute(apart).mentions(gone)) only = false;
    };
    pdg::forEachExpr(node, look);
    for (const IndexExpr& extent : node.shape) look(extent);
    return any && only;
  }

  void replace(NodeId id, Var kept, Var gone) {
    const Node& old = graph_.node(id);
    // The points as they are over the other dims and the difference.
    const Var fresh = Var::dim(graph_.dimCount());
    std::vector<IndexExpr> at;
    std::vector<Var> outs, dims;
    std::map<Var, Var> back;
    for (Var dim : old.dims) {
      if (dim == gone) continue;
      const Var out = Var::dim(graph_.dimCount() + 1 + static_cast<int>(outs.size()));
      at.push_back(dim == kept ? IndexExpr(kept) - IndexExpr(gone) : IndexExpr(dim));
      outs.push_back(out);
      dims.push_back(dim == kept ? fresh : dim);
      back.emplace(out, dims.back());
    }
    const Set domain = Set::access(old.domain, at, outs).projectOnto(outs).rename(back);

    const auto gonePosition =
        static_cast<size_t>(std::find(old.dims.begin(), old.dims.end(), gone) - old.dims.begin());
    const auto keptPosition =
        static_cast<size_t>(std::find(old.dims.begin(), old.dims.end(), kept) - old.dims.begin());
    pdg::Dim declared = graph_.dim(kept);
    declared.name = graph_.dim(kept).name + "_" + graph_.dim(gone).name;
    declared.lo = IndexExpr(domain.minimum(IndexExpr(fresh)).value_or(0));
    declared.hi = IndexExpr(domain.maximum(IndexExpr(fresh)).value_or(-1) + 1);
    declared.isRange = false;
    declared.end = -1;
    graph_.addDim(std::move(declared));

    Node& node = graph_.node(id);
    const std::map<Var, IndexExpr> values{{kept, IndexExpr(fresh) + IndexExpr(gone)}};
    for (Read& read : node.inputs)
      pdg::changeExprs(read, [&](const IndexExpr& e) { return e.substitute(values); });
    for (IndexExpr& e : node.shape) e = e.substitute(values);
    if (auto* value = std::get_if<pdg::IndexValue>(&node.op))
      value->expr = value->expr.substitute(values);
    node.dims = std::move(dims);
    node.domain = domain;
    for (Read& read : node.inputs) pdg::tellOnly(read, pdg::readVariables(node));
    for (NodeId reader : readers_[static_cast<size_t>(id)])
      for (Read& read : graph_.node(reader).inputs) {
        if (read.producer != id) continue;
        read.at[keptPosition] = read.at[keptPosition] - read.at[gonePosition];
        read.at.erase(read.at.begin() + static_cast<std::ptrdiff_t>(gonePosition));
      }
  }

  Graph& graph_;
  std::vector<std::vector<NodeId>> readers_;
  std::vector<bool> shown_;
};

}  // namespace

void skewDomains(Graph& graph, Notes& notes) {
  notes.count(Skewer(graph).run(), "computed once for each difference of two indices");
}

}  // namespace rlc::passes
