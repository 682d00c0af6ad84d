#include "compiler/passes/small_angles.h"

#include <algorithm>

#include "compiler/passes/value_ranges.h"

namespace rlc::passes {

namespace {

bool turns(const pdg::Node& node) {
  const auto* map = std::get_if<pdg::Map>(&node.op);
  return map != nullptr && (map->op == ScalarOp::Sin || map->op == ScalarOp::Cos);
}

}  // namespace

void smallAngles(pdg::Graph& graph, Notes& notes) {
  if (std::none_of(graph.nodes().begin(), graph.nodes().end(), turns)) return;
  const ValueRanges ranges(graph);
  int small = 0;
  for (pdg::NodeId id = 0; id < graph.size(); ++id) {
    pdg::Node& node = graph.node(id);
    if (!turns(node)) continue;
    const Interval angle = ranges.of(node.inputs[0].producer);
    if (angle.lo < -kSmallAngle || angle.hi > kSmallAngle) continue;
    auto& op = std::get<pdg::Map>(node.op).op;
    op = op == ScalarOp::Sin ? ScalarOp::SinSmall : ScalarOp::CosSmall;
    ++small;
  }
  notes.count(small, "of small angles");
}

}  // namespace rlc::passes
