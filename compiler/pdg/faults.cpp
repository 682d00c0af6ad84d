#include "compiler/pdg/faults.h"

#include <algorithm>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::pdg {

namespace {

bool mapMayFault(const Graph& graph, const Node& node, const Map& map) {
  if (!mayFault(map.op, graph.node(node.inputs[0].producer).type, node.type)) return false;
  if (map.op == ScalarOp::Cast) return !map.fits;
  const auto divisor = splatValue(graph.node(node.inputs[1].producer));
  return !divisor || divisor->i == 0;
}

bool reduceMayFault(const Node& node, const Reduce& reduce) {
  const bool needsPoints = reduce.kind == ReduceKind::Max || reduce.kind == ReduceKind::Min ||
                           reduce.kind == ReduceKind::ArgMax || reduce.kind == ReduceKind::ArgMin;
  return needsPoints &&
         (reduce.hasFilter || !node.domain.isSubset(reduce.domain.projectOnto(node.dims)));
}

}  // namespace

bool mayFault(const Graph& graph, const Node& node) {
  if (std::any_of(node.inputs.begin(), node.inputs.end(), isChecked)) return true;
  if (const auto* map = std::get_if<Map>(&node.op)) return mapMayFault(graph, node, *map);
  if (const auto* reduce = std::get_if<Reduce>(&node.op)) return reduceMayFault(node, *reduce);
  if (const auto* draw = std::get_if<Draw>(&node.op)) return draw->kind == DrawKind::UniformInt;
  return std::holds_alternative<TreeFind>(node.op) || std::holds_alternative<TreeUpdate>(node.op);
}

}  // namespace rlc::pdg
