// A text parsed, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/diagnostics/render.h"
#include "compiler/syntax/parser.h"
#include "compiler/syntax/print.h"

namespace rlc::syntax {

struct Parsed {
  explicit Parsed(std::string text) {
    file = parse(sources, sources.add("a.rl", std::move(text)), sink);
  }

  // "E0001 1:5 message" of each error, in order.
  std::vector<std::string> errors() const {
    std::vector<std::string> result;
    for (const auto& error : sink.sorted()) {
      const auto at = sources.begin(error.span);
      result.push_back(std::string(diagnostics::info(error.kind).code) + " " +
                       std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
                       error.message);
    }
    return result;
  }
  std::string rendered() const { return render(sink, sources); }
  std::string_view text(Span span) const { return sources.text(span); }

  template <typename T>
  const T& item(size_t i = 0) const {
    const T* found = i < file.items.size() ? file.items[i].as<T>() : nullptr;
    if (found == nullptr) throw std::runtime_error("no such item; " + rendered());
    return *found;
  }

  diagnostics::SourceMap sources;
  diagnostics::DiagnosticSink sink;
  File file;
};

// The right side of `y = TEXT`, printed.
inline std::string reprinted(const std::string& text) {
  const Parsed parsed("y = " + text);
  if (!parsed.file.complete) return parsed.rendered();
  return print(*parsed.item<EquationItem>().value);
}

// With every operation in brackets, to show what binds tighter.
inline std::string bracketed(const Expr& expr) {
  if (const auto* binary = expr.as<BinaryExpr>()) {
    return "(" + bracketed(*binary->left) + " " + spelling(binary->op) + " " +
           bracketed(*binary->right) + ")";
  }
  if (const auto* unary = expr.as<UnaryExpr>())
    return "(" + std::string(spelling(unary->op)) + " " + bracketed(*unary->operand) + ")";
  if (const auto* conditional = expr.as<IfExpr>()) {
    return "(if " + bracketed(*conditional->condition) + " then " +
           bracketed(*conditional->then_value) + " else " + bracketed(*conditional->else_value) +
           ")";
  }
  return print(expr);
}

inline std::string bracketed(const std::string& text) {
  const Parsed parsed("y = " + text);
  return parsed.file.complete ? bracketed(*parsed.item<EquationItem>().value) : parsed.rendered();
}

// Every construct of the language: language.md, section 1, and pieces of sections 4 to 13.
inline const char* const kSample = R"(# REINFORCE (Williams, 1992) on CartPole-v1.
use std.envs.CartPole
use std.nn.{Dense, Mlp}
use .helpers.gae as advantage
use "lib/more.rl"

## how often θ changes
param iterations = 200          # any param can be set from the command line
param envs       = 64, horizon = 500
param gamma: f32 = 0.99

index i in 0..iterations
index b in 0..envs
index t in 0..=horizon - 1
index u in 0..100 until done[u]

record Particle { x: f32, v: f32[2] = [0.0, 0.0] }

policy Actor(obs: f32[4]) -> Categorical {
  net = Mlp(4, [64, 64], 2, tanh)
  Categorical(logits = net(obs))
}

θ[0]                   ~ Actor.init()
s[i, b, 0]             ~ CartPole.reset()
pi                     = Actor(θ, CartPole.observe(s))     # domain inferred: i, b, t
a                      ~ pi
(s[i, b, t+1], r, terminated, truncated) = CartPole.step(s, a)

alive[i, b, 0]   = 1.0
alive[i, b, t+1] = if terminated or truncated then 0.0 else alive
G                = sum(gamma^(k - t) * r[k] * alive[k] for k in t..horizon)

loss             = -mean(pi.log_prob(a) * detach(G) * alive for b, t)
opt[0]           = Adam.init(θ[0])
(θ[i+1], opt[i+1]) = Adam.step(θ, opt, grad(loss, θ), lr = 1e-2)

report "episode return" = mean(sum(r * alive for t) for b)
report "loss" = loss each 10 i
save θ as "policy" each iterations i
print x; print "label", x[t: 0..3, b: 0][1, ..] + x[..][0]

v[.., t in 0..=T] = 0.0 where t % 4 == 0 and not b == 1
p = { x = 1.0, v = [1.0,
  2.0] }
q = P(x = 1.0,
      v = -p.x^2)
m = var(x for b, k in 0..t+1 if k != 3, ddof = 1)

fn gae(r: f32, v: f32, end_of: bool, γ: f32, λ: f32 = 0.95) over t -> f32 {
  δ         = r + γ * (if end_of then 0.0 else v[t+1]) - v
  A         = δ + γ * λ *
    (if end_of then 0.0 else A[t+1])
  A[end(t)] = 0.0
  A
}
fn dot(x: f32[n], y: f32[n]) -> f32 = sum(x * y)
fn rollout(E: env, P: policy, s: E.State) -> (f32[n, 2], i32 in 0..4) { (x, y) }
loss actor(x: f32) = x^2

module Dense(n: int, m: int, gain = sqrt(2.0)) {
  weight W: f32[m, n] ~ Orthogonal(gain)
  weight c: f32[m]    = 0.0
  apply(x: f32[n]) -> f32[m] = W @ x + c
}

env CartPole {
  param gravity = 9.8, cart_mass = 1.0
  state  { x: f32, v: f32
           steps: i32 }
  action Discrete(2)

  reset  { (x, v) ~ Uniform(-0.05, 0.05);  steps = 0 }
  step(a) {
    f    = if a == 1 then force else -force
    x'   = x + dt * v                  # primes are the next state
  }
  observe    = [x, v]
  terminated = abs(x') > 2.4 or abs(v') > 0.2095
  render     { rect(0, 0, 1, 2); line(x, 0) }
}
tree[n+1] = tree.insert(n % capacity, p_max).update(j, abs(td) ^ α)
)";

}  // namespace rlc::syntax
