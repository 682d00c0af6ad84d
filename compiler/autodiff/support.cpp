#include "compiler/autodiff/support.h"

#include <utility>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::autodiff {

Source Support::unlessZero(Emitter& emit, const Source& adjoint, const Source& value) {
  const Source guard =
      emit.select(emit.equal(adjoint, emit.zeroLike(adjoint)), emit.zeroLike(value), value);
  if (!constants_.valueOf(guard)) guards_.insert(guard.read.producer);
  return guard;
}

std::optional<Source> Support::guardOf(const Node& node) const {
  if (!guards_.contains(node.id)) return std::nullopt;
  return operandOf(graph_.node(node.inputs[0].producer), 0);
}

std::optional<Source> Support::of(const Source& source, bool sums) {
  sums_ = sums;
  const Known own = ofNode(source.read.producer);
  if (std::exchange(unfinished_, false)) known_[sums_].clear();
  if (own.kind == Kind::Anywhere) return std::nullopt;
  return readLike(source, own);
}

// The truth about what the source reads, where it does.
Source Support::readLike(const Source& source, const Known& known) {
  if (known.kind != Kind::Somewhere) return truth(known);
  Source result = source;
  result.read.producer = known.truth;
  return result;
}

Emitter Support::emitter(const Node& node) const {
  return {graph_, constants_, {node.dims, node.domain, node.shape, node.span}};
}

Source Support::truth(const Known& known) {
  if (known.kind == Kind::Somewhere) return selfOf(graph_.node(known.truth));
  return constants_.number(known.kind == Kind::Anywhere ? 1 : 0, DType::Bool);
}

// What closes a cycle may be nonzero anywhere.
Support::Known Support::ofNode(NodeId id) {
  std::map<NodeId, Known>& known = known_[sums_];
  const auto [found, isNew] = known.try_emplace(id);
  if (!isNew || id < first_) return found->second;
  const Node node = graph_.node(id);
  return known[id] = find(node);
}

Support::Known Support::find(const Node& node) {
  if (const auto value = pdg::splatValue(node))
    return {value->asDouble() == 0 ? Kind::Nowhere : Kind::Anywhere};
  if (std::holds_alternative<pdg::Map>(node.op)) return ofMap(node);
  if (std::holds_alternative<pdg::Merge>(node.op)) return ofMerge(node);
  const auto* reduce = std::get_if<pdg::Reduce>(&node.op);
  return reduce && reduce->kind == pdg::ReduceKind::Sum && sums_ ? ofSum(node) : Known{};
}

// Of what the node reads, where it reads it.
Support::Known Support::ofInput(const Node& node, int input) {
  const Source operand = operandOf(node, input);
  const Known own = ofNode(operand.read.producer);
  if (own.kind != Kind::Somewhere) return own;
  const Node& producer = graph_.node(operand.read.producer);
  const Read self = pdg::identityRead(producer);
  if (producer.dims == node.dims && producer.shape == node.shape && operand.read.at == self.at &&
      operand.read.element == self.element && producer.domain.isEqual(node.domain))
    return own;
  pdg::Merge merge;
  merge.pieces.push_back({node.domain});
  const Source made =
      emitter(node).node(DType::Bool, std::move(merge), inputsOf({readLike(operand, own)}));
  return {Kind::Somewhere, made.read.producer};
}

Support::Known Support::either(const Node& node, const Known& a, const Known& b) {
  if (a.kind == Kind::Nowhere || b.kind == Kind::Anywhere || a.truth == b.truth) return b;
  if (b.kind == Kind::Nowhere || a.kind == Kind::Anywhere) return a;
  return {Kind::Somewhere, emitter(node).map(ScalarOp::Or, {truth(a), truth(b)}).read.producer};
}

Support::Known Support::chosen(const Node& node, const Source& condition, const Known& a,
                               const Known& b) {
  if (a.kind == b.kind && a.truth == b.truth) return a;
  return {Kind::Somewhere,
          emitter(node).map(ScalarOp::Select, {condition, truth(a), truth(b)}).read.producer};
}

Support::Known Support::ofMap(const Node& node) {
  switch (std::get<pdg::Map>(node.op).op) {
    case ScalarOp::Neg:
    case ScalarOp::Cast:
    case ScalarOp::Mul:  // the adjoint comes first, the local derivative second
    case ScalarOp::Div:
      return ofInput(node, 0);
    case ScalarOp::Add:
    case ScalarOp::Sub:
      return either(node, ofInput(node, 0), ofInput(node, 1));
    case ScalarOp::Select:
      break;
    default:
      return {};
  }
  if (!guards_.contains(node.id))
    return chosen(node, operandOf(node, 0), ofInput(node, 1), ofInput(node, 2));
  // What says where the value is zero may itself have no value where the adjoint is.
  const Node test = graph_.node(node.inputs[0].producer);
  const Known own = ofInput(test, 0), value = ofInput(node, 2);
  if (own.kind == Kind::Anywhere || own.truth == value.truth) return value;
  return chosen(node, truth(own), value, {Kind::Nowhere});
}

Support::Known Support::ofMerge(const Node& node) {
  const pdg::Merge& merge = std::get<pdg::Merge>(node.op);
  if (merge.pieces.empty()) {
    unfinished_ = true;
    return {};
  }
  std::vector<Source> truths;
  bool nowhere = true, anywhere = true;
  for (size_t k = 0; k < merge.pieces.size(); ++k) {
    const Source operand = operandOf(node, static_cast<int>(k));
    const Known own = ofNode(operand.read.producer);
    nowhere = nowhere && own.kind == Kind::Nowhere;
    anywhere = anywhere && own.kind == Kind::Anywhere;
    truths.push_back(readLike(operand, own));
  }
  if (nowhere) return {Kind::Nowhere};
  if (anywhere) return {};
  return {Kind::Somewhere, emitter(node).node(DType::Bool, merge, inputsOf(truths)).read.producer};
}

// Where one of the terms may be.
Support::Known Support::ofSum(const Node& node) {
  const Source body = operandOf(node, 0);
  const Known own = ofNode(body.read.producer);
  pdg::Reduce reduce = std::get<pdg::Reduce>(node.op);
  if (own.kind == Kind::Nowhere || (own.kind == Kind::Anywhere && !reduce.hasFilter)) return own;
  Source term = constants_.number(1, DType::I32);
  if (own.kind == Kind::Somewhere) {
    term = body;
    const Node truthNode = graph_.node(own.truth);
    term.read.producer = emitter(truthNode).cast(selfOf(truthNode), DType::I32).read.producer;
  }
  std::vector<Source> sources{term};
  if (reduce.hasFilter) sources.push_back(operandOf(node, 1));
  std::vector<IndexExpr*> keys;
  for (auto& key : reduce.keys) keys.push_back(&key.expr);
  std::vector<Read> inputs = inputsOf(sources, keys, node.inputs);
  Emitter emit = emitter(node);
  const Source terms = emit.node(DType::I32, std::move(reduce), std::move(inputs));
  return {Kind::Somewhere, emit.less(constants_.number(0, DType::I32), terms).read.producer};
}

}  // namespace rlc::autodiff
