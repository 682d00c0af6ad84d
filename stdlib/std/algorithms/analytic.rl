use std.algorithms.checks.{first_round, rounds_of}
use std.algorithms.episodes.gained
use std.nn.scalar
use std.optim.{Adam, clip_by_global_norm, polyak}

## Analytic policy gradient: stochastic value gradients with experience replay (Heess et al., 2015, SVG(∞) cut by a value as in Xu et al., 2022), the
## physics of a differentiable environment itself being the model. One environment is played; every train_frequency steps a batch of the states it
## went through is played on for `horizon` steps, and the gradient of the rewards and of the last state's value goes back through those steps. The
## value learns from the same rewards. `actor` is a module from observations, f32[n], to actions in [-1, 1], f32[actions], `critic` one from
## observations to f32[1]; the environment gets action_scale times the action, with normal exploration noise of that scale, and a time limit is
## bootstrapped from. horizon >= 1. The result, for each of rounds = total_timesteps // train_frequency rounds of steps and one update: `returns` and
## `episodes`, the summed returns and the number of the episodes that ended in it, [rounds] each; `w`, the actor's weights at the end; and `states`,
## the environment's after each round, records of [rounds, ...], a wrapper's fields among them (`run.states.seen`). A round evaluates the physics
## batch_size * horizon times beyond its own steps. An error: train_frequency, horizon, batch_size < 1; a batch larger than the buffer holds when
## learning starts; learning_starts outside of 0..total_timesteps; an actor that gives another shape than an action has; a critic that gives other
## than one number.
fn analytic_policy_gradient(E: env, actor, critic, actions: int, total_timesteps: int,
  buffer_size: int, batch_size: int, learning_starts: int, train_frequency: int, horizon: int,
  learning_rate = 1e-3, gamma = 0.98, tau = 0.02, exploration_noise = 0.1, action_scale = 1.0,
  reward_scale = 1.0, max_grad_norm = 1.0) {
  param F      = require(train_frequency, train_frequency >= 1, "train_frequency is at least 1")
  param rounds = rounds_of(total_timesteps, learning_starts, F)
  param ahead  = require(horizon, horizon >= 1, "horizon is at least 1")
  param first  = first_round(learning_starts, F, batch_size, buffer_size)  # the first round that learns
  index v in 0..rounds
  index l in first..rounds  # those that learn
  index c in 0..F           # the steps of a round
  index k in 0..require(batch_size, batch_size >= 1, "batch_size is at least 1")
  index t in 0..ahead
  fn act(w, x) = sized(actor(w, x))
  fn sized(y) = require(y, len(y) == actions, "actor gives as many numbers as an action has")

  # A step; random ones before learning starts.
  s[0, 0]      ~ E.reset()
  s[v+1, 0]    = s[v, F]
  noise[v, c]  ~ Normal(zeros([actions]), exploration_noise)
  random[v, c] ~ Uniform(zeros([actions]) - 1.0, zeros([actions]) + 1.0)
  a[v, c]      = if v < first then random
    else clip(act(w[max(v, first)], E.observe(s)) + noise, -1.0, 1.0)
  (s[v, c+1], r, terminated, truncated, last) ~ E.autoreset(s, action_scale * a)
  done[v, c]   = terminated or truncated

  # From states of the past on, by the policy of now.
  j[l, k]          ~ UniformInt(max(0, F * (l + 1) - buffer_size), F * (l + 1))
  z[l, k, 0]       = detach(s[j//F, j%F])
  (z[l, k, t+1], gain, over, cut) = E.step(z,
    action_scale * act(w, E.observe(z)))
  alive[l, k, 0]   = 1.0
  alive[l, k, t+1] = if over then 0.0 else alive
  y[l, k]          = sum(gamma^t * reward_scale * gain * alive for t) +
    gamma^horizon * alive[t: horizon] * scalar(critic(target, E.observe(z[t: horizon])))
  w_loss[l]        = -mean(y for k)
  q_loss[l]        = mean((scalar(critic(q, E.observe(z[t: 0]))) - detach(y))^2 for k)

  w[first]             ~ actor.init()
  q[first]             ~ critic.init()
  target[first]        = q[first]
  opt_w[first]         = Adam.init(w[first])
  opt_q[first]         = Adam.init(q[first])
  (w[l+1], opt_w[l+1]) = Adam.step(w, opt_w, clip_by_global_norm(grad(w_loss, w), max_grad_norm),
    learning_rate)
  (q[l+1], opt_q[l+1]) = Adam.step(q, opt_q, grad(q_loss, q), learning_rate)
  target[l+1]          = polyak(target, q[l+1], tau)

  G[v, c]     = gained(r, done, i = v, t = c)
  returns[v]  = sum(G for c if done)
  episodes[v] = sum(done for c)
  { returns = returns[0..rounds], episodes = episodes[0..rounds], w = w[rounds],
    states = s[1..rounds+1, 0] }
}
