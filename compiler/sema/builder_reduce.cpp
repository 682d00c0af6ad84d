// Reductions over element axes and over range variables, contractions, sorts, and tensors put
// together along an axis.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/sema/elaborator.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

using pdg::ReduceKind;

Var Elaborator::freshDim(const std::string& name, Span span, IndexExpr lo, IndexExpr hi,
                         bool isRange) {
  if (dry()) return Var::dim(kDryDims + dryDims_++);
  pdg::Dim dim;
  dim.name = name;
  dim.span = span;
  dim.isRange = isRange;
  dim.lo = std::move(lo);
  dim.hi = std::move(hi);
  return graph_.addDim(std::move(dim));
}

int64_t Elaborator::axisOf(const Tensor& a, int64_t axis, Span span) {
  const int64_t rank = static_cast<int64_t>(a.shape.size());
  int64_t at = axis < 0 ? axis + rank : axis;
  if (at >= 0 && at < rank) return at;
  fail(Kind::ElementOutOfRange, span,
       "axis " + std::to_string(axis) + " does not exist: the tensor has " + std::to_string(rank) +
           (rank == 1 ? " axis" : " axes"));
  return -1;
}

namespace {

DType reducedType(ReduceKind kind, DType type) {
  switch (kind) {
    case ReduceKind::Sum:
    case ReduceKind::Prod:
      return type == DType::Bool ? DType::I32 : type;
    case ReduceKind::All:
    case ReduceKind::Any:
      return DType::Bool;
    case ReduceKind::ArgMax:
    case ReduceKind::ArgMin:
    case ReduceKind::FirstTrue:
      return DType::I32;
    case ReduceKind::Max:
    case ReduceKind::Min:
      return type;
  }
  return type;
}

bool needsElements(ReduceKind kind) {
  return kind == ReduceKind::Max || kind == ReduceKind::Min || kind == ReduceKind::ArgMax ||
         kind == ReduceKind::ArgMin;
}

}  // namespace

Tensor Elaborator::reduceAxis(ReduceKind kind, const Tensor& a, int axis, bool keep,
                              const Place& place, Span span) {
  const DType type = reducedType(kind, a.type);
  const bool casts = kind == ReduceKind::Sum || kind == ReduceKind::Prod ||
                     kind == ReduceKind::All || kind == ReduceKind::Any;
  View view = data(a, casts ? type : a.type, place);
  const IndexExpr extent = a.shape[static_cast<size_t>(axis)];
  if (needsElements(kind) && extent.asConstant() == 0)
    fail(Kind::EmptyReduction, span, "this reduction has no elements, and so no value");
  Var bound = freshDim("k", {}, 0, extent, true);  // the source has no name for an axis
  std::map<Var, IndexExpr> replacement;
  std::vector<IndexExpr> shape;
  for (int i = 0, out = 0; i < static_cast<int>(a.shape.size()); ++i) {
    if (i == axis) {
      replacement[Var::element(i)] = IndexExpr(bound);
      if (!keep) continue;
      shape.push_back(1);
    } else {
      replacement[Var::element(i)] = IndexExpr(Var::element(out));
      shape.push_back(a.shape[static_cast<size_t>(i)]);
    }
    ++out;
  }
  view = view.substitute(replacement);
  std::vector<Var> also;
  for (const IndexExpr& e : a.shape) e.collectVariables(also);
  Node node;
  node.span = span;
  node.type = type;
  node.shape = shape;
  std::vector<Var> dims = dimsOf({view}, place, also);
  dims.erase(std::remove(dims.begin(), dims.end(), bound), dims.end());
  node.dims = dims;
  if (!dry()) {
    node.domain = place.space->over(dims);
    pdg::Reduce reduce;
    reduce.kind = kind;
    reduce.bound = {bound};
    std::vector<Var> all = dims;
    all.push_back(bound);
    reduce.domain =
        node.domain.extendTo(all).intersect(Condition::within(IndexExpr(bound), 0, extent));
    node.op = std::move(reduce);
    attach(node, {view});
  }
  Tensor result = identity(addNode(std::move(node)), dims, type, shape);
  if (kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin)
    result.range = ValueRange{0, extent};
  if ((kind == ReduceKind::Max || kind == ReduceKind::Min) && a.range) result.range = a.range;
  return result;
}

Tensor Elaborator::reducePoints(ReduceKind kind, const Tensor& body, const std::vector<Var>& bound,
                                const Place& inner, const Place& place,
                                const std::optional<Tensor>& filter, Span span) {
  const DType type = reducedType(kind, body.type);
  const bool arg = kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin;
  std::vector<View> views{data(
      body, arg || needsElements(kind) || kind == ReduceKind::FirstTrue ? body.type : type, inner)};
  if (filter) views.push_back(data(*filter, inner));
  std::vector<Var> vars = dimsOf(views, inner);
  for (const IndexExpr& e : body.shape) e.collectVariables(vars);
  std::vector<Var> dims;
  auto isBound = [&](Var var) { return contains(bound, var); };
  // What the bounds and lazy filters depend on stays a dim, too.
  if (!dry()) {
    for (Var var : inner.space->dims) {
      if (isBound(var)) continue;
      bool used = contains(vars, var) || boundDependences_.count(var);
      if (used) dims.push_back(var);
    }
  } else {
    for (Var var : vars)
      if (!isBound(var) && !var.isElement() && !contains(dims, var)) dims.push_back(var);
    dims = place.space->order(dims);
  }
  Node node;
  node.span = span;
  node.dims = dims;
  node.type = type;
  node.shape = body.shape;
  if (!dry()) {
    node.domain = place.space->over(dims);
    pdg::Reduce reduce;
    reduce.kind = kind;
    reduce.bound = bound;
    std::vector<Var> all = dims;
    all.insert(all.end(), bound.begin(), bound.end());
    reduce.domain = inner.space->over(all);
    reduce.hasFilter = filter.has_value();
    if (kind == ReduceKind::FirstTrue) reduce.otherwise = firstTrueOtherwise_;
    if (needsElements(kind) && !filter) {
      Set empty = node.domain.subtract(reduce.domain.projectOnto(dims));
      if (auto point = empty.lexmin()) {
        std::vector<std::pair<std::string, int64_t>> witness;
        std::string at;
        for (size_t i = 0; i < dims.size(); ++i) {
          witness.emplace_back(graph_.dim(dims[i]).name, (*point)[i]);
          at += (at.empty() ? " at " : ", ") + graph_.dim(dims[i]).name + " = " +
                std::to_string((*point)[i]);
        }
        report(Diagnostic(Kind::EmptyReduction, span,
                          "this reduction has no elements" + at + ", and so no value")
                   .at(std::move(witness))
                   .hint("only `sum`, `prod`, `any`, `all` and `logsumexp` have a value over an "
                         "empty range"));
      }
    }
    node.op = std::move(reduce);
    attach(node, views);
  }
  Tensor result = identity(addNode(std::move(node)), dims, type, body.shape);
  if ((kind == ReduceKind::Max || kind == ReduceKind::Min) && body.range) {
    std::vector<Var> used;
    body.range->lo.collectVariables(used);
    body.range->hi.collectVariables(used);
    if (std::none_of(used.begin(), used.end(), isBound)) result.range = body.range;
  }
  return result;
}

Tensor Elaborator::prefixSum(const Tensor& a, int axis, const Place& place, Span span) {
  const DType type = a.type == DType::Bool ? DType::I32 : a.type;
  View view = data(a, type, place);
  const IndexExpr extent = a.shape[static_cast<size_t>(axis)];
  Var bound = freshDim("k", {}, 0, extent, true);  // the source has no name for an axis
  view = view.substitute({{Var::element(axis), IndexExpr(bound)}});
  std::vector<Var> also;
  for (const IndexExpr& e : a.shape) e.collectVariables(also);
  std::vector<Var> dims = dimsOf({view}, place, also);
  dims.erase(std::remove(dims.begin(), dims.end(), bound), dims.end());
  Node node;
  node.span = span;
  node.dims = dims;
  node.type = type;
  node.shape = a.shape;
  if (!dry()) {
    node.domain = place.space->over(dims);
    pdg::Reduce reduce;
    reduce.kind = ReduceKind::Sum;
    reduce.bound = {bound};
    std::vector<Var> all = dims;
    all.push_back(Var::element(axis));
    all.push_back(bound);
    IndexExpr own{Var::element(axis)};
    reduce.domain = node.domain.extendTo(all).intersect(
        Condition::within(own, 0, extent) && Condition::within(IndexExpr(bound), 0, own + 1));
    node.op = std::move(reduce);
    attach(node, {view});
  }
  return identity(addNode(std::move(node)), dims, type, a.shape);
}

Tensor Elaborator::sortAxis(const Tensor& a, int axis, bool positions, bool descending,
                            const Place& place, Span span) {
  View view = data(a, place);
  std::vector<Var> also;
  for (const IndexExpr& e : a.shape) e.collectVariables(also);
  Node node;
  node.span = span;
  node.dims = dimsOf({view}, place, also);
  node.type = positions ? DType::I32 : a.type;
  node.shape = a.shape;
  std::vector<Var> dims = node.dims;
  DType type = node.type;
  if (!dry()) {
    node.domain = place.space->over(dims);
    node.op = pdg::Sort{axis, positions, descending};
    attach(node, {view});
  }
  Tensor result = identity(addNode(std::move(node)), dims, type, a.shape);
  result.range = positions
                     ? std::optional<ValueRange>(ValueRange{0, a.shape[static_cast<size_t>(axis)]})
                     : a.range;
  return result;
}

Tensor Elaborator::matmul(const Tensor& a, const Tensor& b, const Place& place, Span span) {
  if (a.shape.empty() || b.shape.empty()) {
    fail(Kind::ShapeMismatch, span,
         "`@` takes vectors and matrices, not " + show(make(a)) + " and " + show(make(b)),
         "scalars are multiplied by `*`");
    return a;
  }
  // Batch axes broadcast; the last of `a` meets the last but one of `b`.
  const size_t ra = a.shape.size(), rb = b.shape.size();
  const bool va = ra == 1, vb = rb == 1;
  const IndexExpr inner = a.shape.back(), other = vb ? b.shape[0] : b.shape[rb - 2];
  if (!sameExtent(inner, other, place)) {
    fail(Kind::ShapeMismatch, span,
         "`@` of " + show(make(a)) + " and " + show(make(b)) + ": " + show(inner) + " against " +
             show(other),
         "the last axis of the left side and the last but one of the right have the same extent");
    return a;
  }
  // Both as [batch..., m, n, k], the product of their elements, summed over k.
  auto batchA = std::vector<IndexExpr>(a.shape.begin(), a.shape.end() - (va ? 1 : 2));
  auto batchB = std::vector<IndexExpr>(b.shape.begin(), b.shape.end() - (vb ? 1 : 2));
  auto batch = broadcast({batchA, batchB}, place, span);
  if (!batch) return a;
  const int nb = static_cast<int>(batch->size());
  const int rows = va ? -1 : nb, columns = vb ? -1 : nb + (va ? 0 : 1),
            k = nb + (va ? 0 : 1) + (vb ? 0 : 1);
  std::vector<IndexExpr> shape = *batch;
  if (!va) shape.push_back(a.shape[ra - 2]);
  if (!vb) shape.push_back(b.shape[rb - 1]);
  shape.push_back(inner);
  DType type = common({a, b});
  if (type == DType::Bool) type = DType::I32;
  auto place_ = [&](const Tensor& t, const std::vector<IndexExpr>& ownBatch, int first,
                    int second) {
    std::map<Var, IndexExpr> move;
    const int own = static_cast<int>(ownBatch.size());
    for (int i = 0; i < own; ++i) {
      bool spread = ownBatch[static_cast<size_t>(i)].asConstant() == 1;
      move[Var::element(i)] = spread ? IndexExpr(0) : IndexExpr(Var::element(nb - own + i));
    }
    if (first >= 0) move[Var::element(own)] = IndexExpr(Var::element(first));
    if (second >= 0)
      move[Var::element(own + (first >= 0 ? 1 : 0))] = IndexExpr(Var::element(second));
    Tensor moved;
    moved.type = type;
    moved.shape = shape;
    moved.view = data(t, type, place).substitute(move);
    return moved;
  };
  Tensor left = place_(a, batchA, rows, k);
  Tensor right = place_(b, batchB, k, columns);
  Tensor product = map(ScalarOp::Mul, {left, right}, type, type, place, span);
  return reduceAxis(ReduceKind::Sum, product, k, false, place, span);
}

// The rows of a literal table are one constant, not as many as there are rows.
std::optional<Tensor> Elaborator::stackedConstants(const std::vector<Tensor>& parts, DType type,
                                                   Span span) {
  DenseTensor table{type, {std::ssize(parts)}, {}};
  std::optional<ValueRange> range = parts.front().range;
  for (const Tensor& part : parts) {
    const auto* row = part.view.producer < 0
                          ? nullptr
                          : std::get_if<pdg::Constant>(&graph_.node(part.view.producer).op);
    const bool whole = row && part.type == type && row->value.type == type &&
                       std::ssize(part.shape) == std::ssize(row->value.shape) &&
                       part.view.element == identity(0, {}, type, part.shape).view.element;
    if (!whole) return std::nullopt;
    for (size_t k = 0; k < part.shape.size(); ++k)
      if (part.shape[k].asConstant() != row->value.shape[k]) return std::nullopt;
    table.elements.insert(table.elements.end(), row->value.elements.begin(),
                          row->value.elements.end());
    if (range && part.range)
      range = ValueRange{IndexExpr::min(range->lo, part.range->lo),
                         IndexExpr::max(range->hi, part.range->hi)};
    else
      range.reset();
  }
  for (const IndexExpr& extent : parts.front().shape) table.shape.push_back(*extent.asConstant());
  Tensor result = constant(std::move(table), span);
  result.range = range;
  return result;
}

Tensor Elaborator::stack(const std::vector<Tensor>& parts, int axis, const Place& place,
                         Span span) {
  std::vector<std::vector<IndexExpr>> shapes;
  for (const Tensor& part : parts) shapes.push_back(part.shape);
  std::optional<std::vector<IndexExpr>> shape = shapes.front();
  for (const Tensor& part : parts) {
    bool same = part.shape.size() == shape->size();
    for (size_t i = 0; i < shape->size() && same; ++i)
      same = sameExtent((*shape)[i], part.shape[i], place);
    if (same) continue;
    fail(Kind::ShapeMismatch, span,
         "the parts have different shapes: " + show(make(parts.front())) + " and " +
             show(make(part)));
    return parts.front();
  }
  DType type = common(parts);
  bool fixed = shape->empty() && std::all_of(parts.begin(), parts.end(), [](const Tensor& t) {
                 return t.params.empty() && (t.constant() || t.number || t.constantBool()) &&
                        (t.view.producer < 0 || t.weak != Weak::No);
               });
  if (fixed && axis == 0) {
    DenseTensor dense{type, {static_cast<int64_t>(parts.size())}, {}};
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (const Tensor& t : parts) {
      double number = t.number ? *t.number : 0;
      int64_t integer = t.constant() ? *t.constant() : t.constantBool() ? *t.constantBool() : 0;
      if (isFloat(type))
        dense.elements.push_back(
            Scalar::ofFloat(type, t.number ? number : static_cast<double>(integer)));
      else
        dense.elements.push_back(Scalar::ofInt(type, integer));
      lo = std::min(lo, integer);
      hi = std::max(hi, integer);
    }
    Tensor result = constant(std::move(dense), span);
    if (isInteger(type) && hi < INT64_MAX) result.range = ValueRange{lo, IndexExpr(hi) + 1};
    return result;
  }
  if (axis == 0 && !dry())
    if (auto table = stackedConstants(parts, type, span)) return *table;
  std::vector<Tensor> expanded;
  for (const Tensor& part : parts) {
    // A new axis of extent 1 at `axis`.
    Tensor t = expand(cast(part, type, place), *shape, place);
    View view = data(t, type, place);
    std::map<Var, IndexExpr> move;
    for (int i = axis; i < static_cast<int>(shape->size()); ++i)
      move[Var::element(i)] = IndexExpr(Var::element(i + 1));
    t.view = view.substitute(move);
    t.type = type;
    t.shape.insert(t.shape.begin() + axis, IndexExpr(1));
    expanded.push_back(std::move(t));
  }
  return concatenate(expanded, axis, place, span);
}

Tensor Elaborator::concatenate(const std::vector<Tensor>& parts, int axis, const Place& place,
                               Span span) {
  DType type = common(parts);
  std::vector<IndexExpr> shape = parts.front().shape;
  IndexExpr total = 0;
  std::vector<View> views;
  std::vector<Condition> where;
  std::optional<ValueRange> range;
  bool ranged = true;
  for (const Tensor& part : parts) {
    if (part.shape.size() != shape.size()) {
      fail(Kind::ShapeMismatch, span,
           "tensors of different rank can't be put together: " + show(make(parts.front())) +
               " and " + show(make(part)));
      return parts.front();
    }
    for (size_t i = 0; i < shape.size(); ++i)
      if (static_cast<int>(i) != axis && !sameExtent(shape[i], part.shape[i], place)) {
        fail(Kind::ShapeMismatch, span,
             "shapes differ: " + show(make(parts.front())) + " and " + show(make(part)));
        return parts.front();
      }
    IndexExpr extent = part.shape[static_cast<size_t>(axis)];
    IndexExpr own{Var::element(axis)};
    where.push_back(Condition::within(own, total, total + extent));
    views.push_back(data(part, type, place)
                        .substitute({{Var::element(axis),
                                      extent.asConstant() == 1 ? IndexExpr(0) : own - total}}));
    total = total + extent;
    if (!part.range)
      ranged = false;
    else
      range = range ? ValueRange{IndexExpr::min(range->lo, part.range->lo),
                                 IndexExpr::max(range->hi, part.range->hi)}
                    : *part.range;
  }
  shape[static_cast<size_t>(axis)] = total;
  std::vector<Var> also;
  for (const IndexExpr& e : shape) e.collectVariables(also);
  Node node;
  node.span = span;
  node.dims = dimsOf(views, place, also);
  node.type = type;
  node.shape = shape;
  std::vector<Var> dims = node.dims;
  if (!dry()) {
    node.domain = place.space->over(dims);
    pdg::Merge merge;
    for (const Condition& c : where) merge.pieces.push_back({node.domain, c});
    node.op = std::move(merge);
    attach(node, views);
  }
  Tensor result = identity(addNode(std::move(node)), dims, type, shape);
  if (ranged && isInteger(type)) result.range = range;
  return result;
}

}  // namespace rlc::sema
