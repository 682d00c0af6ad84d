// Pseudo-random graphs show the same before and after the passes: all of them, each left out, each
// alone, and random subsets. A failure prints the seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "compiler/passes/testing.h"
#include "compiler/pdg/printer.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/verifier.h"

namespace rlc::passes {
namespace {

using pdg::Node;
using namespace testing;

constexpr int64_t kBatch = 2, kSteps = 9, kWidth = 3;

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {
    b_ = g.index("b", 0, kBatch);
    t_ = g.index("t", 0, kSteps);
    m_ = g.index("m", 0, 3 * kSteps);
    floats_ = {g.constant(0.0),
               g.constant(1.0),
               g.constant(0.5),
               g.param("p", 0.75),
               g.draw(pdg::DrawKind::StandardNormal, "x", {b_, t_}),
               g.draw(pdg::DrawKind::Uniform01, "y", {t_}),
               g.draw(pdg::DrawKind::Uniform01, "v", {t_}, {}, {kWidth})};
    ints_ = {g.constant(0, DType::I32), g.constant(2, DType::I32),
             g.indexValue({t_}, IndexExpr(t_) * 2 - 3)};
  }

  void generate(int nodes) {
    for (int n = 0; n < nodes; ++n) {
      switch (pick(10)) {
        case 0:
          recurrence();
          break;
        case 1:
          reduction();
          break;
        case 2:
          discountedSum();
          break;
        case 3:
          alias();
          break;
        case 4:
          gather();
          break;
        case 5:
          integers();
          break;
        case 6:
          shuffled();
          break;
        default:
          floats_.push_back(arithmetic());
          break;
      }
    }
    for (int n = 0; n < 3; ++n)
      g.print("f" + std::to_string(n), floats_[floats_.size() - 1 - static_cast<size_t>(n)]);
    g.print("i", ints_.back());
  }

  GraphBuilder g;

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }
  bool chance(int percent) { return pick(100) < percent; }
  NodeId recent(const std::vector<NodeId>& from) {
    const int size = static_cast<int>(from.size());
    return from[static_cast<size_t>(chance(60) ? size - 1 - pick(std::min(size, 5)) : pick(size))];
  }

  // A point of the producer within its domain, for any point of b and t (and k in place of t).
  Read read(NodeId producer, IndexExpr t) {
    const Node& node = g.node(producer);
    if (chance(15)) t = IndexExpr::max(t - 1, 0);
    if (chance(10)) t = IndexExpr(kSteps - 1) - t;
    Read result{producer, {}, {}};
    for (Var dim : node.dims)
      result.at.push_back(dim == t_ ? t : chance(90) ? IndexExpr(dim) : IndexExpr(0));
    if (!node.shape.empty()) {
      const IndexExpr own = vector_ ? IndexExpr(Var::element(0)) : IndexExpr(pick(kWidth));
      result.element.push_back(chance(80) ? own : IndexExpr(kWidth - 1) - own);
    }
    return result;
  }
  Read read(const std::vector<NodeId>& from) { return read(recent(from), t_); }

  std::vector<Var> dims() { return chance(85) ? std::vector<Var>{b_, t_} : std::vector<Var>{t_}; }
  // Reads may mention b only where it is a dim.
  std::vector<Var> dimsFor(const std::vector<Read>& reads) {
    std::vector<Var> result = dims();
    for (const Read& one : reads)
      for (const IndexExpr& e : one.at)
        if (e.mentions(b_)) result = {b_, t_};
    return result;
  }
  std::vector<IndexExpr> shape() const {
    return vector_ ? std::vector<IndexExpr>{kWidth} : std::vector<IndexExpr>{};
  }
  NodeId map(ScalarOp op, std::vector<Read> reads) {
    const auto own = dimsFor(reads);
    return g.map(op, own, std::move(reads), shape());
  }
  Read here(NodeId id) {
    Read result{id, pdg::identity(g.node(id).dims), pdg::identity(pdg::elementVars(g.node(id)))};
    return result;
  }

  NodeId arithmetic() {
    vector_ = chance(25);
    static const ScalarOp binary[] = {ScalarOp::Add, ScalarOp::Sub, ScalarOp::Mul, ScalarOp::Min,
                                      ScalarOp::Max};
    switch (pick(8)) {
      case 0:
        return map(ScalarOp::Neg, {read(floats_)});
      case 1:
        return map(ScalarOp::Tanh, {read(floats_)});
      case 2:
        return map(ScalarOp::Abs, {read(floats_)});
      case 3: {
        const NodeId condition = map(ScalarOp::Lt, {read(floats_), read(floats_)});
        return map(ScalarOp::Select, {here(condition), read(floats_), read(floats_)});
      }
      case 4: {
        const NodeId wide = g.cast(DType::F64, {b_, t_}, read(floats_), shape());
        return g.cast(DType::F32, {b_, t_}, here(wide), shape());
      }
      case 5: {
        const NodeId small = map(ScalarOp::Tanh, {read(floats_)});
        return map(ScalarOp::Pow, {here(small), g.at(g.constant(static_cast<double>(pick(5))))});
      }
      default: {
        const NodeId value = map(binary[pick(5)], {read(floats_), read(floats_)});
        return chance(30) ? map(ScalarOp::Sin, {here(value)}) : value;
      }
    }
  }

  void integers() {
    vector_ = false;
    static const ScalarOp binary[] = {ScalarOp::Add, ScalarOp::Sub, ScalarOp::Mul, ScalarOp::Max};
    ints_.push_back(map(binary[pick(4)], {read(ints_), read(ints_)}));
  }

  // x[0] = a, x[t] = sin(x[t - 1] + c)
  void recurrence() {
    vector_ = chance(20);
    const std::vector<Var> own{b_, t_};
    const NodeId x = g.declare("x" + std::to_string(g.graph().size()), own, g.declared(own),
                               DType::F32, shape());
    const NodeId sum = g.map(ScalarOp::Add, own, {here(x), read(floats_)}, shape());
    const NodeId next = g.map(ScalarOp::Sin, own, {here(sum)}, shape());
    Read before = here(next);
    before.at[1] = IndexExpr(t_) - 1;
    Read first = read(floats_);
    g.piece(x, g.box(own, {0, 0}, {kBatch, 1}), first);
    g.piece(x, g.box(own, {0, 1}, {kBatch, kSteps}), before);
    floats_.push_back(x);
  }

  Set range(Var k) {
    const Set points = g.declared({b_, t_}).extendTo({b_, t_, k});
    const IndexExpr t(t_);
    switch (pick(6)) {
      case 0:
        return points.intersect(Condition::within(k, t, kSteps));
      case 1:
        return points.intersect(Condition::within(k, 0, t + 1));
      case 2:
        return points.intersect(Condition::within(k, 0, t));
      case 3:
        return points.intersect(Condition::within(k, IndexExpr::max(t - 5, 0), t + 1));
      case 4:
        return points.intersect(Condition::within(k, IndexExpr::max(t, 2), kSteps));
      default:
        return points.intersect(Condition::within(k, 0, kSteps));
    }
  }

  void reduction() {
    vector_ = chance(20);
    static const ReduceKind kinds[] = {ReduceKind::Sum, ReduceKind::Sum, ReduceKind::Max,
                                       ReduceKind::Min};
    const bool integer = !vector_ && chance(30);
    const Var k = g.range("k");
    const Set domain = range(k);
    ReduceKind kind = kinds[pick(4)];
    if (!domain.projectOnto({b_, t_}).isEqual(g.declared({b_, t_}))) kind = ReduceKind::Sum;
    const NodeId result =
        g.reduce(kind, {b_, t_}, {k}, domain, read(recent(integer ? ints_ : floats_), k), shape());
    if (integer) {
      ints_.push_back(result);
      return;
    }
    floats_.push_back(g.map(ScalarOp::Sin, {b_, t_}, {here(result)}, shape()));
  }

  // sum(p^(k - t) * r[k] * f[t] for k in ...)
  void discountedSum() {
    vector_ = false;
    const Var k = g.range("k");
    const Set domain = range(k);
    const std::vector<Var> own{b_, t_, k};
    auto over = [&](pdg::Op op, DType type, std::vector<Read> reads) {
      return g.add("", own, domain, type, {}, std::move(op), std::move(reads));
    };
    const NodeId steps = over(pdg::IndexValue{IndexExpr(k) - t_}, DType::I32, {});
    const NodeId exponent = over(pdg::Map{ScalarOp::Cast}, DType::F32, {here(steps)});
    NodeId body = over(pdg::Map{ScalarOp::Pow}, DType::F32, {g.at(floats_[3]), here(exponent)});
    for (int n = pick(3); n >= 0; --n)
      body = over(pdg::Map{ScalarOp::Mul}, DType::F32,
                  {here(body), read(recent(floats_), chance(75) ? k : t_)});
    const NodeId sum = g.reduce(ReduceKind::Sum, {b_, t_}, {k}, domain, here(body));
    floats_.push_back(g.map(ScalarOp::Tanh, {b_, t_}, {here(sum)}));
  }

  void alias() {
    vector_ = chance(25);
    const std::vector<Var> own{b_, t_};
    if (chance(30)) {
      floats_.push_back(
          g.add("", own, g.declared(own), DType::F32, shape(), pdg::Detach{}, {read(floats_)}));
      return;
    }
    const NodeId y = g.declare("y" + std::to_string(g.graph().size()), own, g.declared(own),
                               DType::F32, shape());
    g.piece(y, g.declared(own), read(floats_));
    floats_.push_back(y);
  }

  // y[b, t] = x[b, t: j[t]]
  void gather() {
    vector_ = false;
    const auto lo = std::make_shared<const IndexExpr>(0),
               hi = std::make_shared<const IndexExpr>(kSteps);
    const NodeId j = chance(50)
                         ? g.indexValue({t_}, IndexExpr(kSteps - 1) - t_)
                         : g.draw(pdg::DrawKind::UniformInt, "j" + std::to_string(g.graph().size()),
                                  {b_, t_}, {g.at(ints_[0]), g.at(g.constant(kSteps, DType::I32))});
    const NodeId x = recent(floats_);
    const std::vector<Var> own{b_, t_};
    Read body = read(x, t_);
    for (size_t k = 0; k < body.at.size(); ++k)
      if (g.node(x).dims[k] == t_) body.at[k] = IndexExpr::value(1, lo, hi);
    const NodeId y =
        g.add("", own, g.declared(own), DType::F32, {}, pdg::Map{ScalarOp::Neg}, {body, here(j)});
    floats_.push_back(y);
  }

  // y[b, t] = (sum over m of x[b, j[b, m]] + z[b, j[b, m]] + ...) / 8
  void shuffled() {
    vector_ = false;
    const auto lo = std::make_shared<const IndexExpr>(0),
               hi = std::make_shared<const IndexExpr>(kSteps);
    const std::vector<Var> samples{b_, m_};
    const NodeId j = g.draw(pdg::DrawKind::UniformInt, "j" + std::to_string(g.graph().size()),
                            samples, {g.at(ints_[0]), g.at(g.constant(kSteps, DType::I32))});
    NodeId sum = g.constant(0.0);
    for (int part = 0; part < 5; ++part) {
      Read body = read(recent(floats_), t_);
      for (size_t k = 0; k < body.at.size(); ++k)
        if (g.node(body.producer).dims[k] == t_) body.at[k] = IndexExpr::value(2, lo, hi);
      sum = g.add("", samples, g.declared(samples), DType::F32, {}, pdg::Map{ScalarOp::Add},
                  {here(sum), body, here(j)});
    }
    const NodeId total =
        g.reduce(ReduceKind::Sum, {b_}, {m_}, g.declared(samples), g.at(sum, {b_, m_}));
    floats_.push_back(g.map(ScalarOp::Mul, {b_, t_}, {g.at(total, {b_}), g.at(g.constant(0.125))}));
  }

  std::mt19937 random_;
  Var b_, t_, m_;
  bool vector_ = false;
  std::vector<NodeId> floats_, ints_;
};

void check(uint32_t seed, const std::vector<std::string>& disabled, const pdg::Graph& graph,
           const Shown& expected) {
  std::string what = "seed " + std::to_string(seed) + ", without";
  for (const std::string& name : disabled) what += " " + name;
  SCOPED_TRACE(what);
  pdg::Graph changed = graph;
  ASSERT_NO_THROW(runPasses(changed, {.disabled = disabled, .verifyEach = true, .observer = {}}));
  EXPECT_EQ(difference(expected, shown(changed), 1e-4), "");
}

TEST(RandomGraphs, ShowTheSame) {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    Generator generator(seed);
    generator.generate(25);
    const pdg::Graph& graph = generator.g.graph();
    const std::vector<std::string> problems = pdg::verify(graph);
    ASSERT_EQ(problems, std::vector<std::string>{}) << "seed " << seed;
    const Shown expected = shown(graph);
    const std::vector<std::string> names = passNames();
    std::mt19937 random(seed);
    check(seed, {}, graph, expected);
    check(seed, {names[seed % names.size()]}, graph, expected);
    std::vector<std::string> subset = names;
    subset.erase(subset.begin() + seed % names.size());  // one alone
    check(seed, subset, graph, expected);
    std::erase_if(subset, [&](const std::string&) { return random() % 2 == 0; });
    check(seed, subset, graph, expected);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace rlc::passes
