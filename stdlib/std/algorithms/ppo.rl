use std.algorithms.checks.of_action
use std.algorithms.episodes.gained
use std.nn.scalar
use std.returns.{gae, bootstrapped}
use std.losses.{clipped_surrogate, clipped_value}
use std.optim.{Adam, clip_by_global_norm, linear}

## Proximal policy optimization (Schulman et al., 2017, algorithm 1), as in CleanRL's ppo.py, whose names the arguments have. `Actor` is a policy over
## observations, `critic` a module from observations to f32[1]; `norm_adv` normalizes advantages in each minibatch, `reward_scale` multiplies what is
## learned from. With ent_coef = 0.0 the policy needs no entropy. `timeout` is "terminal" (a time limit is an end, as in CleanRL) or "bootstrap". The
## result, for each iteration: `episode_return`, the mean over the episodes that ended in it (0 if none did), and their number `episodes`,
## [num_iterations] each; `w`, the weights { actor, critic } at the end; and `states`, the environments' after each iteration, records of
## [num_iterations, num_envs, ...], a wrapper's fields among them (`run.states.seen`). An error: num_envs, num_steps, update_epochs < 1;
## num_minibatches outside of 1..=num_envs * num_steps; total_timesteps < num_envs * num_steps; another timeout than "terminal" and "bootstrap"; a
## policy whose log_prob, or a critic whose value, is not one number.
fn ppo(E: env, Actor, critic, total_timesteps: int, num_envs: int, num_steps: int,
  num_minibatches: int, update_epochs: int,
  learning_rate = 2.5e-4, anneal_lr = true, gamma = 0.99, gae_lambda = 0.95, clip_coef = 0.2,
  clip_vloss = true, norm_adv = true,
  ent_coef = 0.01, vf_coef = 0.5, max_grad_norm = 0.5, timeout = "terminal", reward_scale = 1.0) {
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
  index u in 0..num_updates  # the gradient steps of an iteration
  index b in 0..num_envs
  index t in 0..num_steps
  index m in 0..minibatch_size

  # The rollout, with the weights before the iteration's first update.
  s[0, b, 0]         ~ E.reset()
  s[i+1, b, 0]       = s[i, b, num_steps]
  obs[i, b, t in 0..=num_steps] = E.observe(s)
  v[i, b, t in 0..=num_steps] = scalar(critic(w[i, 0].critic, obs))
  pi[i, b, t]        = Actor(w[i, 0].actor, obs)
  a                  ~ pi
  log_prob[i, b, t]  = of_action(pi.log_prob(a))
  (s[i, b, t+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[i, b, t]      = terminated or truncated
  reward[i, b, t]    = if require(timeout, timeout == "terminal" or timeout == "bootstrap",
    "timeout is terminal or bootstrap") == "bootstrap"
    then bootstrapped(reward_scale * r, scalar(critic(w[i, 0].critic, last)), terminated, truncated,
      gamma)
    else reward_scale * r
  advantage[i, b, t] = gae(reward, v, done, gamma, gae_lambda)
  target[i, b, t]    = advantage + v

  # Every epoch goes through all samples in its own order, a minibatch after the other.
  order[i, e]     ~ Permutation(batch_size)
  j[i, u, m]      = order[i, u//num_minibatches][(u%num_minibatches)*minibatch_size+m]
  x[i, u, m]      = obs[i, j%num_envs, j//num_envs]
  A[i, u, m]      = advantage[i, j%num_envs, j//num_envs]
  N[i, u, m]      = if norm_adv then (A - mean(A for m)) / (std(A for m, ddof = 1) + 1e-8) else A
  new[i, u, m]    = Actor(w.actor, detach(x))
  ratio[i, u, m]  = new.log_prob(a[i, j%num_envs, j//num_envs]) -
    detach(log_prob[i, j%num_envs, j//num_envs])
  value[i, u, m]  = scalar(critic(w.critic, detach(x)))
  v_loss[i, u, m] = if clip_vloss
    then clipped_value(value, detach(v[i, j%num_envs, j//num_envs]),
      detach(target[i, j%num_envs, j//num_envs]), clip_coef)
    else 0.5 * (value - detach(target[i, j%num_envs, j//num_envs]))^2
  loss[i, u]      = mean(clipped_surrogate(ratio, detach(N), clip_coef) -
    (if ent_coef == 0.0 then 0.0 else ent_coef * new.entropy()) +
    vf_coef * v_loss for m)

  w[0, 0]                  ~ { actor = Actor.init(), critic = critic.init() }
  opt[0, 0]                = Adam(eps = 1e-5).init(w[0, 0])
  lr[i]                    = if anneal_lr then linear(learning_rate, 0.0, i / num_iterations)
    else learning_rate
  (w[i, u+1], opt[i, u+1]) = Adam(eps = 1e-5).step(w, opt,
    clip_by_global_norm(grad(loss, w), max_grad_norm), lr)
  w[i+1, 0]                = w[i, num_updates]
  opt[i+1, 0]              = opt[i, num_updates]

  G[i, b, t]        = gained(r, done)
  episodes[i]       = sum(done for b, t)
  episode_return[i] = sum(G for b, t if done) / max(episodes, 1)
  { episode_return = episode_return[0..num_iterations], episodes = episodes[0..num_iterations],
    w = w[num_iterations, 0], states = s[1..num_iterations+1, 0..num_envs, 0] }
}
