use std.algorithms.checks.{first_round, rounds_of}
use std.algorithms.evaluate.{better, first_kept, spacing, unscored}
use std.nn.scalar
use std.optim.{Adam, polyak}

## Twin delayed deep deterministic policy gradient (Fujimoto, van Hoof and Meger, 2018), as in CleanRL's td3_continuous_action.py, whose names the
## arguments have; one environment and one gradient step a step. `actor` is a module from observations, f32[n], to actions in [-1, 1], f32[actions],
## `critic` one from both, f32[n + actions], to f32[1]; the environment gets action_scale times the action. The actor and the target networks move
## every policy_frequency steps. Exploration is normal noise, or, if `correlated`, an Ornstein-Uhlenbeck process (θ 0.15, dt 0.01) of that scale,
## which begins anew with an episode. A time limit is bootstrapped from. The result, for each step: `reward` and `done`, [total_timesteps] each; `w`,
## the actor's weights at the end; `best`, of its weights after every evaluation_frequency steps those for which `score`, a function from weights to
## f32, is the highest (std.algorithms.evaluate); and `states`, the environment's after each step, records of [total_timesteps, ...], a wrapper's
## fields among them (`run.states.seen`). An error: batch_size, policy_frequency, evaluation_frequency < 1; a batch larger than the buffer holds when
## learning starts; learning_starts outside of 0..total_timesteps; an actor that gives another shape than an action has; a critic that gives other
## than one number.
fn td3(E: env, actor, critic, actions: int, total_timesteps: int, buffer_size: int, batch_size: int,
  learning_starts: int,
  learning_rate = 1e-3, gamma = 0.99, tau = 0.005, exploration_noise = 0.1, policy_noise = 0.2,
  noise_clip = 0.5, policy_frequency = 2,
  twin = true, correlated = false, action_scale = 1.0, evaluation_frequency = total_timesteps,
  score = unscored) {
  param first = first_round(learning_starts, 1, batch_size, buffer_size)
  param steps = rounds_of(total_timesteps, learning_starts, 1)
  param every = spacing(evaluation_frequency, 1, first, steps)
  param delay = require(policy_frequency, policy_frequency >= 1, "policy_frequency is at least 1")
  index n in 0..steps
  index l in first..steps  # those that learn
  index k in 0..require(batch_size, batch_size >= 1, "batch_size is at least 1")
  fn act(w, x) = sized(actor(w, x))
  fn sized(y) = require(y, len(y) == actions, "actor gives as many numbers as an action has")
  fn value(q, x, a) = scalar(critic(q, concat(x, a)))
  fn least(q, x, a) = if twin then minimum(value(q.a, x, a), value(q.b, x, a)) else value(q.a, x, a)

  # A step; random ones before learning starts.
  s[0]        ~ E.reset()
  obs[n]      = E.observe(s)
  white[n]    ~ Normal(zeros([actions]), 1.0)
  noise[n]    = if correlated then 0.9985 * before + 0.1 * exploration_noise * white
    else exploration_noise * white
  random[n]   ~ Uniform(zeros([actions]) - 1.0, zeros([actions]) + 1.0)
  a[n]        = if n < first then random else clip(act(w[max(n, first)], obs) + noise, -1.0, 1.0)
  (s[n+1], r, terminated, truncated, last) ~ E.autoreset(s, action_scale * a)
  done[n]     = terminated or truncated
  before[0]   = zeros([actions])
  before[n+1] = if done then zeros([actions]) else noise

  # A batch of the past, all of it equally likely; the target policy's actions are smoothed.
  j[l, k]      ~ UniformInt(max(0, l + 1 - buffer_size), l + 1)
  x[l, k]      = detach(obs[j])
  b[l, k]      = detach(a[j])
  after[l, k]  = detach(last[j])
  smooth[l, k] ~ Normal(zeros([actions]), policy_noise)
  next[l, k]   = clip(act(slow.w, after) + clip(smooth, -noise_clip, noise_clip), -1.0, 1.0)
  y[l, k]      = r[j] + (if terminated[j] then 0.0 else gamma * least(slow.q, after, next))
  q_loss[l]    = mean((value(q.a, x, b) - detach(y))^2 +
    (if twin then (value(q.b, x, b) - detach(y))^2 else 0.0) for k)
  w_loss[l]    = -mean(value(detach(q[l+1]).a, x, act(w, x)) for k)

  q[first]             ~ { a = critic.init(), b = critic.init() }
  w[first]             ~ actor.init()
  slow[first]          = { q = q[first], w = w[first] }
  opt_q[first]         = Adam.init(q[first])
  opt_w[first]         = Adam.init(w[first])
  (q[l+1], opt_q[l+1]) = Adam.step(q, opt_q, grad(q_loss, q), learning_rate)
  (w[l+1], opt_w[l+1]) = Adam.step(w, opt_w, grad(w_loss, w), learning_rate) where l % delay == 0
  (w[l+1], opt_w[l+1]) = (w, opt_w) where l % delay != 0
  slow[l+1]            = polyak(slow, { q = q[l+1], w = w[l+1] }, tau) where l % delay == 0
  slow[l+1]            = slow where l % delay != 0
  kept[first]          = first_kept(w[first])
  kept[l+1]            = better(kept, w[l+1], score(w[l+1])) where (l + 1) % every == 0
  kept[l+1]            = kept where (l + 1) % every != 0
  { reward = r[0..steps], done = done[0..steps], w = w[steps], best = kept[steps].w,
    states = s[1..steps+1] }
}

## Deep deterministic policy gradient (Lillicrap et al., 2016, algorithm 1): TD3 with one critic, no delay, no smoothing. Arguments, errors and result
## as td3's: `actor` gives f32[actions], `critic` f32[1].
fn ddpg(E: env, actor, critic, actions: int, total_timesteps: int, buffer_size: int,
  batch_size: int, learning_starts: int,
  learning_rate = 1e-3, gamma = 0.99, tau = 0.005, exploration_noise = 0.1, correlated = false,
  action_scale = 1.0, evaluation_frequency = total_timesteps, score = unscored) =
  td3(E, actor, critic, actions, total_timesteps, buffer_size, batch_size, learning_starts,
    learning_rate, gamma, tau, exploration_noise,
    policy_noise = 0.0, noise_clip = 0.0, policy_frequency = 1, twin = false,
    correlated = correlated, action_scale = action_scale,
    evaluation_frequency = evaluation_frequency, score = score)
