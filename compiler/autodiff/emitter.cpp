#include "compiler/autodiff/emitter.h"

#include "compiler/pdg/shape.h"

namespace rlc::autodiff {

Source Constants::number(double value, DType type) {
  auto [found, isNew] = nodes_.try_emplace({type, value}, -1);
  if (isNew) {
    Node node;
    node.domain = Set::universe(graph_.context(), {});
    node.type = type;
    const Scalar scalar = isFloat(type) ? Scalar::ofFloat(type, value)
                                        : Scalar::ofInt(type, static_cast<int64_t>(value));
    node.op = pdg::Constant{pdg::scalarTensor(scalar)};
    found->second = graph_.add(std::move(node));
  }
  return {{found->second, {}, {}}, {}};
}

std::optional<double> Constants::valueOf(const Source& source) const {
  const auto value = pdg::splatValue(graph_.node(source.read.producer));
  if (!value) return std::nullopt;
  return value->asDouble();
}

Source Emitter::node(DType type, pdg::Op op, std::vector<Read> inputs, std::string name) {
  Node node;
  node.name = std::move(name);
  node.span = space_.span;
  node.dims = space_.dims;
  node.domain = space_.domain;
  node.type = type;
  node.shape = space_.shape;
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  return selfOf(graph_.node(graph_.add(std::move(node))));
}

Source Emitter::index(const IndexExpr& expr) { return node(DType::I32, pdg::IndexValue{expr}, {}); }

Source Emitter::map(ScalarOp op, const std::vector<Source>& operands) {
  const bool toBool = isComparison(op) || op == ScalarOp::IsNan || op == ScalarOp::IsInf ||
                      op == ScalarOp::IsFinite;
  const DType type = toBool ? DType::Bool : typeOf(operands[op == ScalarOp::Select ? 1 : 0]);
  return node(type, pdg::Map{op}, inputsOf(operands));
}

Source Emitter::cast(const Source& a, DType type) {
  if (typeOf(a) == type) return a;
  if (auto value = constants_.valueOf(a)) return number(*value, type);
  return node(type, pdg::Map{ScalarOp::Cast}, inputsOf({a}));
}

Source Emitter::add(const Source& a, const Source& b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  return map(ScalarOp::Add, {a, b});
}

Source Emitter::sub(const Source& a, const Source& b) {
  if (is(b, 0)) return a;
  if (is(a, 0)) return neg(b);
  return map(ScalarOp::Sub, {a, b});
}

Source Emitter::mul(const Source& a, const Source& b) {
  if (is(a, 0) || is(b, 1)) return a;
  if (is(b, 0) || is(a, 1)) return b;
  if (is(a, -1)) return neg(b);
  if (is(b, -1)) return neg(a);
  return map(ScalarOp::Mul, {a, b});
}

Source Emitter::div(const Source& a, const Source& b) {
  if (is(a, 0) || is(b, 1)) return a;
  return map(ScalarOp::Div, {a, b});
}

Source Emitter::neg(const Source& a) {
  if (auto value = constants_.valueOf(a)) return number(*value == 0 ? 0 : -*value, typeOf(a));
  return map(ScalarOp::Neg, {a});
}

Source Emitter::select(const Source& condition, const Source& a, const Source& b) {
  if (is(a, 0) && is(b, 0)) return a;
  return map(ScalarOp::Select, {condition, a, b});
}

}  // namespace rlc::autodiff
