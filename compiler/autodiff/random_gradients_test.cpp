// Random programs: every gradient agrees with differences. The seed of a failure is in its trace.
#include <random>

#include "compiler/autodiff/testing.h"

namespace rlc::autodiff {
namespace {

using namespace testing;

constexpr int64_t kBatch = 2, kSteps = 4, kWidth = 3;

// Tensors over (b, t), of shape [] or [3], each made of those before.
class Program {
 public:
  Program(GraphBuilder& g, unsigned seed) : g_(g), random_(seed) {
    b_ = g.index("b", 0, kBatch);
    t_ = g.index("t", 0, kSteps);
    k_ = g.range("k");
    all_ = g.declared({b_, t_});
  }

  Derivative make() {
    const NodeId x = leaf(g_, "x", {b_, t_}, shape(chance()), 1);
    tensors_.push_back(x);
    tensors_.push_back(leaf(g_, "y", {b_, t_}, shape(chance()), 2));
    const int count = pick(3, 7);
    for (int i = 0; i < count; ++i) tensors_.push_back(bounded(step()));
    NodeId last = g_.map(ScalarOp::Add, {b_, t_}, {scalarOf(tensors_.back()), scalarOf(any())});
    if (chance()) return derivative(g_, perStep(last), x);
    NodeId loss = weightedSum(g_, last);
    if (pick(0, 3) == 0) loss = weightedSum(g_, addGrad(g_, derivative(g_, loss, tensors_[1])), 5);
    return derivative(g_, loss, x);
  }

 private:
  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random_); }
  bool chance() { return pick(0, 1) == 1; }
  static std::vector<IndexExpr> shape(bool vector) {
    return vector ? std::vector<IndexExpr>{kWidth} : std::vector<IndexExpr>{};
  }
  NodeId any() {
    return tensors_[static_cast<size_t>(pick(0, static_cast<int>(tensors_.size()) - 1))];
  }
  bool isVector(NodeId id) { return !g_.node(id).shape.empty(); }
  Read same(NodeId id) { return g_.at(id, {b_, t_}); }
  Read scalarOf(NodeId id) {
    return isVector(id) ? g_.at(id, {b_, t_}, {pick(0, kWidth - 1)}) : same(id);
  }
  // Over elements, where the shape has some.
  Read spread(NodeId id, bool vector) {
    if (!vector) return scalarOf(id);
    if (!isVector(id)) return g_.at(id, {b_, t_}, {});
    return chance() ? same(id) : g_.at(id, {b_, t_}, {IndexExpr(kWidth - 1) - Var::element(0)});
  }
  Read constant(double value) { return g_.at(g_.constant(value, DType::F64), {}, {}); }
  NodeId map(ScalarOp op, std::vector<Read> reads, bool vector) {
    return g_.map(op, {b_, t_}, std::move(reads), shape(vector));
  }
  NodeId bounded(NodeId id) { return map(ScalarOp::Tanh, {same(id)}, isVector(id)); }

  // A loss for each t: what is over b is summed.
  NodeId perStep(NodeId id) {
    return g_.reduce(ReduceKind::Sum, {t_}, {b_}, g_.box({t_, b_}, {0, 0}, {kSteps, kBatch}),
                     same(id));
  }

  NodeId step() {
    switch (pick(0, 10)) {
      case 0:
        return unary();
      case 1:
        return binary();
      case 2:
        return shifted();
      case 3:
        return window();
      case 4:
        return alongElements();
      case 5:
        return gathered();
      case 6:
        return recurrence(chance());
      case 7:
        return selected();
      case 8:
        return joined();
      case 9:
        return contraction();
      default:
        return sorted();
    }
  }

  NodeId unary() {
    static constexpr ScalarOp kOps[] = {ScalarOp::Sin,      ScalarOp::Exp,  ScalarOp::Sigmoid,
                                        ScalarOp::Softplus, ScalarOp::Atan, ScalarOp::Erf};
    const NodeId a = any();
    return map(kOps[pick(0, 5)], {same(a)}, isVector(a));
  }

  NodeId binary() {
    static constexpr ScalarOp kOps[] = {ScalarOp::Add, ScalarOp::Sub, ScalarOp::Mul, ScalarOp::Max,
                                        ScalarOp::Min};
    const bool vector = chance();
    return map(kOps[pick(0, 4)], {spread(any(), vector), spread(any(), vector)}, vector);
  }

  // One step back or forth, something else at the edge.
  NodeId shifted() {
    const NodeId a = any();
    const int64_t by = chance() ? 1 : -1;
    const NodeId result = g_.declare("s", {b_, t_}, all_, DType::F64, g_.node(a).shape);
    const Set inner = all_.intersect(Condition::within(IndexExpr(t_) + by, 0, kSteps));
    g_.piece(result, inner, g_.at(a, {b_, IndexExpr(t_) + by}));
    g_.piece(result, all_.subtract(inner), chance() ? constant(0.3) : same(a));
    return result;
  }

  NodeId window() {
    static constexpr ReduceKind kKinds[] = {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max,
                                            ReduceKind::Min};
    const NodeId a = any();
    const int64_t length = pick(1, 3);
    const Condition range =
        chance()
            ? Condition::within(k_, t_, IndexExpr::min(IndexExpr(t_) + length, kSteps))
            : Condition::within(k_, IndexExpr::max(0, IndexExpr(t_) - length), IndexExpr(t_) + 1);
    return g_.reduce(kKinds[pick(0, 3)], {b_, t_}, {k_},
                     all_.extendTo({b_, t_, k_}).intersect(range), g_.at(a, {b_, k_}),
                     g_.node(a).shape);
  }

  NodeId alongElements() {
    const NodeId a = any();
    if (!isVector(a)) return unary();
    static constexpr ReduceKind kKinds[] = {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::Max};
    const ReduceKind kind = kKinds[pick(0, 2)];
    if (chance()) {  // cumulative
      const Set range = all_.extendTo({b_, t_, Var::element(0), k_})
                            .intersect(Condition::within(k_, 0, IndexExpr(Var::element(0)) + 1) &&
                                       Condition::within(Var::element(0), 0, kWidth));
      return g_.reduce(kind, {b_, t_}, {k_}, range, g_.at(a, {b_, t_}, {k_}), shape(true));
    }
    const Set range = all_.extendTo({b_, t_, k_}).intersect(Condition::within(k_, 0, kWidth));
    return g_.reduce(kind, {b_, t_}, {k_}, range, g_.at(a, {b_, t_}, {k_}));
  }

  NodeId gathered() {
    const NodeId a = any();
    const NodeId j = g_.indexValue(
        {b_, t_}, IndexExpr::mod(IndexExpr(t_) * pick(1, 3) + IndexExpr(b_) + pick(0, 3), kSteps));
    const IndexExpr at = IndexExpr::value(1, std::make_shared<const IndexExpr>(0),
                                          std::make_shared<const IndexExpr>(kSteps));
    return map(ScalarOp::Sin, {g_.at(a, {b_, at}), same(j)}, isVector(a));
  }

  NodeId recurrence(bool backward) {
    const NodeId a = any();
    const bool vector = isVector(a);
    const NodeId h = g_.declare("h", {b_, t_}, all_, DType::F64, shape(vector));
    const int64_t by = backward ? 1 : -1;
    const Set edge = all_.intersect(Condition::equal(t_, backward ? kSteps - 1 : 0)),
              inner = all_.subtract(edge);
    const NodeId mixed = g_.add("", {b_, t_}, inner, DType::F64, shape(vector),
                                Map{chance() ? ScalarOp::Mul : ScalarOp::Add},
                                {g_.at(h, {b_, IndexExpr(t_) + by}), same(a)});
    const NodeId next =
        g_.add("", {b_, t_}, inner, DType::F64, shape(vector), Map{ScalarOp::Sin}, {same(mixed)});
    g_.piece(h, edge, chance() ? same(a) : constant(0.5));
    g_.piece(h, inner, same(next));
    return h;
  }

  NodeId selected() {
    const bool vector = chance();
    const NodeId less = map(ScalarOp::Lt, {spread(any(), vector), spread(any(), vector)}, vector);
    return map(ScalarOp::Select, {same(less), spread(any(), vector), spread(any(), vector)},
               vector);
  }

  // Elements of two, some shifted.
  NodeId joined() {
    const NodeId a = any(), c = any();
    const NodeId result = g_.declare("j", {b_, t_}, all_, DType::F64, shape(true));
    const IndexExpr e = Var::element(0);
    const int64_t cut = pick(1, kWidth - 1);
    g_.piece(result, all_, isVector(a) ? g_.at(a, {b_, t_}, {e}) : same(a),
             Condition::less(e, cut));
    g_.piece(result, all_, isVector(c) ? g_.at(c, {b_, t_}, {e - cut}) : g_.at(c, {b_, t_}, {}),
             Condition::lessEqual(cut, e));
    return result;
  }

  NodeId contraction() {
    const NodeId a = any();
    if (!isVector(a)) return binary();
    const NodeId w = leaf(g_, "W", {}, {kWidth, kWidth}, pick(0, 9));
    const NodeId product = g_.map(
        ScalarOp::Mul, {b_, t_},
        {g_.at(w, {}, {Var::element(0), Var::element(1)}), g_.at(a, {b_, t_}, {Var::element(1)})},
        {kWidth, kWidth});
    const Set range = all_.extendTo({b_, t_, k_}).intersect(Condition::within(k_, 0, kWidth));
    return g_.reduce(ReduceKind::Sum, {b_, t_}, {k_}, range,
                     g_.at(product, {b_, t_}, {Var::element(0), k_}), shape(true));
  }

  NodeId sorted() {
    const NodeId a = any();
    return isVector(a) ? g_.sort({b_, t_}, same(a), shape(true), false, chance()) : unary();
  }

  GraphBuilder& g_;
  std::mt19937 random_;
  Var b_, t_, k_;
  Set all_;
  std::vector<NodeId> tensors_;
};

TEST(RandomGradients, AgreeWithDifferences) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    checkGradient([seed](GraphBuilder& g) { return Program(g, seed).make(); },
                  {.tolerance = 2e-5, .every = 5});
    if (::testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace rlc::autodiff
