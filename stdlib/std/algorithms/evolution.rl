use std.optim.Adam

## Evolution strategies (Salimans et al., 2017, algorithm 1) with mirrored noise and centered ranks: the weights move towards those of 2 * pairs
## random neighbours, `noise` away, whose episodes of at most `horizon` steps return more. `Actor` is a policy over observations, of any shape; its
## most probable action is taken. The result: `episode_return`, the mean of each iteration's episodes, [iterations]; and the weights `w` at the end.
## Environments begin anew with each iteration, and with them what wrappers know. An error: iterations, pairs, horizon < 1.
fn evolution(E: env, Actor, iterations: int, pairs: int, horizon: int, learning_rate = 0.05,
  noise = 0.1) {
  index i in 0..require(iterations, iterations >= 1, "iterations is at least 1")
  index b in 0..2*require(pairs, pairs >= 1, "pairs is at least 1")
  index t in 0..require(horizon, horizon >= 1, "horizon is at least 1")
  direction[i, b in 0..pairs] ~ Normal(zeros_like(w), 1.0)
  ε[i, b]            = (if b < pairs then direction else -direction[b-pairs])
  s[i, b, 0]         ~ E.reset()
  a[i, b, t]         = Actor(w + noise * ε, E.observe(s)).mode()
  (s[i, b, t+1], r, terminated, truncated) = E.step(s, a)
  alive[i, b, 0]     = 1.0
  alive[i, b, t+1]   = if terminated or truncated then 0.0 else alive
  F[i, b]            = sum(r * alive for t)
  rank[i, b]         = sum(F[b: k] < F or (F[b: k] == F and k < b) for k in 0..2*pairs)
  fitness[i, b]      = rank / (2.0 * pairs - 1.0) - 0.5
  w[0]               ~ Actor.init()
  opt[0]             = Adam.init(w[0])
  (w[i+1], opt[i+1]) = Adam.step(w, opt, -(1.0 / noise) * mean(fitness * ε for b), learning_rate)
  episode_return[i]  = mean(F for b)
  { episode_return = episode_return[0..iterations], w = w[iterations] }
}
