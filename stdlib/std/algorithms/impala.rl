use std.algorithms.checks.of_action
use std.algorithms.episodes.gained
use std.nn.scalar
use std.returns.{bootstrapped, v_trace}
use std.optim.{RMSProp, clip_by_global_norm, linear}

## Importance-weighted actor-learner (Espeholt et al., 2018, equation 1): actors play with weights that are `lag` iterations old, and V-trace corrects
## for that. `Actor` is a policy over observations, `critic` a module from observations to f32[1]. With ent_coef = 0.0 the policy needs no entropy.
## `timeout` is "terminal" (a time limit is an end) or "bootstrap". max_grad_norm is of the gradient of a mean over the steps (the paper's 40 is of a
## sum). The result, for each iteration: `episode_return`, the mean over the episodes that ended in it (0 if none did), and their number `episodes`,
## [total_timesteps // (num_envs * num_steps)] each; `w`, the weights { actor, critic } at the end; and `states`, the environments' after each
## iteration, records of [iterations, num_envs, ...], a wrapper's fields among them (`run.states.seen`). An error: num_envs, num_steps < 1;
## total_timesteps < num_envs * num_steps; lag < 0; another timeout than "terminal" and "bootstrap"; a policy whose log_prob, or a critic whose value,
## is not one number.
fn impala(E: env, Actor, critic, total_timesteps: int, num_envs: int, num_steps: int, lag: int,
  learning_rate = 1e-3, gamma = 0.99,
  lambda = 1.0, ent_coef = 0.01, vf_coef = 0.5, max_grad_norm = 0.5, timeout = "bootstrap") {
  param steps_at_once  = require(num_envs * num_steps, num_envs >= 1 and num_steps >= 1,
    "num_envs and num_steps are at least 1")
  param num_iterations = require(total_timesteps // steps_at_once, total_timesteps >= steps_at_once,
    "total_timesteps is at least num_envs * num_steps")
  param behind         = require(lag, lag >= 0, "lag is at least 0")
  index i in 0..num_iterations
  index b in 0..num_envs
  index t in 0..num_steps

  # The actors, with old weights.
  s[0, b, 0]    ~ E.reset()
  s[i+1, b, 0]  = s[i, b, num_steps]
  obs[i, b, t in 0..=num_steps] = E.observe(s)
  μ[i, b, t]    = Actor(w[max(0, i-behind)].actor, obs)
  a             ~ μ
  (s[i, b, t+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[i, b, t] = terminated or truncated

  # The learner, with the newest.
  v[i, b, t in 0..=num_steps] = scalar(critic(w.critic, detach(obs)))
  pi[i, b, t]        = Actor(w.actor, detach(obs))
  ratio[i, b, t]     = exp(of_action(pi.log_prob(a)) - of_action(μ.log_prob(a)))
  reward[i, b, t]    = if require(timeout, timeout == "terminal" or timeout == "bootstrap",
    "timeout is terminal or bootstrap") == "bootstrap"
    then bootstrapped(r, scalar(critic(w.critic, detach(last))), terminated, truncated, gamma)
    else r
  target[i, b, t]    = detach(v_trace(reward, v, done, ratio, gamma, lambda))
  next[i, b, t]      = if t == num_steps - 1 then detach(v[t+1]) else target[t+1]
  advantage[i, b, t] = minimum(ratio, 1.0) * (reward + gamma * (if done then 0.0 else next) - v)
  loss[i]            = mean(-of_action(pi.log_prob(a)) * detach(advantage) -
    (if ent_coef == 0.0 then 0.0 else ent_coef * pi.entropy()) +
    vf_coef * (v - target)^2 for b, t)

  w[0]               ~ { actor = Actor.init(), critic = critic.init() }
  opt[0]             = RMSProp(decay = 0.99, eps = 1e-3).init(w[0])
  (w[i+1], opt[i+1]) = RMSProp(decay = 0.99, eps = 1e-3).step(w, opt,
    clip_by_global_norm(grad(loss, w), max_grad_norm),
    linear(learning_rate, 0.0, i / num_iterations))

  G[i, b, t]        = gained(r, done)
  episodes[i]       = sum(done for b, t)
  episode_return[i] = sum(G for b, t if done) / max(episodes, 1)
  { episode_return = episode_return[0..num_iterations], episodes = episodes[0..num_iterations],
    w = w[num_iterations], states = s[1..num_iterations+1, 0..num_envs, 0] }
}
