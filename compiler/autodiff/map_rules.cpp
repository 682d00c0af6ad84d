// Local derivatives of element-wise operations. Kinks: of equal operands of max and min the first
// takes all; abs gives 0 at 0.
#include <cmath>
#include <numbers>

#include "compiler/autodiff/rules.h"
#include "compiler/diagnostics/internal_error.h"

namespace rlc::autodiff {

namespace {

class MapRule {
 public:
  MapRule(Emitter& emit, Support& support, const Node& consumer, const Source& adjoint,
          bool guarded)
      : e_(emit),
        support_(support),
        graph_(emit.graph()),
        consumer_(consumer),
        a_(adjoint),
        guarded_(guarded) {}

  Source operator()(int input) {
    const ScalarOp op = std::get<pdg::Map>(consumer_.op).op;
    if (op == ScalarOp::Select) return selected(input);
    x_ = operandOf(consumer_, 0);
    if (arity(op) == 2) y_ = operandOf(consumer_, 1);
    return derived(op, input == 0);
  }

 private:
  Source selected(int input) {
    const Source condition = operandOf(consumer_, 0), none = e_.zeroLike(a_);
    if (const auto guard = support_.guardOf(consumer_)) {
      const auto where = support_.of(*guard);
      return where ? e_.select(*where, a_, none) : a_;
    }
    return input == 1 ? e_.select(condition, a_, none) : e_.select(condition, none, a_);
  }

  // Zero adjoints stay zero.
  Source guard(const Source& value) {
    return guarded_ ? support_.unlessZero(e_, a_, value) : value;
  }
  Source times(const Source& local) { return e_.mul(a_, local); }
  Source over(const Source& local) { return guard(e_.div(a_, local)); }
  Source self() const { return selfOf(consumer_); }
  Source one() { return e_.number(1, consumer_.type); }
  Source square(const Source& v) { return e_.mul(v, v); }

  // Whether a value may be infinite or NaN for finite operands, some operations back.
  bool mayBlowUp(const Source& value, int depth) const {
    const Node& node = graph_.node(value.read.producer);
    const pdg::Map* map = std::get_if<pdg::Map>(&node.op);
    if (!map || depth == 0) return false;
    if (isSingular(map->op)) return true;
    for (int input = 0; input < node.dataInputs(); ++input)
      if (mayBlowUp({node.inputs[static_cast<size_t>(input)], {}}, depth - 1)) return true;
    return false;
  }

  Source product(const Source& other) {
    constexpr int kFar = 6;
    const Source value = times(other);
    return guarded_ && mayBlowUp(other, kFar) ? guard(value) : value;
  }

  Source derived(ScalarOp op, bool first) {
    switch (op) {
      case ScalarOp::Add:
        return a_;
      case ScalarOp::Sub:
        return first ? a_ : e_.neg(a_);
      case ScalarOp::Mul:
        return product(first ? y_ : x_);
      case ScalarOp::Div:
        return first ? over(y_) : guard(e_.neg(e_.div(e_.mul(a_, self()), y_)));
      case ScalarOp::Mod:
        return first ? a_ : guard(e_.neg(times(e_.map(ScalarOp::FloorDiv, {x_, y_}))));
      case ScalarOp::Pow:
        return first ? powerOfBase() : powerOfExponent();
      case ScalarOp::Neg:
        return e_.neg(a_);
      case ScalarOp::Abs:
        return times(e_.map(ScalarOp::Sign, {x_}));
      case ScalarOp::Min:
        return taken(e_.map(ScalarOp::Le, {x_, y_}), first);
      case ScalarOp::Max:
        return taken(e_.map(ScalarOp::Le, {y_, x_}), first);
      case ScalarOp::Exp:
        return product(self());
      case ScalarOp::Expm1:
        return product(e_.plus(self(), 1));
      case ScalarOp::Log:
        return over(x_);
      case ScalarOp::Log1p:
        return over(e_.plus(x_, 1));
      case ScalarOp::Sqrt:
        return over(e_.times(self(), 2));
      case ScalarOp::Sin:
        return product(e_.map(ScalarOp::Cos, {x_}));
      case ScalarOp::Cos:
        return e_.neg(product(e_.map(ScalarOp::Sin, {x_})));
      case ScalarOp::Tan:
        return product(e_.plus(square(self()), 1));
      case ScalarOp::Asin:
        return over(e_.map(ScalarOp::Sqrt, {e_.sub(one(), square(x_))}));
      case ScalarOp::Acos:
        return e_.neg(over(e_.map(ScalarOp::Sqrt, {e_.sub(one(), square(x_))})));
      case ScalarOp::Atan:
        return e_.div(a_, e_.plus(square(x_), 1));
      case ScalarOp::Atan2: {
        const Source norm = e_.add(square(x_), square(y_));
        return first ? guard(e_.div(e_.mul(a_, y_), norm))
                     : e_.neg(guard(e_.div(e_.mul(a_, x_), norm)));
      }
      case ScalarOp::Sinh:
        return product(e_.map(ScalarOp::Cosh, {x_}));
      case ScalarOp::Cosh:
        return product(e_.map(ScalarOp::Sinh, {x_}));
      case ScalarOp::Tanh:
        return times(e_.sub(one(), square(self())));
      case ScalarOp::Sigmoid:
        return times(e_.mul(self(), e_.sub(one(), self())));
      case ScalarOp::Softplus:
        return times(e_.map(ScalarOp::Sigmoid, {x_}));
      case ScalarOp::Erf:
        return times(
            e_.times(e_.map(ScalarOp::Exp, {e_.neg(square(x_))}), 2 / std::sqrt(std::numbers::pi)));
      case ScalarOp::Lgamma:
        return product(e_.map(ScalarOp::Digamma, {x_}));
      case ScalarOp::Digamma:
        return product(trigamma());
      case ScalarOp::Cast:
        return e_.cast(a_, e_.typeOf(x_));
      case ScalarOp::SinSmall:  // made later
      case ScalarOp::CosSmall:
      case ScalarOp::FloorDiv:
      case ScalarOp::Sign:
      case ScalarOp::Floor:
      case ScalarOp::Ceil:
      case ScalarOp::Round:
      case ScalarOp::Trunc:
      case ScalarOp::Lt:
      case ScalarOp::Le:
      case ScalarOp::Eq:
      case ScalarOp::Ne:
      case ScalarOp::IsNan:
      case ScalarOp::IsInf:
      case ScalarOp::IsFinite:
      case ScalarOp::And:
      case ScalarOp::Or:
      case ScalarOp::Not:
      case ScalarOp::Select:
        break;
    }
    throw InternalError("no gradient passes through " + std::string(name(op)));
  }

  Source taken(const Source& byFirst, bool first) {
    const Source none = e_.zeroLike(a_);
    return first ? e_.select(byFirst, a_, none) : e_.select(byFirst, none, a_);
  }

  // y * x^(y - 1), but 0 where y is 0, even at x = 0.
  Source powerOfBase() {
    if (const auto* splat = std::get_if<pdg::Constant>(&graph_.node(y_.read.producer).op);
        splat && splat->value.elements.size() == 1) {
      const double exponent = splat->value.elements[0].asDouble();
      if (exponent == 0) return e_.zeroLike(a_);
      const Source lower =
          exponent == 1   ? one()
          : exponent == 2 ? x_
                          : e_.map(ScalarOp::Pow, {x_, e_.number(exponent - 1, consumer_.type)});
      return exponent < 1 || std::floor(exponent) != exponent
                 ? guard(times(e_.times(lower, exponent)))
                 : times(e_.times(lower, exponent));
    }
    const Source none = e_.zeroLike(a_);
    const Source value = times(e_.mul(y_, e_.map(ScalarOp::Pow, {x_, e_.plus(y_, -1)})));
    return guard(e_.select(e_.equal(y_, none), none, value));
  }

  // x^y * log x, and its limit 0 at x = 0 (y >= 0).
  Source powerOfExponent() {
    const Source none = e_.zeroLike(a_);
    const Source flat = e_.both(e_.equal(x_, none), e_.map(ScalarOp::Le, {none, y_}));
    const Source value = times(e_.mul(self(), e_.map(ScalarOp::Log, {x_})));
    return guard(e_.select(flat, none, value));
  }

  // The asymptotic series (Abramowitz and Stegun, 6.4.12) past 6, reached by the recurrence;
  // reflected below 1/2.
  Source trigamma() {
    const Source reflect = e_.less(x_, e_.number(0.5, consumer_.type));
    Source z = e_.select(reflect, e_.sub(one(), x_), x_);
    Source sum = e_.zeroLike(a_);
    for (int step = 0; step < 6; ++step) {
      sum = e_.add(sum, e_.div(one(), square(z)));
      z = e_.plus(z, 1);
    }
    const Source r = e_.div(one(), z), r2 = square(r);
    Source tail = e_.number(5.0 / 66, consumer_.type);
    for (double coefficient : {-1.0 / 30, 1.0 / 42, -1.0 / 30, 1.0 / 6})
      tail = e_.plus(e_.mul(tail, r2), coefficient);
    tail = e_.mul(r, e_.add(e_.plus(e_.times(r, 0.5), 1), e_.mul(tail, r2)));
    sum = e_.add(sum, tail);
    const Source ratio = e_.div(e_.number(std::numbers::pi, consumer_.type),
                                e_.map(ScalarOp::Sin, {e_.times(x_, std::numbers::pi)}));
    return e_.select(reflect, e_.sub(square(ratio), sum), sum);
  }

  Emitter& e_;
  Support& support_;
  const Graph& graph_;
  const Node& consumer_;
  Source a_, x_, y_;
  bool guarded_;
};

}  // namespace

bool isSingular(ScalarOp op) {
  switch (op) {
    case ScalarOp::Div:
    case ScalarOp::Mod:
    case ScalarOp::FloorDiv:
    case ScalarOp::Pow:
    case ScalarOp::Exp:
    case ScalarOp::Expm1:
    case ScalarOp::Log:
    case ScalarOp::Log1p:
    case ScalarOp::Sqrt:
    case ScalarOp::Tan:
    case ScalarOp::Asin:
    case ScalarOp::Acos:
    case ScalarOp::Sinh:
    case ScalarOp::Cosh:
    case ScalarOp::Lgamma:
    case ScalarOp::Digamma:
      return true;
    case ScalarOp::Add:
    case ScalarOp::Sub:
    case ScalarOp::Mul:
    case ScalarOp::Neg:
    case ScalarOp::Abs:
    case ScalarOp::Sign:
    case ScalarOp::Min:
    case ScalarOp::Max:
    case ScalarOp::Floor:
    case ScalarOp::Ceil:
    case ScalarOp::Round:
    case ScalarOp::Trunc:
    case ScalarOp::Sin:
    case ScalarOp::Cos:
    case ScalarOp::SinSmall:
    case ScalarOp::CosSmall:
    case ScalarOp::Atan:
    case ScalarOp::Atan2:
    case ScalarOp::Tanh:
    case ScalarOp::Sigmoid:
    case ScalarOp::Softplus:
    case ScalarOp::Erf:
    case ScalarOp::Lt:
    case ScalarOp::Le:
    case ScalarOp::Eq:
    case ScalarOp::Ne:
    case ScalarOp::IsNan:
    case ScalarOp::IsInf:
    case ScalarOp::IsFinite:
    case ScalarOp::And:
    case ScalarOp::Or:
    case ScalarOp::Not:
    case ScalarOp::Select:
    case ScalarOp::Cast:
      return false;
  }
  return false;
}

Source mapOperand(Tools& tools, const Node& consumer, int input, const Adjoint& adjoint,
                  bool guarded) {
  Emitter emit(tools.graph, tools.constants,
               {adjoint.dims, adjoint.domain, consumer.shape, consumer.span});
  return MapRule(emit, tools.support, consumer, adjoint.source, guarded)(input);
}

}  // namespace rlc::autodiff
