use std.algorithms.checks.of_action
use std.algorithms.episodes.gained
use std.nn.scalar
use std.returns.{bootstrapped, gae}
use std.losses.{clipped_surrogate, clipped_value}
use std.optim.{Adam, clip_by_global_norm, linear}

## PPO with memory (Schulman et al., 2017; Hausknecht and Stone, 2015): as ppo, but a recurrent `core`, std.nn.GRU or LSTM say, turns observations
## into features, f32[n], which `Actor`, a policy, and `critic`, a module to f32[1], see: `core.initial()` is its state when an episode begins,
## core(w, obs, state) the next one, `core.features(state)` what it shows of it. Gradients go back through time to the beginning of an episode or of a
## rollout; an epoch takes all sequences, in num_minibatches parts of as many environments each, as CleanRL's ppo_atari_lstm.py. `norm_adv` normalizes
## advantages in each minibatch (by the deviation over n), `anneal_lr` lets the learning rate fall to 0. With ent_coef = 0.0 the policy needs no
## entropy. `timeout` is "terminal" (a time limit is an end) or "bootstrap" (its final state counts by its value). The result, for each iteration:
## `episode_return`, the mean over the episodes that ended in it (0 if none did), and their number `episodes`, [total_timesteps // (num_envs *
## num_steps)] each; `w`, the weights { core, actor, critic } at the end; and `states`, the environments' after each iteration, records of
## [iterations, num_envs, ...], a wrapper's fields among them (`run.states.seen`). An error: num_envs, num_steps, update_epochs < 1; num_minibatches
## that does not divide num_envs; total_timesteps < num_envs * num_steps; another timeout than "terminal" and "bootstrap"; a policy whose log_prob, or
## a critic whose value, is not one number.
fn recurrent_ppo(E: env, core, Actor, critic, total_timesteps: int, num_envs: int, num_steps: int,
  update_epochs: int,
  learning_rate = 1e-3, gamma = 0.99, gae_lambda = 0.95, clip_coef = 0.2, ent_coef = 0.01,
  vf_coef = 0.5, max_grad_norm = 0.5, num_minibatches = 1, anneal_lr = true, norm_adv = true,
  timeout = "terminal") {
  param steps_at_once  = require(num_envs * num_steps, num_envs >= 1 and num_steps >= 1,
    "num_envs and num_steps are at least 1")
  param num_iterations = require(total_timesteps // steps_at_once, total_timesteps >= steps_at_once,
    "total_timesteps is at least num_envs * num_steps")
  param parts          = require(num_minibatches,
    num_minibatches >= 1 and num_minibatches <= num_envs and num_envs % num_minibatches == 0,
    "num_minibatches divides num_envs")
  param num_updates    = require(update_epochs * parts, update_epochs >= 1,
    "update_epochs is at least 1")
  index i in 0..num_iterations
  index e in 0..update_epochs
  index u in 0..num_updates  # the gradient steps of an iteration
  index b in 0..num_envs
  index k in 0..num_envs//parts  # the environments of a minibatch
  index t in 0..num_steps

  # The rollout; the memory h starts anew with each episode.
  s[0, b, 0]        ~ E.reset()
  s[i+1, b, 0]      = s[i, b, num_steps]
  h[0, b, 0]        = core.initial()
  h[i+1, b, 0]      = h[i, b, num_steps]
  obs[i, b, t in 0..=num_steps] = E.observe(s)
  x[i, b, t in 0..=num_steps] = core(w[i, 0].core, obs, h)
  v[i, b, t in 0..=num_steps] = scalar(critic(w[i, 0].critic, core.features(x)))
  pi[i, b, t]       = Actor(w[i, 0].actor, core.features(x))
  a                 ~ pi
  log_prob[i, b, t] = of_action(pi.log_prob(a))
  (s[i, b, t+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[i, b, t]     = terminated or truncated
  h[i, b, t+1]      = if done then core.initial() else x
  reward[i, b, t]   = if require(timeout, timeout == "terminal" or timeout == "bootstrap",
    "timeout is terminal or bootstrap") == "bootstrap"
    then bootstrapped(r,
      scalar(critic(w[i, 0].critic, core.features(core(w[i, 0].core, last, x)))), terminated,
      truncated, gamma)
    else r
  A[i, b, t]        = gae(reward, v, done, gamma, gae_lambda)

  # The same sequences with the weights of now. Every epoch goes through all environments in its own order, a minibatch after the other.
  order[i, e]       ~ Permutation(num_envs)
  j[i, u, k]        = if parts == 1 then k else order[i, u//parts][(u%parts)*(num_envs//parts)+k]
  m[i, u, k, 0]     = detach(h[i, j, 0])
  y[i, u, k, t]     = core(w.core, detach(obs[i, j, t]), m)
  m[i, u, k, t+1]   = if detach(done[i, j, t]) then core.initial() else y
  new[i, u, k, t]   = Actor(w.actor, core.features(y))
  value[i, u, k, t] = scalar(critic(w.critic, core.features(y)))
  N[i, u, k, t]     = if norm_adv then (A[i, j, t] - mean(A[i, j, t] for k, t)) /
    (std(A[i, j, t] for k, t) + 1e-8)
    else A[i, j, t]
  surrogate[i, u]   = mean(
    clipped_surrogate(new.log_prob(a[i, j, t]) - detach(log_prob[i, j, t]), detach(N), clip_coef)
    for k, t)
  v_loss[i, u]      = mean(
    clipped_value(value, detach(v[i, j, t]), detach(A[i, j, t] + v[i, j, t]), clip_coef) for k, t)
  loss[i, u]        = surrogate + vf_coef * v_loss -
    (if ent_coef == 0.0 then 0.0 else ent_coef * mean(new.entropy() for k, t))

  w[0, 0]                  ~ { core = core.init(), actor = Actor.init(), critic = critic.init() }
  opt[0, 0]                = Adam(eps = 1e-5).init(w[0, 0])
  (w[i, u+1], opt[i, u+1]) = Adam(eps = 1e-5).step(w, opt,
    clip_by_global_norm(grad(loss, w), max_grad_norm),
    if anneal_lr then linear(learning_rate, 0.0, i / num_iterations) else learning_rate)
  w[i+1, 0]                = w[i, num_updates]
  opt[i+1, 0]              = opt[i, num_updates]

  G[i, b, t]        = gained(r, done)
  episodes[i]       = sum(done for b, t)
  episode_return[i] = sum(G for b, t if done) / max(episodes, 1)
  { episode_return = episode_return[0..num_iterations], episodes = episodes[0..num_iterations],
    w = w[num_iterations, 0], states = s[1..num_iterations+1, 0..num_envs, 0] }
}
