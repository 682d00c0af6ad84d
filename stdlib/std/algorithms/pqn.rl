use std.algorithms.checks.choices_of
use std.algorithms.episodes.gained
use std.returns.{td_lambda, bootstrapped}
use std.optim.{RAdam, clip_by_global_norm, linear}

## Parallelized Q-network (Gallici et al., 2024, algorithm 1), as in CleanRL's pqn.py, whose names the arguments have: no replay and no target
## network, but Q(λ) targets, a normalized `net`, from observations to action values, f32[actions], and many environments. `timeout` is "terminal" (a
## time limit is an end, as there) or "bootstrap" (its final state counts by its value). The result, for each iteration: `episode_return`, the mean
## over the episodes that ended in it (0 if none did), and their number `episodes`, [total_timesteps // (num_envs * num_steps)] each; the weights `w`
## at the end; and `states`, the environments' after each iteration, records of [iterations, num_envs, ...], a wrapper's fields among them
## (`run.states.seen`). An error: num_envs, num_steps, update_epochs < 1; num_minibatches outside of 1..=num_envs * num_steps; total_timesteps <
## num_envs * num_steps; another timeout than "terminal" and "bootstrap"; a net that gives other than `actions` numbers; `actions` unlike E's.
fn pqn(E: env, net, actions: int, total_timesteps: int, num_envs: int, num_steps: int,
  num_minibatches: int, update_epochs: int,
  learning_rate = 2.5e-4, gamma = 0.99, q_lambda = 0.65, start_e = 1.0, end_e = 0.05,
  exploration_fraction = 0.5, max_grad_norm = 10.0, timeout = "terminal") {
  param batch_size     = require(num_envs * num_steps, num_envs >= 1 and num_steps >= 1,
    "num_envs and num_steps are at least 1")
  param minibatch_size = require(batch_size // num_minibatches,
    num_minibatches >= 1 and num_minibatches <= batch_size,
    "num_minibatches is from 1 to num_envs * num_steps")
  param num_iterations = require(total_timesteps // batch_size, total_timesteps >= batch_size,
    "total_timesteps is at least num_envs * num_steps")
  param num_updates    = require(update_epochs * num_minibatches, update_epochs >= 1,
    "update_epochs is at least 1")
  index i in 0..num_iterations
  index e in 0..update_epochs
  index u in 0..num_updates
  index b in 0..num_envs
  index t in 0..num_steps
  index m in 0..minibatch_size
  fn values(w, x) = sized(net(w, x))
  fn sized(y) = require(y, len(y) == actions, "net gives as many numbers as there are actions")

  # The rollout, with a random action with probability ε.
  s[0, b, 0]       ~ E.reset()
  s[i+1, b, 0]     = s[i, b, num_steps]
  obs[i, b, t in 0..=num_steps] = E.observe(s)
  q[i, b, t in 0..=num_steps] = values(w[i, 0], obs)
  best[i, b, t in 0..=num_steps] = max(q)
  ε[i]             = linear(start_e, end_e, i / (exploration_fraction * num_iterations))
  explore[i, b, t] ~ Bernoulli(ε)
  random[i, b, t]  ~ Discrete(choices_of(E, actions))
  a[i, b, t]       = if explore then random else argmax(q, axis = -1)
  (s[i, b, t+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[i, b, t]    = terminated or truncated
  reward[i, b, t]  = if require(timeout, timeout == "terminal" or timeout == "bootstrap",
    "timeout is terminal or bootstrap") == "bootstrap"
    then bootstrapped(r, max(values(w[i, 0], last)), terminated, truncated, gamma) else r
  target[i, b, t]  = td_lambda(reward, best, done, gamma, q_lambda)

  # Every epoch goes through all samples in its own order, a minibatch after the other.
  order[i, e] ~ Permutation(batch_size)
  j[i, u, m]  = order[i, u//num_minibatches][(u%num_minibatches)*minibatch_size+m]
  x[i, u, m]  = detach(obs[i, j%num_envs, j//num_envs])
  y[i, u, m]  = detach(target[i, j%num_envs, j//num_envs])
  loss[i, u]  = mean((take_last(values(w, x), a[i, j%num_envs, j//num_envs]) - y)^2 for m)

  w[0, 0]                  ~ net.init()
  opt[0, 0]                = RAdam.init(w[0, 0])
  (w[i, u+1], opt[i, u+1]) = RAdam.step(w, opt, clip_by_global_norm(grad(loss, w), max_grad_norm),
    linear(learning_rate, 0.0, i / num_iterations))
  w[i+1, 0]                = w[i, num_updates]
  opt[i+1, 0]              = opt[i, num_updates]

  G[i, b, t]        = gained(r, done)
  episodes[i]       = sum(done for b, t)
  episode_return[i] = sum(G for b, t if done) / max(episodes, 1)
  { episode_return = episode_return[0..num_iterations], episodes = episodes[0..num_iterations],
    w = w[num_iterations, 0], states = s[1..num_iterations+1, 0..num_envs, 0] }
}
