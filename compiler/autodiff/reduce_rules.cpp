// Adjoints of what reductions and sorts read.
#include <algorithm>

#include "compiler/autodiff/rules.h"
#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::autodiff {

namespace {

using pdg::Reduce;
using pdg::ReduceKind;

class ReduceRule {
 public:
  ReduceRule(Tools& tools, const Node& consumer, const Adjoint& adjoint, bool lacking)
      : tools_(tools),
        consumer_(consumer),
        reduce_(std::get<Reduce>(consumer.op)),
        adjoint_(adjoint),
        lacking_(lacking),
        points_(tools.graph, tools.constants, space(consumer.dims, consumer.domain)),
        adjoints_(tools.graph, tools.constants, space(adjoint.dims, adjoint.domain)) {}

  Source operator()() {
    const bool sum = reduce_.kind == ReduceKind::Sum, product = reduce_.kind == ReduceKind::Prod;
    if (sum ? !reduce_.hasFilter : !product && reduce_.bound.empty()) return adjoint_.source;
    const Source a = inSpace(adjoint_.source);
    const Source result = derived(a);
    return outOfSpace(lacking_ ? tools_.support.unlessZero(adjoints_, a, result) : result);
  }

 private:
  // With respect to the operand, for `a` of the result.
  Source derived(const Source& a) {
    const Source none = adjoints_.zeroLike(a);
    if (reduce_.kind == ReduceKind::Sum) return adjoints_.select(operand(1), a, none);
    if (!reduce_.keys.empty()) throw InternalError("only sums scatter");
    if (reduce_.kind == ReduceKind::Prod) {
      Source result = adjoints_.mul(a, otherFactors());
      if (reduce_.hasFilter) result = adjoints_.select(operand(1), result, none);
      return result;
    }
    return adjoints_.select(isFirstExtreme(), a, none);
  }

  // The bound points of each of `dims`' points. Element positions that the range depends on become
  // dims, so that each point reads what the reduction read.
  Space space(const std::vector<Var>& dims, const Set& domain) {
    Space result{dims, domain, consumer_.shape, consumer_.span};
    result.dims.insert(result.dims.end(), reduce_.bound.begin(), reduce_.bound.end());
    const std::vector<Var> elements = pdg::elementVars(consumer_);
    const bool coupled = std::any_of(reduce_.domain.vars().begin(), reduce_.domain.vars().end(),
                                     [](Var v) { return v.isElement(); });
    Condition inShape = Condition::always();
    std::map<Var, Var> renamed;
    if (coupled) {
      for (size_t axis = 0; axis < elements.size(); ++axis) {
        std::vector<Var> taken = adjoint_.dims;
        taken.insert(taken.end(), reduce_.bound.begin(), reduce_.bound.end());
        for (const auto& [from, to] : renamed) taken.push_back(to);
        const Var var = tools_.ranges.standIn(elements[axis], taken);
        renamed[elements[axis]] = var;
        result.dims.push_back(var);
        inShape = inShape && Condition::within(var, 0, consumer_.shape[axis]);
        inward_[elements[axis]] = IndexExpr(var);
        outward_[var] = IndexExpr(elements[axis]);
      }
      result.shape.clear();
    }
    result.domain = domain.extendTo(result.dims)
                        .intersect(reduce_.domain.rename(renamed).extendTo(result.dims))
                        .intersect(inShape);
    return result;
  }

  Source inSpace(const Source& source) const {
    return inward_.empty() ? source : substitute(source, inward_);
  }
  Source outOfSpace(const Source& source) const {
    return outward_.empty() ? source : substitute(source, outward_);
  }
  Source operand(int input) const { return inSpace(operandOf(consumer_, input)); }

  // Another reduction over the same points: its value, in the space.
  Source again(DType type, ReduceKind kind, std::vector<Var> bound, const Source& body,
               const std::optional<Source>& filter) {
    Reduce reduce = reduce_;
    reduce.kind = kind;
    reduce.bound = std::move(bound);
    reduce.hasFilter = filter.has_value();
    std::vector<Source> inputs{outOfSpace(body)};
    if (filter) inputs.push_back(outOfSpace(*filter));
    Emitter emit(tools_.graph, tools_.constants,
                 {consumer_.dims, consumer_.domain, consumer_.shape, consumer_.span});
    return inSpace(emit.node(type, std::move(reduce), inputsOf(inputs)));
  }

  std::optional<Source> filter() const {
    if (!reduce_.hasFilter) return std::nullopt;
    return operand(1);
  }

  // Whether the point is the lexicographically first at which the extreme is attained: the first
  // value of the outermost variable, the first of the next given that, and so on.
  Source isFirstExtreme() {
    const ReduceKind kind =
        reduce_.kind == ReduceKind::Max ? ReduceKind::ArgMax : ReduceKind::ArgMin;
    std::optional<Source> here, condition = filter();
    for (size_t i = 0; i < reduce_.bound.size(); ++i) {
      std::vector<Var> bound = reduce_.bound;
      std::rotate(bound.begin(), bound.begin() + static_cast<std::ptrdiff_t>(i),
                  bound.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      const Source first = again(DType::I32, kind, bound, operand(0), condition);
      const Source same = points_.equal(points_.index(reduce_.bound[i]), first);
      here = here ? points_.both(*here, same) : same;
      condition = condition ? points_.both(*condition, same) : same;
    }
    return *here;
  }

  // The product of the other factors: by division, and where the factor is the only zero, the
  // product of those that are not. (Where two factors are zero this is right, its own derivative is
  // not.)
  Source otherFactors() {
    const Source x = operand(0), none = points_.zeroLike(x),
                 one = points_.number(1, consumer_.type);
    const Source isZero = points_.equal(x, none);
    const Source zeros =
        again(DType::I32, ReduceKind::Sum, reduce_.bound,
              points_.node(DType::I32, pdg::Map{ScalarOp::Cast}, inputsOf({isZero})), filter());
    const Source others = again(consumer_.type, ReduceKind::Prod, reduce_.bound,
                                points_.select(isZero, one, x), filter());
    const Source onlyZero = points_.equal(zeros, points_.number(1, DType::I32));
    return points_.select(isZero, points_.select(onlyZero, others, none),
                          points_.div(inSpace(selfOf(consumer_)), x));
  }

  Tools& tools_;
  const Node& consumer_;
  const Reduce& reduce_;
  const Adjoint& adjoint_;
  const bool lacking_;
  Substitution inward_, outward_;  // elements to dims and back
  Emitter points_;                 // over the consumer's points
  Emitter adjoints_;               // over the adjoint's
};

}  // namespace

Source reduceOperand(Tools& tools, const Node& consumer, const Adjoint& adjoint, bool lacking) {
  return ReduceRule(tools, consumer, adjoint, lacking)();
}

// What stands at position j of the vector has gone to position argsort(argsort(vector))[j].
Source sortOperand(Tools& tools, const Node& consumer, const Adjoint& adjoint) {
  const pdg::Sort sort = std::get<pdg::Sort>(consumer.op);
  Emitter emit(tools.graph, tools.constants,
               {consumer.dims, consumer.domain, consumer.shape, consumer.span});
  const Source order = emit.node(DType::I32, pdg::Sort{sort.axis, true, sort.descending},
                                 inputsOf({operandOf(consumer, 0)}));
  const Source place = emit.node(DType::I32, pdg::Sort{sort.axis, true, false}, {order.read});
  const IndexExpr position = IndexExpr::value(
      0, std::make_shared<const IndexExpr>(0),
      std::make_shared<const IndexExpr>(consumer.shape[static_cast<size_t>(sort.axis)]));
  return substitute(adjoint.source, {{Var::element(sort.axis), position}}, {place.read});
}

}  // namespace rlc::autodiff
