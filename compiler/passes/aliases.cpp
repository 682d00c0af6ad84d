#include "compiler/passes/aliases.h"

#include <utility>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::passes {

namespace {
// Tensors without points may be aliases of each other: their reads stay where they are then.
constexpr int kLongestChain = 1000;
}  // namespace

Aliases::Aliases(Graph& graph) : graph_(graph), targets_(static_cast<size_t>(graph.size())) {}

const Read* Aliases::find(NodeId node) const {
  const auto index = static_cast<size_t>(node);
  return index < targets_.size() && targets_[index] ? &*targets_[index] : nullptr;
}

void Aliases::set(NodeId node, Read target) {
  if (target.producer == node) return;
  const auto index = static_cast<size_t>(node);
  if (index >= targets_.size()) targets_.resize(index + 1);
  passName(node, target);
  targets_[index] = std::move(target);
  ++count_;
}

void Aliases::passName(NodeId node, const Read& target) {
  Node& from = graph_.node(node);
  Node& to = graph_.node(target.producer);
  if (from.name.empty() || !to.name.empty() || from.dims != to.dims) return;
  if (std::holds_alternative<pdg::Constant>(to.op) || std::holds_alternative<pdg::Param>(to.op))
    return;
  const Read same = pdg::identityRead(to);
  if (target.at != same.at || target.element != same.element) return;
  to.name = std::exchange(from.name, "");
  to.adjoint = from.adjoint;
}

// Whether `target` takes a node of the same points at the same point and elements.
bool Aliases::samePoints(const Node& from, const Read& target) const {
  const Node& to = graph_.node(target.producer);
  if (from.dims.size() != to.dims.size() || from.shape != to.shape) return false;
  std::map<Var, Var> names;
  for (size_t k = 0; k < to.dims.size(); ++k) {
    if (target.at[k] != IndexExpr(from.dims[k])) return false;
    names[to.dims[k]] = from.dims[k];
  }
  return target.element == pdg::identityRead(from).element &&
         to.domain.rename(names).isEqual(from.domain);
}

void Aliases::redirect(NodeId consumer) {
  Node& node = graph_.node(consumer);
  // Composition may add inputs, which are redirected in turn.
  for (size_t k = 0; k < node.inputs.size(); ++k) {
    int steps = 0;
    while (const Read* target = find(node.inputs[k].producer)) {
      if (++steps > kLongestChain) break;
      const Read outer = node.inputs[k];
      if (pdg::isTested(outer) && !samePoints(graph_.node(outer.producer), *target)) break;
      // Read through, what is taken by data would be looked up by data in turn, once for each
      // reader.
      if (hasValues(outer) && hasValues(*target)) break;
      Read direct = compose(graph_, node, outer, *target);
      node.inputs[k] = std::move(direct);
    }
  }
}

void Aliases::redirectSink(Read& leaf) const {
  // A sink shows whole elements and has no inputs to take values from.
  int steps = 0;
  while (const Read* target = find(leaf.producer)) {
    const Node& from = graph_.node(leaf.producer);
    const Node& to = graph_.node(target->producer);
    if (hasValues(*target) || from.shape != to.shape || ++steps > kLongestChain) return;
    if (target->element != pdg::identity(pdg::elementVars(to))) return;
    std::map<Var, IndexExpr> values;
    for (size_t k = 0; k < from.dims.size(); ++k) values.emplace(from.dims[k], leaf.at[k]);
    Read direct{target->producer, {}, leaf.element};
    for (const IndexExpr& e : target->at) direct.at.push_back(e.substitute(values));
    leaf = std::move(direct);
  }
}

void Aliases::redirectAll() {
  if (count_ == 0) return;
  for (NodeId id = 0; id < graph_.size(); ++id) {
    redirect(id);
    dropUnusedInputs(graph_.node(id));
  }
  for (pdg::Sink& sink : graph_.sinks()) {
    forEachLeaf(sink.value, [this](Read& leaf) { redirectSink(leaf); });
    if (sink.where) redirectSink(*sink.where);
  }
}

}  // namespace rlc::passes
