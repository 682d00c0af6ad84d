#include "compiler/pdg/testing.h"

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::pdg::testing {

Var GraphBuilder::index(const std::string& name, IndexExpr lo, IndexExpr hi) {
  Dim dim;
  dim.name = name;
  dim.lo = lo;
  dim.hi = hi;
  return graph_.addDim(std::move(dim));
}

Var GraphBuilder::range(const std::string& name) {
  Dim dim;
  dim.name = name;
  dim.isRange = true;
  return graph_.addDim(std::move(dim));
}

Set GraphBuilder::box(const std::vector<Var>& vars, const std::vector<IndexExpr>& lo,
                      const std::vector<IndexExpr>& hi) {
  return Set::box(context_, vars, lo, hi);
}

Set GraphBuilder::where(const std::vector<Var>& vars, const Condition& condition) {
  return Set::of(context_, vars, condition);
}

Set GraphBuilder::declared(const std::vector<Var>& dims) {
  std::vector<IndexExpr> lo, hi;
  for (Var dim : dims) {
    lo.push_back(graph_.dim(dim).lo);
    hi.push_back(graph_.dim(dim).hi);
  }
  return box(dims, lo, hi);
}

Read GraphBuilder::at(NodeId producer, std::vector<IndexExpr> points) {
  return {producer, std::move(points), identity(elementVars(node(producer)))};
}

Read GraphBuilder::at(NodeId producer, std::vector<IndexExpr> points,
                      std::vector<IndexExpr> element) {
  return {producer, std::move(points), std::move(element)};
}

NodeId GraphBuilder::constant(double value, DType type) {
  return constant(std::vector<double>{value}, type, {});
}

NodeId GraphBuilder::constant(const std::vector<double>& values, DType type,
                              std::vector<int64_t> shape) {
  DenseTensor tensor{type, shape, {}};
  for (double value : values) tensor.elements.push_back(Scalar::ofFloat(type, value));
  return add("", {}, declared({}), type, shapeOf(shape), Constant{std::move(tensor)}, {});
}

NodeId GraphBuilder::param(const std::string& name, double value, DType type) {
  const ParamId id = graph_.addParam({name, {}, Scalar::ofFloat(type, value)});
  return add(name, {}, declared({}), type, {}, Param{id}, {});
}

NodeId GraphBuilder::indexValue(const std::vector<Var>& dims, const IndexExpr& expr,
                                std::vector<IndexExpr> shape) {
  return add("", dims, declared(dims), DType::I32, std::move(shape), IndexValue{expr}, {});
}

NodeId GraphBuilder::map(ScalarOp op, const std::vector<Var>& dims, std::vector<Read> operands,
                         std::vector<IndexExpr> shape) {
  DType type = node(operands.at(op == ScalarOp::Select ? 1 : 0).producer).type;
  if (isComparison(op) || op == ScalarOp::IsNan || op == ScalarOp::IsInf ||
      op == ScalarOp::IsFinite)
    type = DType::Bool;
  return add("", dims, declared(dims), type, std::move(shape), Map{op}, std::move(operands));
}

NodeId GraphBuilder::cast(DType to, const std::vector<Var>& dims, Read operand,
                          std::vector<IndexExpr> shape) {
  return add("", dims, declared(dims), to, std::move(shape), Map{ScalarOp::Cast},
             {std::move(operand)});
}

NodeId GraphBuilder::reduce(ReduceKind kind, const std::vector<Var>& dims, std::vector<Var> bound,
                            Set domain, Read body, std::vector<IndexExpr> shape) {
  DType type = node(body.producer).type;
  if (kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin || kind == ReduceKind::FirstTrue)
    type = DType::I32;
  Reduce reduce;
  reduce.kind = kind;
  reduce.bound = std::move(bound);
  reduce.domain = std::move(domain);
  return add("", dims, declared(dims), type, std::move(shape), std::move(reduce),
             {std::move(body)});
}

NodeId GraphBuilder::draw(DrawKind kind, const std::string& stream, const std::vector<Var>& dims,
                          std::vector<Read> inputs, std::vector<IndexExpr> shape) {
  const bool integer = kind == DrawKind::UniformInt || kind == DrawKind::Permutation ||
                       kind == DrawKind::Categorical;
  Draw draw;
  draw.kind = kind;
  draw.stream = stream;
  return add(stream, dims, declared(dims), integer ? DType::I32 : DType::F32, std::move(shape),
             std::move(draw), std::move(inputs));
}

NodeId GraphBuilder::sort(const std::vector<Var>& dims, Read vector, std::vector<IndexExpr> shape,
                          bool positions, bool descending) {
  const DType type = positions ? DType::I32 : node(vector.producer).type;
  const int axis = static_cast<int>(shape.size()) - 1;
  return add("", dims, declared(dims), type, std::move(shape), Sort{axis, positions, descending},
             {std::move(vector)});
}

NodeId GraphBuilder::declare(const std::string& name, const std::vector<Var>& dims, Set domain,
                             DType type, std::vector<IndexExpr> shape) {
  return add(name, dims, std::move(domain), type, std::move(shape), Merge{}, {});
}

void GraphBuilder::piece(NodeId tensor, Set domain, Read value, Condition element) {
  Merge& merge = std::get<Merge>(node(tensor).op);
  merge.pieces.push_back({std::move(domain), std::move(element)});
  auto& inputs = node(tensor).inputs;
  inputs.insert(inputs.begin() + static_cast<long>(merge.pieces.size()) - 1, std::move(value));
}

NodeId GraphBuilder::add(const std::string& name, const std::vector<Var>& dims, Set domain,
                         DType type, std::vector<IndexExpr> shape, Op op,
                         std::vector<Read> inputs) {
  Node node;
  node.name = name;
  node.dims = dims;
  node.domain = std::move(domain);
  node.type = type;
  node.shape = std::move(shape);
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  return graph_.add(std::move(node));
}

void GraphBuilder::print(const std::string& label, NodeId tensor) {
  sink(Sink::Kind::Print, label, tensor);
}

void GraphBuilder::sink(Sink::Kind kind, const std::string& label, NodeId tensor) {
  const Node& shown = node(tensor);
  Sink sink;
  sink.kind = kind;
  sink.label = label;
  sink.dims = shown.dims;
  sink.domain = shown.domain;
  sink.value = SinkValue{identityRead(shown)};
  graph_.sinks().push_back(std::move(sink));
}

}  // namespace rlc::pdg::testing
