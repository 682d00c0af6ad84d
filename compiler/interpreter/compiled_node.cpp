#include "compiler/interpreter/compiled_node.h"

#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/past_end.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "jit/runtime/fault.h"

namespace rlc::interpreter {

using pdg::Graph;
using pdg::Node;
using pdg::Read;

namespace {

Slots slotsOf(const std::vector<Var>& vars) {
  Slots slots;
  for (Var var : vars) slots.emplace(var, static_cast<int>(slots.size()));
  return slots;
}

CompiledRead compileRead(const Graph& graph, const Node& node, const Read& read, const Slots& slots,
                         const std::map<NodeId, pdg::Before>& beforeEnd) {
  CompiledRead compiled;
  compiled.producer = read.producer;
  for (const IndexExpr& expr : read.at) {
    compiled.at.emplace_back(expr, slots);
    compiled.checked = compiled.checked || pdg::hasUnboundedValue(expr);
  }
  for (const IndexExpr& expr : read.element) compiled.element.emplace_back(expr, slots);
  compiled.values = pdg::valueInputs(read);
  compiled.untils = untilChecks(graph, read, slots, beforeEnd, node.id);
  return compiled;
}

void compileBox(CompiledNode& compiled) {
  const Node& node = *compiled.node;
  for (Var dim : node.dims) {
    const auto lo = node.domain.minimum(dim), hi = node.domain.maximum(dim);
    if (lo == INT64_MIN || hi == INT64_MAX)
      throw InternalError("the domain of `" + node.name + "` is unbounded");
    compiled.lo.push_back(lo.value_or(0));
    compiled.extent.push_back(lo && hi ? *hi - *lo + 1 : 0);
    if (__builtin_mul_overflow(compiled.volume, compiled.extent.back(), &compiled.volume))
      throw runtime::RuntimeFault(diagnostics::Kind::TooManyPoints,
                                  "too many points for the interpreter", node.span, node.name, {});
  }
}

void compileShape(CompiledNode& compiled, const Slots& slots) {
  const Node& node = *compiled.node;
  compiled.fixedShape = pdg::constantShape(node).has_value();
  for (const IndexExpr& extent : node.shape) compiled.shape.emplace_back(extent, slots);
  compiled.maxShape = pdg::maximumShape(node);
  compiled.elements = pdg::elementCount(compiled.maxShape);
  compiled.strides.assign(compiled.maxShape.size(), 1);
  for (size_t axis = compiled.maxShape.size(); axis-- > 1;)
    compiled.strides[axis - 1] = compiled.strides[axis] * compiled.maxShape[axis];
}

void compileReduce(CompiledNode& compiled, const pdg::Reduce& reduce, const Slots& slots) {
  const Node& node = *compiled.node;
  std::vector<Var> given = node.dims;
  for (Var element : pdg::elementVars(node)) given.push_back(element);
  compiled.scan = CompiledScan(reduce.domain, given, reduce.bound, slots);
  compiled.otherwise = CompiledExpr(reduce.otherwise, slots);
}

}  // namespace

std::vector<UntilCheck> untilChecks(const Graph& graph, const Read& read, const Slots& slots,
                                    const std::map<NodeId, pdg::Before>& beforeEnd,
                                    NodeId consumer) {
  std::vector<UntilCheck> checks;
  const Node& producer = graph.node(read.producer);
  // Only what the user defined ends there; conditions on the index itself can be asked anywhere,
  // and a gradient is zero there.
  if (producer.name.empty() || producer.adjoint) return checks;
  std::vector<Var> scope;
  for (const auto& [var, slot] : slots) scope.push_back(var);
  for (size_t i = 0; i < producer.dims.size(); ++i) {
    const pdg::Dim& dim = graph.dim(producer.dims[i]);
    if (dim.end < 0) continue;
    UntilCheck check;
    check.coordinate = static_cast<int>(i);
    check.end = dim.end;
    // x[s+1] = ... defines a point more than the declared range has; so it does at the end.
    check.offset = pdg::pointsPastRange(graph, producer, producer.dims[i]);
    const auto at = pdg::endPoint(graph, read, dim.end, scope);
    if (!at || (consumer >= 0 && !beforeEnd.at(dim.end).mayBeAskedBy(graph.node(consumer), *at)))
      continue;
    for (const IndexExpr& expr : *at) check.at.emplace_back(expr, slots);
    checks.push_back(std::move(check));
  }
  return checks;
}

CompiledNode compileNode(const Graph& graph, const Node& node, const std::vector<Scalar>& params,
                         const std::map<NodeId, pdg::Before>& beforeEnd) {
  CompiledNode compiled;
  compiled.node = &node;
  compiled.rank = static_cast<int>(node.dims.size());
  compiled.axes = static_cast<int>(node.shape.size());
  const std::vector<Var> vars = pdg::readVariables(node);
  compiled.variables = static_cast<int>(vars.size());
  const Slots slots = slotsOf(vars);

  compileBox(compiled);
  compileShape(compiled, slots);
  if (compiled.rank > 0) compiled.domain = CompiledSet(node.domain, slots);
  for (const Read& read : node.inputs)
    compiled.inputs.push_back(compileRead(graph, node, read, slots, beforeEnd));

  if (const auto* constant = std::get_if<pdg::Constant>(&node.op)) {
    compiled.isConstant = true;
    for (const Scalar& element : constant->value.elements)
      compiled.constant.push_back(toCell(element));
  } else if (const auto* param = std::get_if<pdg::Param>(&node.op)) {
    compiled.isConstant = true;
    compiled.constant.push_back(toCell(params.at(static_cast<size_t>(param->param))));
  } else if (const auto* value = std::get_if<pdg::IndexValue>(&node.op)) {
    compiled.index = CompiledExpr(value->expr, slots);
    compiled.indexValues = pdg::valueInputs(value->expr);
  } else if (const auto* reduce = std::get_if<pdg::Reduce>(&node.op)) {
    compileReduce(compiled, *reduce, slots);
  } else if (const auto* merge = std::get_if<pdg::Merge>(&node.op)) {
    for (const pdg::Merge::Piece& piece : merge->pieces)
      compiled.pieces.push_back(
          {CompiledSet(piece.domain, slots), CompiledCondition(piece.element, slots)});
  }
  for (const pdg::Reduce::Key& key : pdg::keysOf(node))
    compiled.keys.push_back(
        {slots.at(key.own), CompiledExpr(key.expr, slots), pdg::valueInputs(key.expr)});
  if (!compiled.isConstant) compiled.memo = Memo(compiled.volume, compiled.elements);
  return compiled;
}

}  // namespace rlc::interpreter
