#include "compiler/schedule/placement.h"

#include <algorithm>

#include "compiler/pdg/past_end.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"
#include "compiler/schedule/lazy_faults.h"

namespace rlc::schedule {

namespace {

using pdg::Merge;
using pdg::Node;
using pdg::Read;
using pdg::Reduce;
using pdg::ReduceKind;

constexpr int kDeepestExpression = 64;  // longer chains are cut by storing a value in between

struct Use {
  NodeId consumer = -1;  // -1: a sink
  int input = -1;
};

// By what sinks and ends depend on: the rest is computed nowhere.
std::vector<std::vector<Use>> collectUses(const Graph& graph) {
  std::vector<std::vector<Use>> uses(static_cast<size_t>(graph.size()));
  const std::vector<bool> live = pdg::reachable(graph, pdg::roots(graph));
  for (const Node& node : graph.nodes())
    for (size_t k = 0; k < node.inputs.size() && live[static_cast<size_t>(node.id)]; ++k)
      uses[static_cast<size_t>(node.inputs[k].producer)].push_back({node.id, static_cast<int>(k)});
  for (const pdg::Sink& sink : graph.sinks())
    for (const Read& read : pdg::hostReads(graph, sink))
      uses[static_cast<size_t>(read.producer)].push_back({});
  return uses;
}

// Evaluating it again costs no more than a load would.
bool isFree(const Node& node) {
  return std::holds_alternative<pdg::IndexValue>(node.op) ||
         std::holds_alternative<pdg::Param>(node.op) ||
         std::holds_alternative<pdg::Detach>(node.op) ||
         (std::holds_alternative<pdg::Constant>(node.op) && node.shape.empty()) ||
         (std::holds_alternative<pdg::Map>(node.op) &&
          std::get<pdg::Map>(node.op).op == ScalarOp::Cast);
}

bool isAlias(const Node& node) {
  const Merge* merge = std::get_if<Merge>(&node.op);
  return merge && merge->pieces.size() == 1 && node.inputs.size() == 1;
}

// A tree's update that is done right where its one reader keeps its value: in an equation, or as
// the first of several updates.
bool updatesInPlace(const Graph& graph, const Node& node, const Use& use) {
  if (!std::holds_alternative<pdg::TreeUpdate>(node.op) || use.consumer < 0) return false;
  const Node& consumer = graph.node(use.consumer);
  const Read& read = consumer.inputs[static_cast<size_t>(use.input)];
  if (read.element != std::vector<IndexExpr>{IndexExpr(Var::element(0))}) return false;
  if (std::holds_alternative<pdg::TreeUpdate>(consumer.op))
    return use.input == 0 && pdg::readsEachPointOnce(consumer, use.input);
  const Merge* merge = std::get_if<Merge>(&consumer.op);
  return merge && static_cast<size_t>(use.input) < merge->pieces.size() &&
         pdg::readsEachPointOnce(consumer, use.input) &&
         merge->pieces[static_cast<size_t>(use.input)].element.kind() ==
             polyhedral::Condition::Kind::True;
}

// What a variable of a node chooses in the stored values that the node reads, itself or through
// what is inlined into it.
struct Chooses {
  bool points = false, elements = false;
};

void addChosen(const Graph& graph, const std::vector<Placement>& placement, const Node& node,
               Var var, Chooses& chooses) {
  for (const Read& read : node.inputs) {
    const Node& producer = graph.node(read.producer);
    const bool inlined = placement[static_cast<size_t>(producer.id)] == Placement::Inline;
    for (size_t k = 0; k < read.at.size(); ++k) {
      if (!read.at[k].mentions(var)) continue;
      if (inlined && read.at[k].asShifted())
        addChosen(graph, placement, producer, producer.dims[k], chooses);
      else
        chooses.points = true;
    }
    for (size_t k = 0; k < read.element.size(); ++k) {
      if (!read.element[k].mentions(var)) continue;
      if (inlined)
        addChosen(graph, placement, producer, Var::element(static_cast<int>(k)), chooses);
      else
        chooses.elements = true;
    }
  }
}

// The bound variables of a reduction that become statement variables: those that index stored
// values' points over a range that does not depend on where the reduction stands, so that the
// accumulation can run along with whatever produces them.
std::vector<Var> chooseScheduledBound(const Graph& graph, const std::vector<Placement>& placement,
                                      const Node& node) {
  const Reduce* reduce = std::get_if<Reduce>(&node.op);
  if (!reduce) return {};
  const bool accumulates =
      reduce->kind == ReduceKind::Sum || reduce->kind == ReduceKind::Prod ||
      reduce->kind == ReduceKind::All || reduce->kind == ReduceKind::Any ||
      ((reduce->kind == ReduceKind::Max || reduce->kind == ReduceKind::Min) && !reduce->hasFilter);
  if (!accumulates) return {};
  if (!reduce->keys.empty()) return reduce->bound;
  std::vector<Var> chosen;
  for (Var var : reduce->bound) {
    bool indexes = false;
    Chooses chooses;
    for (const Read& read : node.inputs)
      for (size_t k = 0; k < read.at.size(); ++k) {
        const auto shifted = read.at[k].asShifted();
        if (!shifted || shifted->var != var) continue;
        indexes = true;
        const Node& body = graph.node(read.producer);
        if (placement[static_cast<size_t>(body.id)] == Placement::Inline)
          addChosen(graph, placement, body, body.dims[k], chooses);
        else
          chooses.points = true;
      }
    if (!indexes || (chooses.elements && !chooses.points)) continue;
    const Set own = reduce->domain.projectOnto({var});
    const Set box = own.extendTo(reduce->domain.vars());
    std::vector<Var> others;
    for (Var other : reduce->domain.vars())
      if (other != var) others.push_back(other);
    const Set rest = reduce->domain.projectOnto(others).extendTo(reduce->domain.vars());
    if (box.intersect(rest).isSubset(reduce->domain)) chosen.push_back(var);
  }
  return chosen;
}

// Whether the input is evaluated once for each point of the node: a categorical draw goes over its
// logits for the largest one, for their total and for the class.
bool evaluatesOnce(const Node& node, int input) {
  const auto* draw = std::get_if<pdg::Draw>(&node.op);
  return pdg::readsEachPointOnce(node, input) &&
         !(draw && draw->kind == pdg::DrawKind::Categorical);
}

// Whether a node that is inlined whatever reads it (a cast, an alias) is evaluated just once a
// point all the same, so that what it reads may be inlined into it.
bool evaluatedOnce(const Graph& graph, const std::vector<std::vector<Use>>& uses, NodeId id,
                   int depth = 0) {
  const auto& own = uses[static_cast<size_t>(id)];
  if (own.size() != 1 || own[0].consumer < 0 || depth > 64) return false;
  const Node& consumer = graph.node(own[0].consumer);
  if (!evaluatesOnce(consumer, own[0].input)) return false;
  return !(isFree(consumer) || isAlias(consumer)) ||
         evaluatedOnce(graph, uses, consumer.id, depth + 1);
}

}  // namespace

Placements placeNodes(const Graph& graph) {
  const auto uses = collectUses(graph);
  const std::vector<bool> conditional = askedForUnderConditions(graph);
  const auto cyclic = pdg::recurrent(graph);  // a Merge there is stored, whatever reads it
  const auto n = static_cast<size_t>(graph.size());
  Placements result{std::vector<Placement>(n, Placement::Stored), std::vector<std::vector<Var>>(n),
                    std::vector<bool>(n)};

  std::vector<bool> readByHost(n);
  for (const pdg::Sink& sink : graph.sinks())
    for (const Read& read : pdg::hostReads(graph, sink)) {
      readByHost[static_cast<size_t>(read.producer)] = true;
      if (sink.kind == pdg::Sink::Kind::Print)
        result.escapes[static_cast<size_t>(read.producer)] = true;
    }

  std::vector<int> depth(n, 0);  // of the inlined expression under a node
  for (const Node& node : graph.nodes()) {
    const auto id = static_cast<size_t>(node.id);
    if (uses[id].empty()) {  // nothing evaluates it
      result.placement[id] = Placement::Inline;
      continue;
    }
    for (const Read& read : node.inputs)
      if (read.producer < node.id &&
          result.placement[static_cast<size_t>(read.producer)] == Placement::Inline)
        depth[id] = std::max(depth[id], depth[static_cast<size_t>(read.producer)] + 1);
    if (std::holds_alternative<pdg::Constant>(node.op) && !node.shape.empty() && !readByHost[id]) {
      result.placement[id] = Placement::Constant;
      continue;
    }
    result.scheduledBound[id] = chooseScheduledBound(graph, result.placement, node);
    if (readByHost[id] || (cyclic[id] && std::holds_alternative<Merge>(node.op))) continue;
    if (isFree(node) || (isAlias(node) && !cyclic[id]) ||
        std::holds_alternative<pdg::PointUpdate>(node.op) || conditional[id]) {
      result.placement[id] = Placement::Inline;
      continue;
    }
    if (uses[id].size() == 1 && updatesInPlace(graph, node, uses[id][0])) {
      result.placement[id] = Placement::Inline;
      continue;
    }
    const auto* draw = std::get_if<pdg::Draw>(&node.op);
    const bool expression =
        (draw && draw->kind != pdg::DrawKind::Permutation) ||
        std::holds_alternative<pdg::Map>(node.op) || std::holds_alternative<Merge>(node.op) ||
        std::holds_alternative<pdg::TreeFind>(node.op) ||
        (std::holds_alternative<Reduce>(node.op) && result.scheduledBound[id].empty());
    if (!expression || uses[id].size() > 1 || depth[id] >= kDeepestExpression) continue;
    if (uses[id][0].consumer < 0) continue;
    const Node& consumer = graph.node(uses[id][0].consumer);
    const bool shared =
        (isFree(consumer) || isAlias(consumer)) && !evaluatedOnce(graph, uses, consumer.id);
    if (!shared && evaluatesOnce(consumer, uses[id][0].input))
      result.placement[id] = Placement::Inline;
  }
  // A tree's update is done where an equation keeps it: there is no place in one that is inlined.
  for (const Node& node : graph.nodes()) {
    const auto id = static_cast<size_t>(node.id);
    if (result.placement[id] != Placement::Inline || uses[id].empty() ||
        !std::holds_alternative<pdg::TreeUpdate>(node.op))
      continue;
    const NodeId keeper = uses[id][0].consumer;
    if (std::holds_alternative<Merge>(graph.node(keeper).op) &&
        result.placement[static_cast<size_t>(keeper)] != Placement::Stored)
      result.placement[id] = Placement::Stored;
  }
  return result;
}

}  // namespace rlc::schedule
