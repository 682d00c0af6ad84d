#include "compiler/passes/populate.h"

#include <utility>

#include "compiler/types/lists.h"

namespace rlc::passes {

namespace {

using pdg::Condition;
using pdg::IndexExpr;
using pdg::Node;
using pdg::NodeId;
using pdg::Read;
using pdg::Set;
using pdg::Var;

// [node]: whether it is a draw or reads, through any chain, one.
std::vector<bool> random(const pdg::Graph& graph) {
  std::vector<std::vector<NodeId>> readers(static_cast<size_t>(graph.size()));
  std::vector<bool> found(static_cast<size_t>(graph.size()), false);
  std::vector<NodeId> pending;
  const auto mark = [&](NodeId id) {
    if (found[static_cast<size_t>(id)]) return;
    found[static_cast<size_t>(id)] = true;
    pending.push_back(id);
  };
  for (const Node& node : graph.nodes()) {
    for (const Read& input : node.inputs)
      readers[static_cast<size_t>(input.producer)].push_back(node.id);
    if (std::holds_alternative<pdg::Draw>(node.op)) mark(node.id);
  }
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    for (NodeId reader : readers[static_cast<size_t>(id)]) mark(reader);
  }
  return found;
}

class Population {
 public:
  Population(const pdg::Graph& graph, Var member, int64_t lo, int64_t hi)
      : random_(random(graph)),
        member_(member),
        range_(Condition::within(IndexExpr(member), IndexExpr(lo), IndexExpr(hi))) {}

  bool isRandom(const Read& read) const { return random_[static_cast<size_t>(read.producer)]; }
  bool isRandom(const Node& node) const { return random_[static_cast<size_t>(node.id)]; }

  void extend(Set& set) const {
    std::vector<Var> vars = set.vars();
    vars.insert(vars.begin(), member_);
    set = set.extendTo(vars).intersect(range_);
  }
  void extend(Read& read) const {
    if (isRandom(read)) read.at.insert(read.at.begin(), IndexExpr(member_));
  }
  void extend(Node& node) const {
    node.dims.insert(node.dims.begin(), member_);
    extend(node.domain);
    for (Read& input : node.inputs) extend(input);
    if (auto* reduce = std::get_if<pdg::Reduce>(&node.op)) extend(reduce->domain);
    if (auto* merge = std::get_if<pdg::Merge>(&node.op))
      for (pdg::Merge::Piece& piece : merge->pieces) extend(piece.domain);
  }
  void extend(pdg::Sink& sink) const {
    bool any = sink.where && isRandom(*sink.where);
    pdg::forEachLeaf(std::as_const(sink.value),
                     [&](const Read& leaf) { any = any || isRandom(leaf); });
    if (!any) return;
    sink.dims.insert(sink.dims.begin(), member_);
    extend(sink.domain);
    if (sink.where) extend(*sink.where);
    pdg::forEachLeaf(sink.value, [&](Read& leaf) { extend(leaf); });
  }

 private:
  std::vector<bool> random_;
  Var member_;
  Condition range_;
};

}  // namespace

bool populate(pdg::Graph& graph, const std::string& index, int64_t lo, int64_t hi) {
  const std::vector<bool> found = random(graph);
  if (!contains(found, true)) return false;
  pdg::Dim dim;
  dim.name = index;
  dim.lo = IndexExpr(lo);
  dim.hi = IndexExpr(hi);
  const Population population(graph, graph.addDim(std::move(dim)), lo, hi);
  for (NodeId id = 0; id < graph.size(); ++id)
    if (population.isRandom(graph.node(id))) population.extend(graph.node(id));
  for (pdg::Sink& sink : graph.sinks()) population.extend(sink);
  return true;
}

}  // namespace rlc::passes
