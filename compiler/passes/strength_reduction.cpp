#include "compiler/passes/strength_reduction.h"

#include <cmath>

#include "compiler/passes/rewrite.h"
#include "compiler/pdg/shape.h"

namespace rlc::passes {

namespace {

// node is pow(x, exponent): subscripts keep their inputs, for there are two operands all the same.
void makeProduct(Graph& graph, NodeId id, int exponent) {
  Node square = graph.node(id);
  square.name.clear();
  square.op = pdg::Map{ScalarOp::Mul};
  square.inputs[1] = square.inputs[0];
  const Read base = square.inputs[0];
  if (exponent == 2) {
    graph.node(id).op = square.op;
    graph.node(id).inputs = square.inputs;
    return;
  }
  const std::vector<Read> inputs = square.inputs;
  const Node& pow = graph.node(id);
  const Read half{graph.size(), pdg::identity(pow.dims), pdg::identity(pdg::elementVars(pow))};
  graph.add(std::move(square));
  Node& node = graph.node(id);
  node.op = pdg::Map{ScalarOp::Mul};
  node.inputs = inputs;
  node.inputs[0] = half;
  node.inputs[1] = exponent == 3 ? base : half;
  dropUnusedInputs(node);
}

// 1 / value, if it is exact and dividing by value is the same as multiplying by it.
std::optional<Scalar> exactReciprocal(const Scalar& value) {
  int exponent = 0;
  if (!value.isFloating() || !std::isfinite(value.f) || value.f == 0) return std::nullopt;
  if (std::abs(std::frexp(value.f, &exponent)) != 0.5 || std::abs(exponent) > 100)
    return std::nullopt;
  return Scalar::ofFloat(value.type, 1 / value.f);
}

}  // namespace

void strengthReduction(pdg::Graph& graph, Notes& notes) {
  ConstantPool pool(graph);
  int changed = 0;
  const int count = graph.size();
  for (NodeId id = 0; id < count; ++id) {
    const Node& node = graph.node(id);
    const auto* map = std::get_if<pdg::Map>(&node.op);
    if (!map || (map->op != ScalarOp::Pow && map->op != ScalarOp::Div)) continue;
    const auto known = pdg::splatValue(graph.node(node.inputs[1].producer));
    if (!known) continue;
    if (map->op == ScalarOp::Pow) {
      const double exponent = known->asDouble();
      if (exponent != 2 && exponent != 3 && exponent != 4) continue;
      makeProduct(graph, id, static_cast<int>(exponent));
      ++changed;
    } else if (const auto reciprocal = exactReciprocal(*known)) {
      const Read factor = pool.read(*reciprocal);
      graph.node(id).op = pdg::Map{ScalarOp::Mul};
      graph.node(id).inputs[1] = factor;
      ++changed;
    }
  }
  notes.count(changed, "multiplied instead");
}

}  // namespace rlc::passes
