// What elaboration makes of programs: domains, types, params; one behaviour a test.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "compiler/sema/testing.h"

namespace rlc::sema {
namespace {

using testing::Elaborated;
using testing::elaborateText;

std::unique_ptr<Elaborated> good(const std::string& text, Options options = {},
                                 bool library = false) {
  auto result = elaborateText(text, std::move(options), library);
  for (const std::string& error : result->errors()) ADD_FAILURE() << error;
  if (!result->program) throw std::runtime_error("no program");
  for (const std::string& problem : pdg::verify(result->program->graph)) ADD_FAILURE() << problem;
  return result;
}

TEST(Equations, UniteTheirPoints) {
  auto p = good("param T = 4\nindex t in 0..T\nx[0] = 1.0\nx[t+1] = 0.5 * x[t]\n");
  EXPECT_EQ(p->node("x").domain.count(), 5);
  EXPECT_TRUE(p->defined("x", {4}));
  EXPECT_FALSE(p->defined("x", {5}));
  EXPECT_EQ(p->tensor("x").type, "f32");
  EXPECT_EQ(p->tensor("x").dims, std::vector<std::string>{"t"});
}

TEST(Equations, WithoutSubscriptsVaryOverFreeIndicesInDeclaredOrder) {
  auto p = good("index i in 0..2\nindex b in 0..3\nindex t in 0..4\ny = t + 10 * i\n");
  EXPECT_EQ(p->tensor("y").dims, (std::vector<std::string>{"i", "t"}));
  EXPECT_EQ(p->node("y").domain.count(), 8);
}

TEST(Equations, ComeInAnyOrder) {
  auto p = good(
      "z = y + 1.0\ny = x * 2.0\nx[t+1] = x + 1.0\nx[0] = 0.0\nindex t in 0..n\nparam n = 3\n");
  EXPECT_EQ(p->tensor("z").dims, std::vector<std::string>{"t"});
}

TEST(Equations, TakeRangesFromTheLeft) {
  auto p = good("index i in 0..4\nindex j in 0..4\nx[i, j in 0..=i] = i + j\n");
  EXPECT_EQ(p->node("x").domain.count(), 10);
}

TEST(Equations, AreRestrictedByWhere) {
  auto p = good("index t in 0..10\nx[t] = 1.0 where t % 4 == 0\n");
  EXPECT_EQ(p->node("x").domain.count(), 3);
}

// Each step of the cycle learns what it is from the one behind it: by its name, by a subscript, in
// a function's body and by a name there.
TEST(Types, TravelAroundCycles) {
  auto p = good(
      "index t in 0..4\n"
      "fn more(k) {\n  known = d + k\n  known * k\n}\n"
      "a[0] = 1\na[t+1] = b[t] + 1\nb[t] = c + 1\nc[t] = more(2)\nd[t] = e[t] * 2\n"
      "e[0] = 1\ne[t+1] = a[t] + f64(0.5)\n");
  for (const char* name : {"a", "b", "c", "d", "e"}) EXPECT_EQ(p->tensor(name).type, "f64") << name;
}

TEST(Types, LiteralsTakeTheTypeOfWhatTheyMeet) {
  auto p =
      good("index t in 0..3\nx[0] = 0\nx[t+1] = x + f64(0.1)\ny = 1\nz = u8(1) + 1\nw = 1.5\n");
  EXPECT_EQ(p->tensor("x").type, "f64");
  EXPECT_EQ(p->tensor("y").type, "i32");
  EXPECT_EQ(p->tensor("z").type, "u8");
  EXPECT_EQ(p->tensor("w").type, "f32");
}

TEST(Types, ShapesBroadcast) {
  auto p = good("a = [[1.0, 2.0, 3.0]]\nb = [[1.0], [2.0]]\nc = a + b\nd = a @ transpose(a)\n");
  EXPECT_EQ(p->tensor("c").type, "f32[2, 3]");
  EXPECT_EQ(p->tensor("d").type, "f32[1, 1]");
}

TEST(Types, RecordsBecomeOneTensorALeaf) {
  auto p = good(
      "record P { x: f32, v: f32[2] }\nindex t in 0..3\np[0] = P(x = 1.0, v = [1.0, 2.0])\np[t+1] "
      "= P(x = p.x * 2, v = p.v + p.x)\n");
  EXPECT_EQ(p->tensor("p").leaves.size(), 2u);
  EXPECT_EQ(p->node("p", 1).name, "p.v");
  EXPECT_EQ(p->node("p", 1).shape.size(), 1u);
}

TEST(Types, SlicesMayVaryInLength) {
  auto p = good("index t in 0..4\nx = 1.0 * t\ny[t] = sum(x[0..t+1])\n");
  EXPECT_EQ(p->tensor("y").type, "f32");
}

TEST(Params, AreCompileTimeOnlyWhereTheyMustBe) {
  auto p = good("param n = 3\nparam lr = 0.5\nindex t in 0..n\nx = lr * t\nprint x\n");
  EXPECT_TRUE(p->param("n").compileTime);
  EXPECT_FALSE(p->param("lr").compileTime);
  EXPECT_EQ(p->program->graph.params().size(), 2u);
}

TEST(Params, TakeValuesFromOutside) {
  Options options;
  options.params = {{"n", "7"}};
  auto p = good("param n = 3\nindex t in 0..n\nx = t\n", options);
  EXPECT_EQ(p->node("x").domain.count(), 7);
}

TEST(Params, OfStringTypeChooseAtCompileTime) {
  const std::string text = "param how = \"a\"\nx = if how == \"a\" then 1 else [1, 2]\n";
  EXPECT_EQ(good(text)->tensor("x").type, "i32");
  Options options;
  options.params = {{"how", "b"}};
  EXPECT_EQ(good(text, options)->tensor("x").type, "i32[2]");
}

TEST(Conditions, OnIndicesAreLazy) {
  auto p = good("index t in 0..4\nx = if t == 0 then 1.0 else 2.0 * x[t-1]\n");
  EXPECT_EQ(p->node("x").domain.count(), 4);
}

TEST(Conditions, ThatAreNotAffineAreTriedPointByPoint) {
  auto p = good("index t in 0..10\nx[t] = 1.0 where t * t < 20\n");
  EXPECT_EQ(p->node("x").domain.count(), 5);
}

TEST(Cycles, AreNotSeenWhereThereAreNone) {
  good(
      "index i in 1..5\nindex j in 1..5\nx[0, 0] = 1\nx[i, 0] = 1\nx[0, j] = 1\nx[i, j] = x[i-1, "
      "j] + x[i, j-1]\n");
  good(
      "index t in 0..20\na[t] = if t + 1 < 20 then b[t+1] else 0.0\nb[t] = if t >= 2 then a[t-2] "
      "else 1.0\n");
  good("index n in 1..50\nf[0] = 0\nf[n] = f[n // 2] + 1\n");
  good("index t in 0..10\nx[4] = 0\nx[t in 5..10] = x[t-1] + 1\nx[t in 0..4] = x[t+1] + 1\n");
}

// An index of their own for what learns, read at the other only through `max` and through data:
// there is an order, so no point has to be looked at.
TEST(Cycles, AreRuledOutAlongTwoIndicesWithoutCounting) {
  const auto start = std::chrono::steady_clock::now();
  good(
      "param n = 1_000_000_000\nparam first = 3\nindex t in 0..n\nindex l in first..n\n"
      "w[first] = 1.0\nw[l+1] = w + 0.01 * x[j]\nx[0] = 0.5\n"
      "x[t+1] = 0.5 * x + 0.1 * w[max(t, first)]\nj[l] ~ UniformInt(0, l + 1)\n",
      {}, true);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Draws, AreNamedAfterWhatTheyDefineAndCountedByItsPoints) {
  auto p = good("index t in 0..4\nx[0] ~ Normal(0.0, 1.0)\nx[t+1] ~ Normal(x[t], 1.0)\n", {}, true);
  std::vector<std::string> streams;
  std::vector<int64_t> points;
  for (const pdg::Node& node : p->program->graph.nodes())
    if (const auto* draw = std::get_if<pdg::Draw>(&node.op)) {
      streams.push_back(draw->stream);
      points.push_back(node.domain.count());
      EXPECT_EQ(node.dims.size(), 1u);
    }
  EXPECT_EQ(streams, (std::vector<std::string>{"x", "x"}));
  EXPECT_EQ(points, (std::vector<int64_t>{1, 4}));
}

TEST(Draws, OfANewEpisodeAreThoseOfResetWhateverAnEnvKeeps) {
  const std::string inner =
      "env Inner {\n  state { x: f32, y: f32 }\n  action Discrete(2)\n"
      "  reset { (x, y) ~ Uniform(0.0, 1.0) }\n"
      "  step(a) { x' = x + f32(a); noise ~ Normal(0.0, 1.0); y' = noise }\n"
      "  observe = x\n  reward = 0.0\n  terminated = x' > 1.0\n}\n";
  const std::string uses =
      "index t in 0..4\nE = Around(Inner())\ns[0] ~ E.reset()\n"
      "(s[t+1], r, over, cut, last) ~ E.autoreset(s, 0)\n";
  auto around = [](const std::string& renew) {
    return "env Around(E: env) {\n  state { inner: any, extra: f32 }\n  action Discrete(2)\n"
           "  reset { inner ~ E.reset(); extra ~ Normal(0.0, 1.0) }\n" +
           renew +
           "  step(a) { (inner', gained, over, cut) = E.step(inner, a) }\n"
           "  observe = E.observe(inner)\n  reward = gained\n  terminated = over\n}\n";
  };
  auto streams = [](const std::string& text) {
    std::vector<std::string> names;
    auto p = good(text, {}, true);
    for (const pdg::Node& node : p->program->graph.nodes())
      if (const auto* draw = std::get_if<pdg::Draw>(&node.op))
        names.push_back(draw->stream + "/" + std::to_string(draw->part));
    std::sort(names.begin(), names.end());
    return names;
  };
  const std::vector<std::string> reset = streams(inner + around("") + uses);
  EXPECT_EQ(reset.size(), 7u);
  EXPECT_EQ(
      streams(inner + around("  renew { inner' ~ E.renew(inner); extra' ~ Normal(0.0, 1.0) }\n") +
              uses),
      reset);
  const std::string own = "  reset { (x, y) ~ Uniform(0.0, 1.0) }\n";
  std::string both = inner;
  both.insert(both.find(own), "  renew { (x', y') ~ Uniform(0.0, 1.0) }\n");
  EXPECT_EQ(
      streams(both + around("  renew { inner' ~ E.renew(inner); extra' ~ Normal(0.0, 1.0) }\n") +
              uses),
      reset);
}

TEST(Modules, KeepWeightsInARecordOfTheirParts) {
  auto p = good(
      "use std.nn.Mlp\nnet = Mlp(3, [4, 5], 2, tanh)\nw ~ net.init()\ny = net(w, [1.0, 2.0, "
      "3.0])\n",
      {}, true);
  std::vector<std::string> names;
  for (pdg::NodeId leaf : p->tensor("w").leaves) names.push_back(p->program->graph.node(leaf).name);
  EXPECT_EQ(names, (std::vector<std::string>{"w.layers.0.W", "w.layers.0.c", "w.layers.1.W",
                                             "w.layers.1.c", "w.layers.2.W", "w.layers.2.c"}));
  EXPECT_EQ(p->tensor("y").type, "f32[2]");
}

TEST(Program, OfTheReadmeElaborates) {
  auto p = good(R"(
use std.envs.CartPole
use std.nn.Mlp
use std.optim.Adam
index i in 0..3
index b in 0..4
index t in 0..5
policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [8], 2, tanh)
  Categorical(logits = net(obs))
}
θ[0]       ~ Actor.init()
s[i, b, 0] ~ CartPole.reset()
pi         = Actor(θ, CartPole.observe(s))
a          ~ pi
(s[i, b, t+1], r, terminated, truncated) = CartPole.step(s, a)
alive[i, b, 0]   = 1.0
alive[i, b, t+1] = if terminated or truncated then 0.0 else alive
G                = sum(0.99^(k - t) * r[k] * alive[k] for k in t..5)
loss             = -mean(pi.log_prob(a) * detach(G) * alive for b, t)
opt[0]           = Adam.init(θ[0])
(θ[i+1], opt[i+1]) = Adam.step(θ, opt, grad(loss, θ), lr = 1e-2)
report "return" = mean(sum(r * alive for t) for b)
)",
                {}, true);
  EXPECT_EQ(p->tensor("pi").dims, (std::vector<std::string>{"i", "b", "t"}));
  EXPECT_EQ(p->tensor("r").dims, (std::vector<std::string>{"i", "b", "t"}));
  EXPECT_EQ(p->tensor("loss").dims, (std::vector<std::string>{"i"}));
  EXPECT_EQ(p->tensor("θ").leaves.size(), 4u);
}

}  // namespace
}  // namespace rlc::sema
