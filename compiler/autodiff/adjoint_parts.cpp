// What each read of a node adds to its adjoint.
#include <algorithm>

#include "compiler/autodiff/adjoints.h"
#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/polyhedral/variables.h"

namespace rlc::autodiff {

namespace {

// The value of an expression: the tensor that it reads where it is no more than that.
Source valueOf(Emitter& emit, IndexExpr expr, const std::vector<Read>& values) {
  if (expr.terms().size() == 1 && expr.constantTerm() == 0 && expr.terms()[0].coefficient == 1) {
    const IndexExpr::Atom& atom = *expr.terms()[0].atom;
    if (atom.kind == IndexExpr::AtomKind::Value) {
      const Read& read = values.at(static_cast<size_t>(atom.input));
      const Source source{read, pdg::valueInputs(read).empty() ? std::vector<Read>{} : values};
      if (emit.typeOf(source) == DType::I32) return source;
    }
  }
  std::vector<Read> inputs = inputsOf({}, {&expr}, values);
  return emit.node(DType::I32, pdg::IndexValue{expr}, std::move(inputs));
}

}  // namespace

// 1 where the loss is read.
std::vector<Adjoints::Part> Adjoints::seeds(const Node& node) {
  std::vector<IndexExpr> where;
  for (const IndexExpr& e : group_.loss.at) where.push_back(e.substitute(renamed_));
  for (const IndexExpr& e : group_.loss.element) where.push_back(e.substitute(renamed_));
  const std::vector<Var> outs = joined(node.dims, pdg::elementVars(node));
  const Set points = Set::access(points_, where, outs).projectOnto(joined(params_, outs));
  if (points.isEmpty()) return {};
  return {part(node, points, tools_.constants.number(1, node.type))};
}

std::optional<Source> Adjoints::operandAdjoint(const Edge& edge, const Node& consumer,
                                               const Adjoint& adjoint) {
  const bool lacking = lacking_[at(consumer.id)];
  if (std::holds_alternative<pdg::Map>(consumer.op)) {
    const Source own = mapOperand(tools_, consumer, edge.input, adjoint, guarded_[at(consumer.id)]);
    // What passes an adjoint on as it is reads nothing else, and a guard tells first where to look
    // at the adjoint.
    if (!lacking || own.read.producer == adjoint.source.read.producer ||
        tools_.support.guardOf(consumer))
      return own;
    Emitter emit(graph_, tools_.constants,
                 {adjoint.dims, adjoint.domain, consumer.shape, consumer.span});
    return tools_.support.unlessZero(emit, adjoint.source, own);
  }
  // Where one of a reduction's own indices has ended, its filter reads tensors that have ended.
  if (std::holds_alternative<pdg::Reduce>(consumer.op))
    return reduceOperand(tools_, consumer, adjoint, lacking || mayEnd(consumer));
  if (std::holds_alternative<pdg::Sort>(consumer.op)) return sortOperand(tools_, consumer, adjoint);
  if (std::holds_alternative<pdg::Merge>(consumer.op)) return adjoint.source;
  throw InternalError("a gradient passes through an operation that has no rule");
}

std::optional<Adjoints::Part> Adjoints::partOf(const Edge& edge) {
  if (!adjoints_[at(edge.consumer)]) return std::nullopt;
  Adjoint adjoint = *adjoints_[at(edge.consumer)];
  if (auto value = tools_.constants.valueOf(adjoint.source); value == 0.0) return std::nullopt;
  const Node consumer = graph_.node(edge.consumer);
  const Read& read = consumer.inputs[static_cast<size_t>(edge.input)];
  const std::vector<Var> vars = joined(params_, pdg::readVariables(consumer));
  Set where =
      pdg::readDomain(consumer, edge.input).extendTo(vars).intersect(adjoint.domain.extendTo(vars));
  if (where.isEmpty()) return std::nullopt;
  const pdg::Reduce* reduce = std::get_if<pdg::Reduce>(&consumer.op);
  if (reduce && !reduce->keys.empty()) {  // it is read where the data say
    adjoint = padded(consumer, adjoint);
    where = pdg::readDomain(consumer, edge.input)
                .extendTo(vars)
                .intersect(adjoint.domain.extendTo(vars));
  }
  Inverse inverse = invert(graph_, tools_.ranges, consumer, read, params_, where, paths_.kept(edge),
                           reduce ? reduce->keys : std::vector<pdg::Reduce::Key>{});
  if (inverse.domain.isEmpty()) return std::nullopt;
  const NodeId first = graph_.size();
  std::optional<Source> own = operandAdjoint(edge, consumer, adjoint);
  if (!reduce)
    own = untilEnd(consumer, {adjoint.dims, adjoint.domain, consumer.shape, consumer.span}, *own);
  recordLike(consumer.id, first);
  if (!own || tools_.constants.valueOf(*own) == 0.0) return std::nullopt;

  std::vector<Read> values;
  const bool hasValues = std::any_of(consumer.inputs.begin(), consumer.inputs.end(),
                                     [](const Read& r) { return !pdg::valueInputs(r).empty(); }) ||
                         (reduce && !reduce->keys.empty());
  if (hasValues)
    for (const Read& input : consumer.inputs) values.push_back(substitute(input, inverse.consumer));
  const Source source = substitute(*own, inverse.consumer, values);
  const Node producer = graph_.node(edge.producer);
  if (inverse.bound.empty() && inverse.keys.empty()) return part(producer, inverse.domain, source);
  // Past an end there may be no data to say where it was read.
  const bool lacking = lacking_[at(consumer.id)] || mayEnd(consumer);
  if (auto chosen = chosenElement(producer, inverse, source, values, lacking)) return chosen;
  std::optional<Source> filter;
  if (lacking && !inverse.keys.empty()) filter = tools_.support.near(*own);
  if (filter) filter = substitute(*filter, inverse.consumer, values);
  return sum(producer, std::move(inverse), source, values, filter);
}

// One term that goes to one element: a selection among the elements, cheaper than a scatter.
std::optional<Adjoints::Part> Adjoints::chosenElement(const Node& node, const Inverse& inverse,
                                                      const Source& source,
                                                      const std::vector<Read>& values,
                                                      bool lacking) {
  const bool elements = std::all_of(inverse.keys.begin(), inverse.keys.end(),
                                    [](const auto& key) { return key.own.isElement(); });
  if (!inverse.bound.empty() || !elements) return std::nullopt;
  const Set domain = inverse.domain.projectOnto(dimsOf(node));
  if (!shapeSet(node, domain).isSubset(inverse.domain)) return std::nullopt;
  Emitter emit(graph_, tools_.constants, {dimsOf(node), domain, node.shape, node.span});
  Source result = source;
  for (const auto& key : inverse.keys) {
    const Source wanted = valueOf(emit, key.expr, values);
    result = emit.select(emit.equal(emit.index(key.own), wanted), result, emit.zeroLike(source));
  }
  if (lacking) result = tools_.support.unlessZero(emit, source, result);
  return Part{domain, Condition::always(), result};
}

// Where a point of the node is along one of its dims, minus where the loss is that it is on a path
// to; none where they do not go together.
std::optional<int64_t> Adjoints::aheadOfLoss(const Node& node, Var dim) const {
  for (const Axis& axis : paths_.axes()) {
    const auto& own = axis.position[at(node.id)];
    const auto& loss = axis.position[at(group_.loss.producer)];
    if (!axis.matched || !own || !loss) continue;
    const auto here = own->asShifted(), there = loss->asShifted();
    if (here && there && here->var == dim && there->var == dim) return there->offset - here->offset;
  }
  return std::nullopt;
}

// How many points from the end of an index on a node has a value at: as many as past the declared
// range. The domain of a gradient doesn't tell, where less is read of it.
int64_t Adjoints::pointsPastEnd(const Node& node, Var dim) const {
  const auto like = tools_.like.find(node.id);
  const int64_t own = pdg::pointsPastRange(graph_, node, dim);
  return like == tools_.like.end() ? own
                                   : std::max(own, pointsPastEnd(graph_.node(like->second), dim));
}

// Nothing past the end of an index that ends on a condition: the tensors have no values there. No
// need to ask where the loss is no nearer to the end, which has a value itself; nor would it do
// where the end is decided by what the gradient makes better.
Source Adjoints::untilEnd(const Node& node, const Space& space, Source source) {
  if (tools_.constants.valueOf(source) == 0.0) return source;
  Emitter emit(graph_, tools_.constants, space);
  // Innermost first: an end that runs over another index that ends is not known past that end.
  const auto endingDims = [&](Var dim) {
    const std::vector<Var>& over = graph_.node(graph_.dim(dim).end).dims;
    return std::count_if(over.begin(), over.end(), [&](Var v) { return graph_.dim(v).end >= 0; });
  };
  std::vector<Var> dims;
  std::copy_if(node.dims.begin(), node.dims.end(), std::back_inserter(dims),
               [&](Var dim) { return graph_.dim(dim).end >= 0; });
  std::stable_sort(dims.begin(), dims.end(),
                   [&](Var a, Var b) { return endingDims(a) > endingDims(b); });
  for (Var dim : dims) {
    const NodeId end = graph_.dim(dim).end;
    const std::vector<Var> over = graph_.node(end).dims;
    if (!std::all_of(over.begin(), over.end(), [&](Var v) { return contains(node.dims, v); }))
      continue;
    if (const auto ahead = aheadOfLoss(node, dim);
        ahead && *ahead <= 0 &&
        std::all_of(over.begin(), over.end(), [&](Var v) { return aheadOfLoss(node, v) == 0; }))
      continue;
    // x[s+1] = ... defines one point more than the declared range has; so it does at the end.
    const Source position = emit.index(IndexExpr(dim) - pointsPastEnd(node, dim));
    Source last = selfOf(graph_.node(end));
    const Set known = graph_.node(end).domain;
    const Source whole = source;
    // x[i+1, s] = ... has points in a round more, in which nothing ends.
    std::vector<Source> outside;
    for (size_t k = 0; k < over.size(); ++k) {
      const auto lo = known.minimum(over[k]), hi = known.maximum(over[k]);
      const auto least = node.domain.minimum(over[k]), most = node.domain.maximum(over[k]);
      if (!lo || !hi || !least || !most) continue;
      if (*least >= *lo && *most <= *hi) continue;
      const Source at = emit.index(IndexExpr(over[k]));
      outside.push_back(emit.less(at, emit.index(*lo)));
      outside.push_back(emit.less(emit.index(*hi), at));
      last.read.at[k] = IndexExpr::max(IndexExpr::min(last.read.at[k], *hi), *lo);
    }
    source = emit.select(emit.less(position, last), source, emit.zeroLike(source));
    for (const Source& there : outside) source = emit.select(there, whole, source);
  }
  return source;
}

Adjoints::Part Adjoints::part(const Node& node, const Set& points, const Source& source) {
  const Set domain = points.projectOnto(dimsOf(node));
  if (node.shape.empty()) return {domain, Condition::always(), source};
  const Set all = shapeSet(node, domain);
  if (all.isSubset(points)) return {domain, Condition::always(), source};
  if (auto element = points.gist(all).toCondition()) return {domain, *element, source};
  Inverse inverse;
  inverse.domain = points;
  return sum(node, std::move(inverse), source, {}, std::nullopt);
}

Adjoints::Part Adjoints::sum(const Node& node, Inverse inverse, const Source& source,
                             const std::vector<Read>& values, const std::optional<Source>& filter) {
  const std::vector<Var> dims = dimsOf(node), elements = pdg::elementVars(node);
  if (inverse.bound.empty()) {  // one term, or none
    const Var only = tools_.ranges.standIn(Var::element(0), dims);
    inverse.domain = inverse.domain.extendTo(joined(inverse.domain.vars(), {only}))
                         .intersect(Condition::equal(only, 0));
    inverse.bound.push_back(only);
  }
  const Set domain = inverse.domain.projectOnto(dims);
  pdg::Reduce reduce;
  reduce.kind = pdg::ReduceKind::Sum;
  reduce.bound = inverse.bound;
  reduce.keys = inverse.keys;
  reduce.domain = inverse.domain.projectOnto(joined(joined(dims, elements), inverse.bound));
  if (!elements.empty()) {
    const Set narrow = inverse.domain.projectOnto(joined(dims, inverse.bound));
    const Set wide = narrow.extendTo(reduce.domain.vars())
                         .intersect(shapeSet(node, domain).extendTo(reduce.domain.vars()));
    if (wide.isSubset(reduce.domain)) reduce.domain = narrow;
  }
  std::vector<IndexExpr*> keys;
  for (auto& key : reduce.keys) keys.push_back(&key.expr);
  std::vector<Source> sources{source};
  reduce.hasFilter = filter.has_value();
  if (filter) sources.push_back(*filter);
  std::vector<Read> inputs = inputsOf(sources, keys, values);
  const NodeId made = add(node, domain, std::move(reduce), std::move(inputs), -1);
  return {domain, Condition::always(), selfOf(graph_.node(made))};
}

}  // namespace rlc::autodiff
