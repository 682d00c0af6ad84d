use std.algorithms.checks.of_action
use std.algorithms.episodes.gained
use std.nn.scalar
use std.returns.{gae, bootstrapped}
use std.optim.{RMSProp, clip_by_global_norm}

## Advantage actor-critic (Mnih et al., 2016, in the synchronous form of OpenAI baselines), with the defaults of Stable-Baselines3. `Actor` is a
## policy over observations, `critic` a module from observations to f32[1]. With ent_coef = 0.0 the policy needs no entropy. `timeout` is "terminal"
## or "bootstrap" (a time limit's final state counts by its value). The result, for each iteration: `episode_return`, the mean over the episodes that
## ended in it (0 if none did), and their number `episodes`, [total_timesteps // (num_envs * num_steps)] each; `w`, the weights { actor, critic } at
## the end; and `states`, the environments' after each iteration, records of [iterations, num_envs, ...], a wrapper's fields among them
## (`run.states.seen`). An error: num_envs, num_steps < 1; total_timesteps < num_envs * num_steps; another timeout than "terminal" and "bootstrap"; a
## policy whose log_prob, or a critic whose value, is not one number.
fn a2c(E: env, Actor, critic, total_timesteps: int, num_envs: int, num_steps: int,
  learning_rate = 7e-4, gamma = 0.99, gae_lambda = 1.0,
  ent_coef = 0.0, vf_coef = 0.5, max_grad_norm = 0.5, timeout = "bootstrap") {
  param steps_at_once  = require(num_envs * num_steps, num_envs >= 1 and num_steps >= 1,
    "num_envs and num_steps are at least 1")
  param num_iterations = require(total_timesteps // steps_at_once, total_timesteps >= steps_at_once,
    "total_timesteps is at least num_envs * num_steps")
  index i in 0..num_iterations
  index b in 0..num_envs
  index t in 0..num_steps

  s[0, b, 0]         ~ E.reset()
  s[i+1, b, 0]       = s[i, b, num_steps]
  obs[i, b, t in 0..=num_steps] = E.observe(s)
  v[i, b, t in 0..=num_steps] = scalar(critic(w[i].critic, obs))
  pi[i, b, t]        = Actor(w[i].actor, obs)
  a                  ~ pi
  (s[i, b, t+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[i, b, t]      = terminated or truncated
  reward[i, b, t]    = if require(timeout, timeout == "terminal" or timeout == "bootstrap",
    "timeout is terminal or bootstrap") == "bootstrap"
    then bootstrapped(r, scalar(critic(w[i].critic, last)), terminated, truncated, gamma) else r
  advantage[i, b, t] = detach(gae(reward, v, done, gamma, gae_lambda))
  loss[i]            = mean(-of_action(pi.log_prob(a)) * advantage -
    (if ent_coef == 0.0 then 0.0 else ent_coef * pi.entropy()) +
    vf_coef * (v - detach(advantage + v))^2 for b, t)

  w[0]               ~ { actor = Actor.init(), critic = critic.init() }
  opt[0]             = RMSProp(decay = 0.99, eps = 1e-5, inside = true).init(w[0])
  (w[i+1], opt[i+1]) = RMSProp(decay = 0.99, eps = 1e-5, inside = true).step(w, opt,
    clip_by_global_norm(grad(loss, w), max_grad_norm), learning_rate)

  G[i, b, t]        = gained(r, done)
  episodes[i]       = sum(done for b, t)
  episode_return[i] = sum(G for b, t if done) / max(episodes, 1)
  { episode_return = episode_return[0..num_iterations], episodes = episodes[0..num_iterations],
    w = w[num_iterations], states = s[1..num_iterations+1, 0..num_envs, 0] }
}
