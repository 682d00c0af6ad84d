# Returns and advantages over an index `t` of time. `done` says that the episode ends with step t; `v` are value estimates at t in begin(t)..=end(t),
# v[end(t)] being that of the state after the last step. A time limit counts as an end, unless `r` is `bootstrapped` first.

## Rewards to which the discounted value of the final state is added where a time limit cuts an episode (Pardo et al., 2018): r' = r + γ v_final, so
## that everything below may treat all ends alike. `v_final` is the value of the observation before the reset. r, v_final, γ: f32; terminated,
## truncated: bool.
fn bootstrapped(r, v_final, terminated, truncated, γ) =
  if truncated and not terminated then r + γ * v_final else r

## Monte Carlo: the discounted rewards to the episode's end, or to the last step (Sutton and Barto, 2018, equation 3.8).
fn monte_carlo(r: f32, done: bool, γ: f32) over t -> f32 {
  G         = r + γ * (if done then 0.0 else G[t+1])
  G[end(t)] = 0.0
  G
}

## n steps of rewards, then the value (Sutton and Barto, 2018, equation 7.1); fewer where the episode or the time ends.
fn n_step(r: f32, v: f32, done: bool, γ: f32, n: int) over t -> f32 {
  index d in 0..n
  G[t, 0]               = v
  G[t, d+1]             = r + γ * (if done then 0.0 else G[t+1, d])
  G[end(t), d in 0..=n] = v[end(t)]
  G[t, n]
}

## What the steps from begin(d) up to and including d have brought, of which a replayed sequence of d steps learns (Hessel et al., 2018, section 3): their
## discounted rewards `R`, f32, and how many they are, `steps`, i32; none counts behind the one that is `done`. A sequence is read at its last d.
fn replayed_return(r: f32, done: bool, γ: f32) over d {
  goes[begin(d)]  = true
  goes[d+1]       = goes and not done
  R[begin(d)]     = 0.0
  R[d+1]          = R + (if goes then γ^(d - begin(d)) * r else 0.0)
  steps[begin(d)] = 0
  steps[d+1]      = steps + (if goes then 1 else 0)
  { R = R[d+1], steps = steps[d+1] }
}

## TD(λ), computed backwards (Sutton and Barto, 2018, equation 12.2): λ = 0 is one step, λ = 1 Monte Carlo. With v the largest action value it is
## Peng's Q(λ), as in PQN (Gallici et al., 2024).
fn td_lambda(r: f32, v: f32, done: bool, γ: f32, λ: f32) over t -> f32 {
  G         = r + γ * (if done then 0.0 else (1.0 - λ) * v[t+1] + λ * G[t+1])
  G[end(t)] = v[end(t)]
  G
}

## Generalized advantage estimation (Schulman et al., 2016, equation 16).
fn gae(r: f32, v: f32, done: bool, γ: f32, λ: f32) over t -> f32 {
  δ         = r + γ * (if done then 0.0 else v[t+1]) - v
  A         = δ + γ * λ * (if done then 0.0 else A[t+1])
  A[end(t)] = 0.0
  A
}

## V-trace (Espeholt et al., 2018, equation 1): value targets for data of another policy, whose `ratio` is π(a|s) / μ(a|s).
fn v_trace(r: f32, v: f32, done: bool, ratio: f32, γ: f32, λ: f32, c_max = 1.0,
  ρ_max = 1.0) over t -> f32 {
  δ         = minimum(ratio, ρ_max) * (r + γ * (if done then 0.0 else v[t+1]) - v)
  D         = δ + γ * λ * minimum(ratio, c_max) * (if done then 0.0 else D[t+1])
  D[end(t)] = 0.0
  D + v
}

## Retrace(λ) (Munos et al., 2016, equation 4): targets for q = Q(s, a) from the values v of the states under π.
fn retrace(r: f32, q: f32, v: f32, done: bool, ratio: f32, γ: f32, λ: f32) over t -> f32 {
  G         = r + γ * (if done then 0.0 else v[t+1] + D[t+1])
  D         = λ * minimum(ratio, 1.0) * (G - q)
  D[end(t)] = 0.0
  G
}

## Watkins's Q(λ) (Sutton and Barto, 2018, section 12.10): as td_lambda with v = max Q(s, .), but cut before actions that were not `greedy`.
fn q_lambda(r: f32, v: f32, greedy: bool, done: bool, γ: f32, λ: f32) over t -> f32 {
  keep         = if greedy then λ else 0.0
  keep[end(t)] = 0.0
  G            = r + γ * (if done then 0.0 else (1.0 - keep[t+1]) * v[t+1] + keep[t+1] * G[t+1])
  G[end(t)]    = v[end(t)]
  G
}
