# Algorithms over tables of a finite decision process.
use std.algorithms.checks.choices_of

## Value iteration (Bellman, 1957; Sutton and Barto, 2018, section 4.4): from the probabilities P[s, a, s'] and the mean rewards R[s, a], the optimal
## values V: f32[states], the action values Q: f32[states, actions], and a best `policy`: i32[states], after that many sweeps. An error: sweeps < 1;
## probabilities P[s, a] that do not sum to 1, to 1e-4, or are negative.
fn value_iteration(P: f32[n, m, n], R: f32[n, m], gamma: f32, sweeps: int) {
  index sweep in 0..require(sweeps, sweeps >= 1, "sweeps is at least 1")
  next       = probabilities(P)
  V[0]       = zeros([n])
  V[sweep+1] = max(R + gamma * next @ V, axis = 1)
  { V = V[sweeps], Q = R + gamma * next @ V[sweeps],
    policy = argmax(R + gamma * next @ V[sweeps], axis = 1) }
}

## Q-learning (Watkins, 1989; Sutton and Barto, 2018, section 6.5) on one environment. `number` is a function from an environment's state to its
## number in 0..states. The result, for each step: `reward` and `done`, [steps] each; the table Q: f32[states, actions] at the end; and `states`, the
## environment's after each step, records of [steps, ...], a wrapper's fields among them (`run.states.seen`). An error: steps < 1; `actions` unlike
## E's.
fn q_learning(E: env, number, states: int, actions: int, steps: int, learning_rate = 0.1,
  gamma = 0.99, epsilon = 0.1, initial = 0.0) {
  index n in 0..require(steps, steps >= 1, "steps is at least 1")
  index state in 0..states
  index action in 0..choices_of(E, actions)
  s[0]                  ~ E.reset()
  at[n]                 = clip(number(s), 0, states - 1)
  explore[n]            ~ Bernoulli(epsilon)
  random[n]             ~ Discrete(choices_of(E, actions))
  greedy[n]             = argmax(Q[n, clip(number(s), 0, states-1), k] for k in 0..actions)
  a[n]                  = if explore then random else greedy
  (next[n], r, terminated, truncated) = E.step(s, a)
  fresh[n]              ~ E.renew(next)
  done[n]               = terminated or truncated
  s[n+1]                = if done then fresh else next
  best[n]               = max(Q[n, clip(number(next), 0, states-1), k] for k in 0..actions)
  target[n]             = r + (if terminated then 0.0 else gamma * best)
  Q[0, state, action]   = initial
  Q[n+1, state, action] = if state == at and action == a then Q + learning_rate * (target - Q)
    else Q
  { reward = r[0..steps], done = done[0..steps], Q = Q[steps, 0..states, 0..actions],
    states = s[1..steps+1] }
}
