use std.algorithms.checks.of_action
use std.nn.scalar
use std.returns.{bootstrapped, monte_carlo, n_step}
use std.optim.{Adam, linear}

## REINFORCE (Williams, 1992, theorem 1) with a learned baseline: each iteration plays num_envs episodes of at most `horizon` steps. `Actor` is a
## policy over observations, `critic` a module from observations to f32[1]. With n_steps = 0 the return is Monte Carlo; else that many rewards and the
## critic's value. `timeout` is "terminal", the default, as in the paper, which has no critic: a time limit is an end, and so is the horizon to Monte
## Carlo; or "bootstrap": there the final state counts by the critic's value. The result: `episode_return`, the mean of each iteration's episodes,
## [iterations]; and `w`, the weights { actor, critic } at the end. Environments begin anew with each iteration, and with them what wrappers know. An
## error: iterations, num_envs, horizon < 1; n_steps < 0; another timeout than "terminal" and "bootstrap"; a policy whose log_prob, or a critic whose
## value, is not one number.
fn reinforce(E: env, Actor, critic, iterations: int, num_envs: int, horizon: int,
  learning_rate = 1e-2, gamma = 0.99, n_steps = 0, timeout = "terminal") {
  index i in 0..require(iterations, iterations >= 1, "iterations is at least 1")
  index b in 0..require(num_envs, num_envs >= 1, "num_envs is at least 1")
  index t in 0..require(horizon, horizon >= 1, "horizon is at least 1")

  s[i, b, 0]       ~ E.reset()
  obs[i, b, t in 0..=horizon] = E.observe(s)
  v[i, b, t in 0..=horizon] = scalar(critic(w.critic, obs))
  pi[i, b, t]      = Actor(w.actor, obs)
  a                ~ pi
  (s[i, b, t+1], r, terminated, truncated) = E.step(s, a)
  done[i, b, t]    = terminated or truncated
  alive[i, b, 0]   = 1.0
  alive[i, b, t+1] = if done then 0.0 else alive

  # The horizon cuts an episode as a time limit does.
  limits         = require(timeout, timeout == "terminal" or timeout == "bootstrap",
    "timeout is terminal or bootstrap") == "bootstrap"
  cut[i, b, t]   = truncated or t == horizon - 1
  ends[i, b, t]  = if limits then terminated or cut else done
  gain[i, b, t]  = if limits then bootstrapped(r, v[t+1], terminated, cut, gamma) else r
  G[i, b, t]     = if require(n_steps, n_steps >= 0, "n_steps is at least 0") == 0
    then monte_carlo(gain, ends, gamma)
    else n_step(gain, v, ends, gamma, n_steps)
  actor_loss[i]  = -mean(of_action(pi.log_prob(a)) * detach(G - v) * alive for b, t)
  critic_loss[i] = mean((detach(G) - v)^2 * alive for b, t)
  loss[i]        = actor_loss + 0.5 * critic_loss

  w[0]               ~ { actor = Actor.init(), critic = critic.init() }
  opt[0]             = Adam.init(w[0])
  (w[i+1], opt[i+1]) = Adam.step(w, opt, grad(loss, w), linear(learning_rate, 0.0, i / iterations))
  episode_return[i]  = mean(sum(r * alive for t) for b)
  { episode_return = episode_return[0..iterations], w = w[iterations] }
}
