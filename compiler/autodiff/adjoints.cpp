#include "compiler/autodiff/adjoints.h"

#include <algorithm>

#include "compiler/autodiff/order.h"
#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"
#include "compiler/polyhedral/variables.h"
#include "compiler/types/lists.h"

namespace rlc::autodiff {

Adjoints::Adjoints(Tools& tools, const Group& group, const Paths& paths, std::string lossName)
    : tools_(tools),
      graph_(tools.graph),
      group_(group),
      paths_(paths),
      loss_name_(std::move(lossName)),
      first_made_(tools.graph.size()) {
  chooseParams();
  findGuarded();
  findLacking();
}

void Adjoints::chooseParams() {
  std::vector<Var> used;
  for (const IndexExpr& e : group_.loss.at) e.collectVariables(used);
  for (const IndexExpr& e : group_.loss.element) e.collectVariables(used);
  std::map<Var, Var> names;
  int hidden = 0;
  for (Var dim : group_.dims) {
    const Axis* axis = nullptr;
    for (const Axis& candidate : paths_.axes()) {
      const auto position = candidate.loss.asShifted();
      if (candidate.matched && position && position->var == dim) axis = &candidate;
    }
    Var stand = scratch(100 + hidden++);
    if (axis) {
      eliminated_.push_back({stand, axis, axis->loss.constantTerm()});
    } else if (contains(used, dim)) {
      pdg::Dim made = graph_.dim(dim);
      made.name += "'";
      made.end = -1;
      stand = graph_.addDim(std::move(made));
      params_.push_back(stand);
      param_dims_.push_back(dim);
    }
    names[dim] = stand;
    renamed_.emplace(dim, IndexExpr(stand));
  }
  points_ = group_.domain.rename(names);

  std::vector<std::pair<int64_t, int64_t>> box;
  std::vector<IndexExpr> lo, hi;
  for (Var var : points_.vars()) {
    const auto least = points_.minimum(var), most = points_.maximum(var);
    if (!least || *least == INT64_MIN || *most == INT64_MAX) return;
    box.emplace_back(*least, *most + 1);
    lo.push_back(*least);
    hi.push_back(*most + 1);
  }
  if (Set::box(graph_.context(), points_.vars(), lo, hi).isEqual(points_)) box_ = std::move(box);
}

// What selections read, and what that is made of.
void Adjoints::findGuarded() {
  guarded_.resize(at(graph_.size()));
  std::vector<NodeId> pending;
  auto reach = [&](NodeId id) {
    if (guarded_[at(id)] || !paths_.on(id)) return;
    guarded_[at(id)] = true;
    pending.push_back(id);
  };
  for (const Edge& edge : paths_.edges()) {
    const pdg::Map* map = std::get_if<pdg::Map>(&graph_.node(edge.consumer).op);
    const pdg::Reduce* reduce = std::get_if<pdg::Reduce>(&graph_.node(edge.consumer).op);
    const bool selects = (map && (map->op == ScalarOp::Select || map->op == ScalarOp::Min ||
                                  map->op == ScalarOp::Max)) ||
                         (reduce && reduce->hasFilter);
    if (selects && paths_.live(edge)) reach(edge.producer);
  }
  while (!pending.empty()) {
    const Node& node = graph_.node(pending.back());
    pending.pop_back();
    for (const pdg::Read& read : node.inputs) reach(read.producer);
  }
}

// What reads tensors along an index that ends, but at another variable's points or further on, does
// so where they have no values: a filter, a condition, or the end of what reads it in turn leaves
// that out. So it goes on for all that is made of it, up to the next tensor.
void Adjoints::findLacking() {
  lacking_.resize(at(graph_.size()));
  const auto readsElsewhere = [&](const Node& node) {
    return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const pdg::Read& read) {
      const std::vector<Var>& dims = graph_.node(read.producer).dims;
      for (size_t k = 0; k < dims.size(); ++k) {
        if (graph_.dim(dims[k]).end < 0) continue;
        const auto shifted = read.at[k].asShifted();
        if (!shifted || shifted->var != dims[k] || shifted->offset > 0) return true;
      }
      return false;
    });
  };
  const auto isTensor = [](const Node& node) {
    return std::holds_alternative<pdg::Merge>(node.op) && !node.name.empty();
  };
  std::vector<NodeId> pending;
  const auto reach = [&](NodeId id) {
    if (lacking_[at(id)]) return;
    lacking_[at(id)] = true;
    pending.push_back(id);
  };
  for (const Node& node : graph_.nodes())
    if (readsElsewhere(node)) reach(node.id);
  if (pending.empty()) return;
  const std::vector<std::vector<NodeId>> readers = pdg::users(graph_);
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    for (NodeId reader : readers[at(id)])
      if (!isTensor(graph_.node(reader))) reach(reader);
  }
}

bool Adjoints::mayEnd(const Node& node) const {
  return std::any_of(node.dims.begin(), node.dims.end(),
                     [&](Var dim) { return graph_.dim(dim).end >= 0; });
}

std::vector<Var> Adjoints::dimsOf(const Node& node) const { return joined(params_, node.dims); }

// The points of the node that may lie between the loss and what it is differentiated by.
Set Adjoints::reachOf(const Node& node) const {
  Substitution where;  // the group's variables that the position of the node determines
  std::vector<std::pair<Var, IndexExpr>> determined;
  for (const Eliminated& e : eliminated_) {
    const IndexExpr value = *e.axis->position[at(node.id)] - e.offset;
    where.emplace(e.dim, value);
    determined.emplace_back(e.dim, value);
  }
  Condition condition = Condition::always();
  for (const Axis& axis : paths_.axes()) {
    if (!axis.position[at(node.id)]) continue;
    const IndexExpr position = *axis.position[at(node.id)];
    const IndexExpr loss = axis.loss.substitute(renamed_).substitute(where);
    if (axis.matched || axis.sign == 0) {
      condition = condition && Condition::equal(position, loss);
      continue;
    }
    const int64_t sign = axis.sign;
    condition = condition && Condition::nonNegative((position - loss) * sign);
    if (axis.target)
      condition =
          condition && Condition::nonNegative(
                           (axis.target->substitute(renamed_).substitute(where) - position) * sign);
  }
  const std::vector<Var> dims = dimsOf(node);
  std::vector<Var> mentioned;
  condition.collectVariables(mentioned);
  const bool plain = box_ && std::all_of(mentioned.begin(), mentioned.end(),
                                         [&](Var v) { return contains(dims, v); });
  if (plain) {
    for (size_t i = 0; i < points_.vars().size(); ++i) {
      const Var var = points_.vars()[i];
      const auto found = where.find(var);
      if (found == where.end() && !contains(params_, var)) continue;
      condition =
          condition && Condition::within(found == where.end() ? IndexExpr(var) : found->second,
                                         (*box_)[i].first, (*box_)[i].second);
    }
    return node.domain.extendTo(dims).intersect(condition);
  }
  Set all = points_.join(node.domain).intersect(condition);
  for (const auto& [var, value] : determined) all = all.intersect(Condition::equal(var, value));
  return all.projectOnto(dims);
}

Set Adjoints::shapeSet(const Node& node, const Set& domain) const {
  Condition inShape = Condition::always();
  const std::vector<Var> elements = pdg::elementVars(node);
  for (size_t axis = 0; axis < elements.size(); ++axis)
    inShape = inShape && Condition::within(elements[axis], 0, node.shape[axis]);
  return domain.extendTo(joined(dimsOf(node), elements)).intersect(inShape);
}

void Adjoints::run() {
  const std::vector<NodeId> nodes = paths_.nodes();
  std::vector<int> position(at(graph_.size()), -1);
  for (size_t i = 0; i < nodes.size(); ++i) position[at(nodes[i])] = static_cast<int>(i);
  std::vector<std::vector<int>> consumers(nodes.size());
  for (const Edge& edge : paths_.edges())
    if (paths_.live(edge))
      consumers[static_cast<size_t>(position[at(edge.producer)])].push_back(
          position[at(edge.consumer)]);
  adjoints_.resize(at(graph_.size()));

  auto id = [&](int i) { return nodes[static_cast<size_t>(i)]; };
  auto rank = [&](int i) {
    const Node& node = graph_.node(id(i));
    const bool merge = std::holds_alternative<pdg::Merge>(node.op);
    return merge && !node.name.empty() ? 0 : merge ? 1 : 2;
  };
  for (std::vector<int>& component : stronglyConnected(consumers)) {
    const std::vector<int>& first = consumers[static_cast<size_t>(component[0])];
    if (component.size() == 1 && !contains(first, component[0])) {
      finish(id(component[0]), false);
      continue;
    }
    // The tensors of a recurrence close its cycles.
    std::sort(component.begin(), component.end());
    std::stable_sort(component.begin(), component.end(),
                     [&](int a, int b) { return rank(a) < rank(b); });
    const CutOrder order = cutCycles(component, consumers);
    for (int i : order.declared) declare(id(i));
    for (int i : order.order) finish(id(i), contains(order.declared, i));
  }
}

void Adjoints::declare(NodeId id) {
  const Node node = graph_.node(id);
  const Set domain = reachOf(node);
  const NodeId made = add(node, domain, pdg::Merge{}, {}, -1);
  recordLike(id, made);
  adjoints_[at(id)] = Adjoint{dimsOf(node), domain, selfOf(graph_.node(made))};
}

// Nodes that have been made since `first` have the points of this one.
void Adjoints::recordLike(NodeId node, NodeId first) {
  for (NodeId made = first; made < graph_.size(); ++made) tools_.like.emplace(made, node);
}

void Adjoints::finish(NodeId id, bool declared) {
  const NodeId first = graph_.size();
  makeAdjoint(id, declared);
  recordLike(id, first);
}

void Adjoints::makeAdjoint(NodeId id, bool declared) {
  const Node node = graph_.node(id);
  std::vector<Part> parts = id == group_.loss.producer ? seeds(node) : std::vector<Part>{};
  for (int number : paths_.readersOf(id)) {
    const Edge& edge = paths_.edges()[static_cast<size_t>(number)];
    if (!paths_.live(edge)) continue;
    if (auto part = partOf(edge)) parts.push_back(std::move(*part));
  }
  if (declared) {
    const Adjoint own = *adjoints_[at(id)];
    const NodeId target = own.source.read.producer;
    if (!mayEnd(node)) {
      combine(node, own.domain, std::move(parts), target);
      return;
    }
    const Source whole = combine(node, own.domain, std::move(parts), -1);
    const Source ended = untilEnd(node, {own.dims, own.domain, node.shape, node.span}, whole);
    mergeRow(node, own.domain, {Part{own.domain, Condition::always(), ended}}, target);
    return;
  }
  if (parts.empty()) return;
  Set domain = parts[0].domain;
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].domain.isSubset(domain)) continue;
    domain = domain.isSubset(parts[i].domain) ? parts[i].domain
                                              : domain.unite(parts[i].domain).coalesce();
  }
  const Source source = combine(node, domain, std::move(parts), -1);
  adjoints_[at(id)] = Adjoint{dimsOf(node), domain, source};
}

}  // namespace rlc::autodiff
