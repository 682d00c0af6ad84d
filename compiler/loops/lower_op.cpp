// Expressions of inlined operations.
#include <limits>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/lowering.h"
#include "jit/runtime/random.h"

namespace rlc::loops {

Expr Lowering::emitOp(const Node& node, const Values& values) {
  struct Visitor {
    Lowering& self;
    const Node& node;
    const Values& values;

    Expr operator()(const pdg::Constant& constant) const {
      if (node.shape.empty()) return literal(constant.value.elements.front());
      const auto id = static_cast<BufferId>(self.result_.program.buffers.size());
      Buffer buffer;
      buffer.name = node.name;
      buffer.kind = Buffer::Kind::Constant;
      buffer.type = node.type;
      buffer.data = constant.value.elements;
      buffer.elements = static_cast<int64_t>(buffer.data.size());
      const auto found = self.constants_.emplace(node.id, id);
      if (found.second) self.result_.program.buffers.push_back(std::move(buffer));
      IndexExpr offset = 0;
      for (size_t k = 0; k < constant.value.shape.size(); ++k)
        offset = offset * constant.value.shape[k] + values.at(Var::element(static_cast<int>(k)));
      return load(found.first->second, node.type, self.toExpr(offset));
    }
    Expr operator()(const pdg::IndexValue& value) const {
      return cast(DType::I32, self.toExpr(self.resolve(value.expr, node, values)));
    }
    Expr operator()(const pdg::Param& param) const {
      return load(self.parameters_.at(param.param), node.type, index(0));
    }
    Expr operator()(const pdg::Map& map) const { return self.emitMap(node, map, values); }
    Expr operator()(const pdg::Detach&) const { return self.emitRead(node, 0, values); }
    Expr operator()(const pdg::Reduce& reduce) const {
      return self.emitReduce(node, reduce, values);
    }
    Expr operator()(const pdg::Merge& merge) const { return self.emitMerge(node, merge, values); }
    Expr operator()(const pdg::Draw& draw) const { return self.emitDraw(node, draw, values); }
    Expr operator()(const pdg::Sort&) const {
      throw InternalError("lowering: a sort inside an expression");
    }
    Expr operator()(const pdg::TreeUpdate&) const {
      throw InternalError("lowering: an update of a tree inside an expression");
    }
    Expr operator()(const pdg::TreeFind& find) const {
      return self.emitTreeFind(node, find, values);
    }
    Expr operator()(const pdg::PointUpdate&) const {
      throw InternalError("lowering: the change of one element inside an expression");
    }
    Expr operator()(const pdg::Grad&) const {
      throw InternalError("lowering: a gradient that was not expanded");
    }
  };
  return std::visit(Visitor{*this, node, values}, node.op);
}

// The side that is not chosen must not fault: sides that need more than an expression are computed
// under the condition.
Expr Lowering::emitSelect(const Node& node, const Values& values) {
  const Expr condition = local(DType::Bool, emitRead(node, 0, values));
  Expr then, otherwise;
  Block thenBlock = inBlock([&] { then = emitRead(node, 1, values); });
  Block otherwiseBlock = inBlock([&] { otherwise = emitRead(node, 2, values); });
  if (thenBlock.empty() && otherwiseBlock.empty())
    return op(ScalarOp::Select, {condition, then, otherwise});
  const VarId result = declare(node.type, literal(Scalar::ofInt(node.type, 0)));
  auto finish = [&](Block& block, const Expr& value) {
    Block* outer = block_;
    block_ = &block;
    assign(result, node.type, value);
    block_ = outer;
  };
  finish(thenBlock, then);
  finish(otherwiseBlock, otherwise);
  Stmt& choice = append(Stmt::Kind::If);
  choice.value = condition;
  choice.body = std::move(thenBlock);
  choice.otherwise = std::move(otherwiseBlock);
  return variable(result, node.type);
}

namespace {

// Whether a float or integer value, truncated, lies in the range of an integer type; false for NaN.
Expr fits(const Expr& value, DType type) {
  if (!isFloat(value->type)) {
    const Scalar lo = identityOf(Combine::Max, type), hi = identityOf(Combine::Min, type);
    const Expr wide = cast(DType::I64, value);
    return op(ScalarOp::And,
              {op(ScalarOp::Le, {index(lo.i), wide}), op(ScalarOp::Le, {wide, index(hi.i)})});
  }
  // Exclusive bounds that F64 represents (for I64, -2^63 - 1 is not: the value below -2^63 is).
  const double lo = type == DType::U8    ? -1.0
                    : type == DType::I32 ? -2147483649.0
                                         : -9223372036854777856.0;
  const double hi = type == DType::U8    ? 256.0
                    : type == DType::I32 ? 2147483648.0
                                         : 9223372036854775808.0;
  const Expr wide = cast(DType::F64, value);
  return op(ScalarOp::And, {op(ScalarOp::Lt, {literal(Scalar::ofFloat(DType::F64, lo)), wide}),
                            op(ScalarOp::Lt, {wide, literal(Scalar::ofFloat(DType::F64, hi))})});
}

}  // namespace

Expr Lowering::emitMap(const Node& node, const pdg::Map& map, const Values& values) {
  if (map.op == ScalarOp::Select) return emitSelect(node, values);
  std::vector<Expr> args;
  for (int k = 0; k < arity(map.op); ++k)
    args.push_back(emitRead(node, static_cast<size_t>(k), values));
  const DType operand = args.front()->type;
  if (map.op == ScalarOp::Cast) {
    if (mayFault(map.op, operand, node.type) && !map.fits) {
      args[0] = local(operand, args[0]);
      check(fits(args[0], node.type), diagnostics::Kind::ConversionFault,
            "a value does not fit " + std::string(rlc::name(node.type)), node, values);
    }
    return cast(node.type, args[0]);
  }
  if (mayFault(map.op, operand, node.type) &&
      !(args[1]->kind == ExprNode::Kind::Literal && args[1]->literal.i != 0)) {
    args[1] = local(operand, args[1]);
    check(op(ScalarOp::Ne, {args[1], literal(Scalar::ofInt(operand, 0))}),
          diagnostics::Kind::DivisionByZero, "integer division by zero", node, values);
  }
  return op(map.op, std::move(args));
}

Expr Lowering::emitMerge(const Node& node, const pdg::Merge& merge, const Values& values) {
  if (merge.pieces.size() == 1) return emitRead(node, 0, values);
  const VarId result = declare(node.type, literal(Scalar::ofInt(node.type, 0)));
  for (size_t k = 0; k < merge.pieces.size(); ++k) {
    const auto& piece = merge.pieces[k];
    if (piece.domain.isEmpty()) continue;
    const auto domain = node.dims.empty() ? std::optional(Condition::always())
                                          : piece.domain.gist(node.domain).toCondition();
    if (!domain) throw InternalError("lowering: a piece without a test");
    emitIf((*domain && piece.element).substitute(values),
           [&] { assign(result, node.type, emitRead(node, k, values)); });
  }
  return variable(result, node.type);
}

Expr Lowering::randomExpr(const Node& node, ExprNode::Draw kind, DType type, const Values& values,
                          std::vector<Expr> parameters) {
  auto random = std::make_shared<ExprNode>();
  random->kind = ExprNode::Kind::Random;
  random->type = type;
  random->draw = kind;
  random->stream = runtime::streamId(std::get<pdg::Draw>(node.op).stream);
  for (Var dim : node.dims) random->args.push_back(toExpr(values.at(dim)));
  random->coordinates = static_cast<int>(node.dims.size());
  IndexExpr element = 0;
  int64_t count = 1;
  for (size_t k = 0; k < node.shape.size(); ++k) {
    const auto extent = node.shape[k].asConstant();
    if (!extent) throw InternalError("lowering: a draw of varying shape");
    element = element * *extent + values.at(Var::element(static_cast<int>(k)));
    count *= *extent;
  }
  const auto& draw = std::get<pdg::Draw>(node.op);
  random->elementCount = count * draw.parts;
  random->args.push_back(toExpr(element * draw.parts + draw.part));
  for (Expr& parameter : parameters) random->args.push_back(std::move(parameter));
  return random;
}

Expr Lowering::emitDraw(const Node& node, const pdg::Draw& draw, const Values& values) {
  switch (draw.kind) {
    case pdg::DrawKind::Uniform01:
      return randomExpr(node, ExprNode::Draw::Uniform01, node.type, values, {});
    case pdg::DrawKind::StandardNormal:
      return randomExpr(node, ExprNode::Draw::StandardNormal, node.type, values, {});
    case pdg::DrawKind::UniformInt: {
      const Expr lo = local(node.type, emitRead(node, 0, values)),
                 hi = local(node.type, emitRead(node, 1, values));
      check(op(ScalarOp::Lt, {lo, hi}), diagnostics::Kind::DrawFault, "a draw from an empty range",
            node, values);
      return randomExpr(node, ExprNode::Draw::UniformInt, node.type, values, {lo, hi});
    }
    case pdg::DrawKind::StandardGamma:
      return randomExpr(node, ExprNode::Draw::StandardGamma, node.type, values,
                        {emitRead(node, 0, values)});
    case pdg::DrawKind::Categorical:
      return emitCategorical(node, draw, values);
    case pdg::DrawKind::Permutation:
      throw InternalError("lowering: a permutation inside an expression");
  }
  throw InternalError("lowering: unknown draw");
}

// As runtime::categoricalFromUniform, operation for operation, so that every target draws the same
// class.
Expr Lowering::emitCategorical(const Node& node, const pdg::Draw& draw, const Values& values) {
  const DType stored = graph_.node(node.inputs[0].producer).type;
  const DType type = stored == DType::F64 ? DType::F64 : DType::F32;
  auto constant = [&](double value) { return literal(Scalar::ofFloat(type, value)); };
  auto overClasses = [&](const std::function<void(const Expr& logit, const Expr& number)>& body) {
    const VarId var = newVariable();
    Values at = values;
    at[draw.category] = IndexExpr(bindVariable(var));
    Block inside =
        inBlock([&] { body(cast(type, emitRead(node, 0, at)), variable(var, DType::I64)); });
    emitFor(var, index(0), index(draw.categories), std::move(inside));
  };
  const VarId largest = declare(type, constant(-std::numeric_limits<double>::infinity()));
  overClasses([&](const Expr& logit, const Expr&) {
    assign(largest, type, op(ScalarOp::Max, {variable(largest, type), logit}));
  });
  auto weight = [&](const Expr& logit) {
    return op(ScalarOp::Exp, {logit - variable(largest, type)});
  };
  const VarId total = declare(type, constant(0.0));
  overClasses([&](const Expr& logit, const Expr&) {
    assign(total, type, variable(total, type) + weight(logit));
  });
  const Expr u = cast(type, randomExpr(node, ExprNode::Draw::Uniform01, DType::F32, values, {}));
  const Expr threshold = local(type, u * variable(total, type));
  const VarId sum = declare(type, constant(0.0));
  const VarId chosen = declare(DType::I32, literal(Scalar::ofInt(DType::I32, -1)));
  const VarId last = declare(DType::I32, literal(Scalar::ofInt(DType::I32, 0)));
  overClasses([&](const Expr& logit, const Expr& number) {
    const Expr w = local(type, weight(logit));
    assign(sum, type, variable(sum, type) + w);
    const Expr k = cast(DType::I32, number);
    const Expr undecided =
        op(ScalarOp::Lt, {variable(chosen, DType::I32), literal(Scalar::ofInt(DType::I32, 0))});
    const Expr reached = op(ScalarOp::Lt, {threshold, variable(sum, type)});
    assign(chosen, DType::I32,
           op(ScalarOp::Select,
              {op(ScalarOp::And, {undecided, reached}), k, variable(chosen, DType::I32)}));
    assign(last, DType::I32,
           op(ScalarOp::Select,
              {op(ScalarOp::Lt, {constant(0.0), w}), k, variable(last, DType::I32)}));
  });
  return op(
      ScalarOp::Select,
      {op(ScalarOp::Lt, {variable(chosen, DType::I32), literal(Scalar::ofInt(DType::I32, 0))}),
       variable(last, DType::I32), variable(chosen, DType::I32)});
}

}  // namespace rlc::loops
