#include "compiler/pdg/truths.h"

#include <optional>
#include <vector>

#include "compiler/pdg/pending_reads.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::pdg {

namespace {

bool isZero(const Graph& graph, const Read& read) {
  const auto value = splatValue(graph.node(read.producer));
  return value && value->asDouble() == 0;
}

// Visits truths that hold where a number is not zero: those that it is chosen by, and zero
// otherwise.
void forEachNonzero(const Graph& graph, const Read& number,
                    const std::function<void(const Read&)>& visit) {
  PendingReads pending(number);
  const auto follow = [&](const Node& node, const Read& outer, size_t k) {
    if (auto inner = readThrough(node, outer, node.inputs[k])) pending.add(std::move(*inner));
  };
  while (const auto next = pending.next()) {
    const Read& read = *next;
    const Node& node = graph.node(read.producer);
    if (passedOn(node) != nullptr) follow(node, read, 0);
    const auto* map = std::get_if<Map>(&node.op);
    if (!map || map->op != ScalarOp::Select) continue;
    if (isZero(graph, node.inputs[2])) {
      if (const auto chosenBy = readThrough(node, read, node.inputs[0]))
        forEachConjunct(graph, *chosenBy, visit);
      follow(node, read, 1);
    } else if (isZero(graph, node.inputs[1])) {
      // Not the case a == 0, so a is not zero either.
      const Node& test = graph.node(node.inputs[0].producer);
      const auto* compares = std::get_if<Map>(&test.op);
      const auto tested = readThrough(node, read, node.inputs[0]);
      if (tested && compares && compares->op == ScalarOp::Eq && isZero(graph, test.inputs[1]))
        follow(test, *tested, 0);
      follow(node, read, 2);
    }
  }
}

}  // namespace

void forEachConjunct(const Graph& graph, const Read& truth,
                     const std::function<void(const Read&)>& visit) {
  PendingReads pending(truth);
  while (const auto next = pending.next()) {
    const Read& read = *next;
    const Node& node = graph.node(read.producer);
    size_t parts = 0;  // of the inputs
    const auto* map = std::get_if<Map>(&node.op);
    if (passedOn(node) != nullptr) parts = 1;
    if (map && map->op == ScalarOp::And) parts = 2;
    if (map && map->op == ScalarOp::Select) {
      const auto otherwise = splatValue(graph.node(node.inputs[2].producer));
      if (otherwise && node.type == DType::Bool && !otherwise->asBool()) parts = 2;
    }
    std::vector<Read> composed;
    for (size_t k = 0; k < parts; ++k)
      if (auto inner = readThrough(node, read, node.inputs[k]))
        composed.push_back(std::move(*inner));
    if (parts == 0 || composed.size() < parts)
      visit(read);
    else
      for (Read& part : composed) pending.add(std::move(part));
  }
}

void forEachChosenBy(const Graph& graph, const Node& node, size_t k,
                     const std::function<void(const Read&)>& visit) {
  if (const auto* reduce = std::get_if<Reduce>(&node.op)) {
    if (k == 0 && reduce->hasFilter) forEachConjunct(graph, node.inputs[1], visit);
    return;
  }
  const auto* map = std::get_if<Map>(&node.op);
  if (!map || map->op != ScalarOp::Select || k == 0) return;
  if (k == 1) return forEachConjunct(graph, node.inputs[0], visit);
  const Node& test = graph.node(node.inputs[0].producer);
  const auto* compares = std::get_if<Map>(&test.op);
  if (!compares || compares->op != ScalarOp::Eq || !isZero(graph, test.inputs[1])) return;
  if (const auto number = readThrough(test, node.inputs[0], test.inputs[0]))
    forEachNonzero(graph, *number, visit);
}

void forEachNeeded(const Graph& graph, const Node& reduction,
                   const std::function<void(const Read&)>& visit) {
  const Reduce& reduce = std::get<Reduce>(reduction.op);
  if (reduce.hasFilter) forEachConjunct(graph, reduction.inputs[1], visit);
  if (reduce.kind == ReduceKind::Any) forEachConjunct(graph, reduction.inputs[0], visit);
  if (reduce.kind != ReduceKind::Sum) return;
  std::optional<Read> body = reduction.inputs[0];
  while (body) {
    const Node& node = graph.node(body->producer);
    const auto* map = std::get_if<Map>(&node.op);
    if (map && map->op == ScalarOp::Select) {
      const auto chosenBy = readThrough(node, *body, node.inputs[0]);
      if (isZero(graph, node.inputs[2]) && chosenBy) forEachConjunct(graph, *chosenBy, visit);
    }
    const Read* same = passedOn(node);
    body = same ? readThrough(node, *body, *same) : std::nullopt;
  }
}

}  // namespace rlc::pdg
