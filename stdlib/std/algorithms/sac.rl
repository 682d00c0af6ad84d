use std.algorithms.checks.{first_round, rounds_of}
use std.algorithms.evaluate.{better, first_kept, spacing, unscored}
use std.nn.scalar
use std.optim.{Adam, polyak}

## Soft actor-critic (Haarnoja et al., 2018b) with two critics and an automatic temperature, as in Stable-Baselines3; one environment and one gradient
## step a step. `actor` is a module from observations, f32[n], to means and log standard deviations, f32[2 * actions]; `critic` one from observations
## and actions in [-1, 1], f32[n + actions], to f32[1]; the environment gets action_scale times the action. A time limit is bootstrapped from. The
## result, for each step: `reward` and `done`, [total_timesteps] each; `w`, the actor's weights at the end; `best`, of its weights after every
## evaluation_frequency steps those for which `score`, a function from weights to f32, is the highest (std.algorithms.evaluate); and `states`, the
## environment's after each step, records of [total_timesteps, ...], a wrapper's fields among them (`run.states.seen`). An error: batch_size,
## evaluation_frequency < 1; a batch larger than the buffer holds when learning starts; learning_starts outside of 0..total_timesteps; an actor that
## gives other than 2 * actions numbers; a critic that gives other than one number.
fn sac(E: env, actor, critic, actions: int, total_timesteps: int, buffer_size: int, batch_size: int,
  learning_starts: int,
  learning_rate = 1e-3, gamma = 0.99, tau = 0.005, action_scale = 1.0,
  evaluation_frequency = total_timesteps, score = unscored) {
  param first = first_round(learning_starts, 1, batch_size, buffer_size)
  param steps = rounds_of(total_timesteps, learning_starts, 1)
  param every = spacing(evaluation_frequency, 1, first, steps)
  index n in 0..steps
  index l in first..steps  # those that learn
  index k in 0..require(batch_size, batch_size >= 1, "batch_size is at least 1")
  fn policy(w, x) = squashed(sized(actor(w, x)))
  fn sized(y) = require(y, len(y) == 2 * actions, "actor gives 2 * actions numbers")
  fn squashed(y) = TanhNormal(y[0..actions], exp(clip(y[actions..2*actions], -20.0, 2.0)))
  fn value(q, x, a) = scalar(critic(q, concat(x, a)))
  fn least(q, x, a) = minimum(value(q.a, x, a), value(q.b, x, a))

  # A step; random ones before learning starts.
  s[0]      ~ E.reset()
  obs[n]    = E.observe(s)
  drawn[n]  ~ policy(w[max(n, first)], obs)
  random[n] ~ Uniform(zeros([actions]) - 1.0, zeros([actions]) + 1.0)
  a[n]      = if n < first then random else drawn
  (s[n+1], r, terminated, truncated, last) ~ E.autoreset(s, action_scale * a)
  done[n]   = terminated or truncated

  # A batch of the past, all of it equally likely.
  j[l, k]     ~ UniformInt(max(0, l + 1 - buffer_size), l + 1)
  x[l, k]     = detach(obs[j])
  after[l, k] = detach(last[j])
  next[l, k]  ~ policy(w, after).normal
  soft[l, k]  = least(target, after, tanh(next)) -
    exp(log_α) * sum(policy(w, after).log_prob_tanh(next))
  y[l, k]     = r[j] + (if terminated[j] then 0.0 else gamma * soft)
  b[l, k]     = detach(a[j])

  # Critics, then the actor by the new critics, then the temperature.
  q_loss[l]   = mean((value(q.a, x, b) - detach(y))^2 + (value(q.b, x, b) - detach(y))^2 for k)
  now[l, k]   = sized(actor(w, x))  # once: its gradient, too, then runs back through the actor once
  new[l, k]   ~ reparam(squashed(now).normal)
  log_p[l, k] = sum(squashed(now).log_prob_tanh(new))
  w_loss[l]   = mean(detach(exp(log_α)) * log_p - least(detach(q[l+1]), x, tanh(new)) for k)
  α_loss[l]   = -log_α * mean(detach(log_p) - actions for k)

  q[first]                 ~ { a = critic.init(), b = critic.init() }
  w[first]                 ~ actor.init()
  log_α[first]             = 0.0
  target[first]            = q[first]
  opt_q[first]             = Adam.init(q[first])
  opt_w[first]             = Adam.init(w[first])
  opt_α[first]             = Adam.init(log_α[first])
  (q[l+1], opt_q[l+1])     = Adam.step(q, opt_q, grad(q_loss, q), learning_rate)
  (w[l+1], opt_w[l+1])     = Adam.step(w, opt_w, grad(w_loss, w), learning_rate)
  (log_α[l+1], opt_α[l+1]) = Adam.step(log_α, opt_α, grad(α_loss, log_α), learning_rate)
  target[l+1]              = polyak(target, q[l+1], tau)
  kept[first]              = first_kept(w[first])
  kept[l+1]                = better(kept, w[l+1], score(w[l+1])) where (l + 1) % every == 0
  kept[l+1]                = kept where (l + 1) % every != 0
  { reward = r[0..steps], done = done[0..steps], w = w[steps], best = kept[steps].w,
    states = s[1..steps+1] }
}
