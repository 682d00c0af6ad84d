// Nodes from tensors: constants, maps, casts, broadcasting. A node varies over just the variables
// that its operands read at.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/reads.h"
#include "compiler/sema/elaborator.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

namespace {

bool isKnown(const Tensor& tensor) {
  return tensor.number || tensor.constant() || tensor.constantBool();
}

// What is known of a scalar, as that of another type: without its fraction in an integer. None
// where it does not fit, which is a fault.
std::optional<Tensor> converted(const Tensor& known, DType type) {
  const auto number = known.number;
  const auto constant = known.constant();
  const auto truth = known.constantBool();
  Tensor result = known;
  result.weak = Weak::No;
  result.type = type;
  result.index.reset(), result.condition.reset(), result.number.reset(), result.range.reset();
  if (isFloat(type)) {
    // Straight from an integer, so that an i64 is rounded once.
    const auto rounded = [&](int64_t value) {
      return type == DType::F64 ? static_cast<double>(value)
                                : static_cast<double>(static_cast<float>(value));
    };
    const double value = number ? *number : constant ? rounded(*constant) : *truth;
    result.number = Scalar::ofFloat(type, value).f;
  } else if (type == DType::Bool) {
    const bool holds = number ? *number != 0.0 : constant ? *constant != 0 : *truth;
    result.condition = holds ? Condition::always() : Condition::never();
  } else {
    const auto value = number     ? truncatedTo(type, *number)
                       : constant ? std::optional(*constant)
                                  : std::optional<int64_t>(*truth);
    if (!value || (!fits(type, *value) && type != known.type)) return std::nullopt;
    result.index = IndexExpr(*value);
    if (*value < INT64_MAX) result.range = ValueRange{*value, IndexExpr(*value) + 1};
  }
  return result;
}

Scalar scalarOf(const Tensor& known) {
  if (known.number) return Scalar::ofFloat(known.type, *known.number);
  return Scalar::ofInt(known.type, known.index ? *known.constant() : *known.constantBool());
}

std::string bitsOf(const Scalar& value) { return std::to_string(value.i); }

}  // namespace

NodeId Elaborator::addNode(Node node) {
  if (dry()) return kDryNode;
  return graph_.add(std::move(node));
}

Tensor Elaborator::identity(NodeId node, const std::vector<Var>& dims, DType type,
                            std::vector<IndexExpr> shape) const {
  Tensor t;
  t.type = type;
  t.shape = std::move(shape);
  t.view.producer = node;
  for (Var var : dims) t.view.at.push_back(IndexExpr(var));
  for (size_t axis = 0; axis < t.shape.size(); ++axis)
    t.view.element.push_back(IndexExpr(Var::element(static_cast<int>(axis))));
  return t;
}

std::vector<Var> Elaborator::dimsOf(const std::vector<View>& views, const Place& place,
                                    const std::vector<Var>& also) const {
  std::vector<Var> dims;
  for (const View& view : views) view.collectDims(dims);
  for (Var var : also)
    if (!var.isElement() && !contains(dims, var)) dims.push_back(var);
  return place.space->order(std::move(dims));
}

void Elaborator::attach(Node& node, const std::vector<View>& operands) {
  std::vector<Read> gathers;
  auto same = [](const Read& a, const Read& b) {
    return a.producer == b.producer && a.at == b.at && a.element == b.element;
  };
  for (const View& view : operands) {
    // Gathers refer only to earlier gathers, so that one pass renumbers them.
    std::vector<int> number(view.gathers.size());
    const auto numbered = [&](int input) { return number.at(static_cast<size_t>(input)); };
    for (size_t i = 0; i < view.gathers.size(); ++i) {
      Read read = pdg::renumbered(view.gathers[i], numbered);
      auto it = std::find_if(gathers.begin(), gathers.end(),
                             [&](const Read& other) { return same(read, other); });
      number[i] = static_cast<int>(operands.size()) + static_cast<int>(it - gathers.begin());
      if (it == gathers.end()) gathers.push_back(std::move(read));
    }
    node.inputs.push_back(pdg::renumbered({view.producer, view.at, view.element}, numbered));
  }
  node.inputs.insert(node.inputs.end(), gathers.begin(), gathers.end());
}

Tensor Elaborator::constant(DenseTensor value, Span span) {
  std::vector<IndexExpr> shape(value.shape.begin(), value.shape.end());
  DType type = value.type;
  if (dry()) return identity(kDryNode, {}, type, shape);
  Node node;
  node.span = span;
  node.domain = Set::universe(context_, {});
  node.type = type;
  node.shape = shape;
  node.op = pdg::Constant{std::move(value)};
  return identity(addNode(std::move(node)), {}, type, shape);
}

View Elaborator::data(const Tensor& tensor, DType type, const Place& place) {
  if (tensor.view.producer >= 0)
    return tensor.type == type ? tensor.view : cast(tensor, type, place).view;
  if (isKnown(tensor)) {
    if (dry()) return identity(kDryNode, {}, type, {}).view;
    const auto known = converted(tensor, type);
    if (!known) return cast(tensor, type, place).view;
    Scalar value = scalarOf(*known);
    auto key = std::make_pair(static_cast<int>(type), bitsOf(value));
    auto it = constants_.find(key);
    if (it == constants_.end())
      it =
          constants_.emplace(key, constant(DenseTensor{type, {}, {value}}, {}).view.producer).first;
    return identity(it->second, {}, type, {}).view;
  }
  Tensor made;
  if (tensor.index) {
    std::vector<Var> vars;
    tensor.index->collectVariables(vars);
    Node node;
    node.dims = place.space->order(vars);
    if (!dry()) node.domain = place.space->over(node.dims);
    node.type = DType::I32;
    node.op = pdg::IndexValue{*tensor.index};
    std::vector<Var> dims = node.dims;
    made = identity(addNode(std::move(node)), dims, DType::I32, {});
  } else if (tensor.condition) {
    const Condition& c = *tensor.condition;
    auto expr = [&](const IndexExpr& e) { return indexValue(e); };
    Tensor zero = intLiteral(0);
    auto compare = [&](ScalarOp op, const Tensor& a, const Tensor& b) {
      return map(op, {a, b}, DType::I32, DType::Bool, place, {});
    };
    switch (c.kind()) {
      case Condition::Kind::NonNegative:
        made = compare(ScalarOp::Le, zero, expr(c.expr()));
        break;
      case Condition::Kind::Zero:
        made = compare(ScalarOp::Eq, expr(c.expr()), zero);
        break;
      case Condition::Kind::NonZero:
        made = compare(ScalarOp::Ne, expr(c.expr()), zero);
        break;
      case Condition::Kind::And:
      case Condition::Kind::Or: {
        ScalarOp op = c.kind() == Condition::Kind::And ? ScalarOp::And : ScalarOp::Or;
        made = conditionValue(c.parts().front());
        for (size_t i = 1; i < c.parts().size(); ++i)
          made = map(op, {made, conditionValue(c.parts()[i])}, DType::Bool, DType::Bool, place, {});
        break;
      }
      case Condition::Kind::True:
      case Condition::Kind::False:
        made = boolLiteral(c.kind() == Condition::Kind::True);
        break;
    }
  } else {
    throw InternalError("a tensor has neither a node nor a static value");
  }
  return data(made, type, place);
}

Tensor Elaborator::stored(const Tensor& tensor, const Place& place) {
  Tensor result = tensor;
  if (result.view.producer < 0) result.view = data(tensor, place);
  return result;
}

ValueRef Elaborator::asVariables(const ValueRef& value, const Place& place) {
  return mapLeaves(value, [&](const Tensor& leaf, const std::string&) -> ValueRef {
    const NodeId producer = leaf.view.producer;
    const bool constant =
        producer < 0 || (!dry() && std::holds_alternative<pdg::Constant>(graph_.node(producer).op));
    if (!isKnown(leaf) || !isFloat(leaf.type) || !constant) return make(leaf);
    Tensor variable = identity(kDryNode, {}, leaf.type, {});
    variable.number = leaf.number;
    if (dry()) return make(std::move(variable));
    Node node;
    node.domain = Set::universe(context_, {});
    node.type = leaf.type;
    node.op = pdg::Merge{{{node.domain, Condition::always()}}};
    attach(node, {data(leaf, place)});
    variable.view.producer = addNode(std::move(node));
    return make(std::move(variable));
  });
}

Tensor Elaborator::cast(const Tensor& tensor, DType type, const Place& place, Span span) {
  if (tensor.type == type && tensor.weak == Weak::No) return tensor;
  // What becomes an integer has no derivative that would be lost.
  const bool constant =
      tensor.view.producer < 0 || (isKnown(tensor) && tensor.params.empty() && !isFloat(type));
  const bool isStatic = constant && tensor.shape.empty();
  const bool known = isStatic && isKnown(tensor);
  if (known) {
    if (auto result = converted(tensor, type)) {
      if (isFloat(type)) result->view = data(*result, type, place);
      return *result;
    }
  } else if (tensor.type == type || (isStatic && type == DType::I32 && tensor.index)) {
    Tensor result = tensor;
    result.weak = Weak::No;
    result.type = type;
    return result;
  }
  Tensor made = map(ScalarOp::Cast, {tensor}, tensor.type, type, place, span);
  if (known || !isInteger(type)) return made;
  if (isInteger(tensor.type) || tensor.type == DType::Bool) made.range = tensor.range;
  if (tensor.index) {
    made.index = tensor.index;
    made.params = tensor.params;
  }
  return made;
}

bool Elaborator::sameExtent(const IndexExpr& a, const IndexExpr& b, const Place& place) {
  if (a == b) return true;
  IndexExpr difference = a - b;
  if (auto constant = difference.asConstant()) return *constant == 0;
  if (dry()) return true;
  std::vector<Var> vars;
  difference.collectVariables(vars);
  for (Var var : vars)
    if (var.isElement()) return false;
  const Set& where = place.space->over(place.space->order(vars));
  auto lo = where.minimum(difference), hi = where.maximum(difference);
  return !lo || (*lo == 0 && hi && *hi == 0);
}

std::optional<std::vector<IndexExpr>> Elaborator::broadcast(
    const std::vector<std::vector<IndexExpr>>& shapes, const Place& place, Span span) {
  size_t rank = 0;
  for (const auto& shape : shapes) rank = std::max(rank, shape.size());
  std::vector<IndexExpr> result(rank, IndexExpr(1));
  for (const auto& shape : shapes) {
    for (size_t i = 0; i < shape.size(); ++i) {
      IndexExpr& have = result[rank - shape.size() + i];
      const IndexExpr& want = shape[i];
      if (want.asConstant() == 1) continue;
      if (have.asConstant() == 1) {
        have = want;
      } else if (!sameExtent(have, want, place)) {
        std::string text;
        for (const auto& other : shapes) {
          text += text.empty() ? "[" : " and [";
          for (size_t k = 0; k < other.size(); ++k) text += (k ? ", " : "") + show(other[k]);
          text += "]";
        }
        report(
            Diagnostic(Kind::ShapeMismatch, span,
                       "shapes " + text + " do not agree: " + show(have) + " against " + show(want))
                .hint("aligned at the last axis, two extents agree if they are equal or one of "
                      "them is 1"));
        return std::nullopt;
      }
    }
  }
  return result;
}

View Elaborator::broadcastTo(const Tensor& tensor, const View& view, size_t rank,
                             const std::vector<IndexExpr>& shape) const {
  if (tensor.shape.empty() || (tensor.shape.size() == rank && tensor.shape == shape)) return view;
  std::map<Var, IndexExpr> replacement;
  size_t shift = rank - tensor.shape.size();
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    bool spread = tensor.shape[i].asConstant() == 1 && shape[i + shift].asConstant() != 1;
    replacement[Var::element(static_cast<int>(i))] =
        spread ? IndexExpr(0) : IndexExpr(Var::element(static_cast<int>(i + shift)));
  }
  return view.substitute(replacement);
}

Tensor Elaborator::expand(const Tensor& tensor, const std::vector<IndexExpr>& shape,
                          const Place& place) {
  if (tensor.shape == shape) return tensor;
  Tensor result;
  result.type = tensor.type;
  result.shape = shape;
  result.range = tensor.range;
  result.view = broadcastTo(tensor, data(tensor, place), shape.size(), shape);
  return result;
}

Tensor Elaborator::map(ScalarOp op, std::vector<Tensor> operands, DType operandType, DType result,
                       const Place& place, Span span) {
  std::vector<std::vector<IndexExpr>> shapes;
  for (const Tensor& t : operands) shapes.push_back(t.shape);
  auto shape = broadcast(shapes, place, span);
  if (!shape) {  // reported; go on with the largest
    shape = std::max_element(shapes.begin(), shapes.end(),
                             [](const auto& a, const auto& b) { return a.size() < b.size(); })[0];
    if (dry()) return identity(kDryNode, {}, result, *shape);
    Tensor stand = constant(DenseTensor{result, {}, {Scalar::ofInt(result, 0)}}, span);
    stand.shape = *shape;
    return stand;
  }
  std::vector<View> views;
  for (size_t i = 0; i < operands.size(); ++i) {
    bool condition = op == ScalarOp::Select && i == 0;
    DType type = condition ? DType::Bool : operandType;
    views.push_back(
        broadcastTo(operands[i], data(operands[i], type, place), shape->size(), *shape));
  }
  std::vector<Var> also;
  for (const IndexExpr& extent : *shape) extent.collectVariables(also);
  Node node;
  node.span = span;
  node.dims = dimsOf(views, place, also);
  node.type = result;
  node.shape = *shape;
  std::vector<Var> dims = node.dims;
  if (!dry()) {
    node.domain = place.space->over(node.dims);
    node.op = pdg::Map{op};
    attach(node, views);
  }
  return identity(addNode(std::move(node)), dims, result, *shape);
}

DType Elaborator::common(const std::vector<Tensor>& tensors) const {
  std::optional<DType> firm;
  bool weakFloat = false, weakInt = false, large = false, wide = false;
  for (const Tensor& t : tensors) {
    if (t.weak == Weak::Float)
      weakFloat = true;
    else if (t.weak == Weak::Int)
      weakInt = true, wide |= t.type == DType::I64,
      large |= t.constant() && !fits(DType::U8, *t.constant());
    else
      firm = firm ? promote(*firm, t.type) : t.type;
  }
  if (!firm) return weakFloat ? DType::F32 : wide ? DType::I64 : DType::I32;
  if (weakFloat && !isFloat(*firm)) return DType::F32;
  if (weakInt && *firm == DType::Bool) return wide ? DType::I64 : DType::I32;
  if (wide && isInteger(*firm)) return promote(*firm, DType::I64);
  return large && *firm == DType::U8 ? DType::I32 : *firm;
}

DType Elaborator::floatType(const Tensor& tensor) const {
  return isFloat(tensor.type) ? tensor.type : DType::F32;
}

Tensor Elaborator::mapUnary(ScalarOp op, const Tensor& a, const Place& place, Span span) {
  DType type = floatType(a);
  return map(op, {a}, type, type, place, span);
}

Tensor Elaborator::select(const Tensor& condition, const Tensor& a, const Tensor& b,
                          const Place& place, Span span) {
  DType type = common({a, b});
  Tensor result = map(ScalarOp::Select, {condition, a, b}, type, type, place, span);
  if (a.range && b.range)
    result.range = ValueRange{IndexExpr::min(a.range->lo, b.range->lo),
                              IndexExpr::max(a.range->hi, b.range->hi)};
  return result;
}

Tensor Elaborator::detach(const Tensor& a, const Place& place, Span span, pdg::Detach::Why why) {
  View view = data(a, place);
  std::vector<Var> also;
  for (const IndexExpr& extent : a.shape) extent.collectVariables(also);
  Node node;
  node.span = span;
  node.dims = dimsOf({view}, place, also);
  node.type = a.type;
  node.shape = a.shape;
  node.op = pdg::Detach{why};
  std::vector<Var> dims = node.dims;
  if (!dry()) {
    node.domain = place.space->over(node.dims);
    attach(node, {view});
  }
  Tensor result = identity(addNode(std::move(node)), dims, a.type, a.shape);
  result.range = a.range;
  return result;
}

Tensor Elaborator::mergeByPoint(const std::vector<std::pair<Set, Tensor>>& pieces,
                                const std::vector<Var>& conditionVars, const Place& place,
                                Span span) {
  std::vector<Tensor> tensors;
  std::vector<std::vector<IndexExpr>> shapes;
  for (const auto& [set, tensor] : pieces) {
    tensors.push_back(tensor);
    shapes.push_back(tensor.shape);
  }
  DType type = common(tensors);
  auto shape = broadcast(shapes, place, span);
  if (!shape) return tensors.front();
  std::vector<View> views;
  for (const auto& [set, tensor] : pieces) {
    Place inner{place.scope, dry() ? place.space : place.space->narrow(set)};
    views.push_back(broadcastTo(tensor, data(tensor, type, inner), shape->size(), *shape));
  }
  std::vector<Var> also = conditionVars;
  for (const IndexExpr& extent : *shape) extent.collectVariables(also);
  Node node;
  node.span = span;
  node.dims = dimsOf(views, place, also);
  node.type = type;
  node.shape = *shape;
  std::vector<Var> dims = node.dims;
  if (!dry()) {
    node.domain = place.space->over(dims);
    pdg::Merge merge;
    for (const auto& [set, tensor] : pieces)
      merge.pieces.push_back({node.domain.intersect(set.extendTo(dims)), Condition::always()});
    node.op = std::move(merge);
    attach(node, views);
  }
  Tensor result = identity(addNode(std::move(node)), dims, type, *shape);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto& range = tensors[i].range;
    if (!range || (i && !result.range)) {
      result.range.reset();
      break;
    }
    result.range = i ? ValueRange{IndexExpr::min(result.range->lo, range->lo),
                                  IndexExpr::max(result.range->hi, range->hi)}
                     : *range;
  }
  return result;
}

}  // namespace rlc::sema
