use std.optim.{Adam, clip_by_global_norm, linear}

## Analytic policy gradient (the short-horizon actor-critic of Xu et al., 2022, without its critic): the gradient of the rewards through the physics of
## a differentiable environment, num_envs episodes of `horizon` steps at once, cut every `window` steps. `actor` is a module from observations to
## actions in [-1, 1]; the environment gets action_scale times the action. The result: `episode_return`, the mean of each iteration's
## episodes, [iterations]; and the weights `w` at the end.
fn analytic_policy_gradient(E: env, actor, iterations: int, num_envs: int, horizon: int,
  window: int, learning_rate = 1e-2, action_scale = 1.0,
  max_grad_norm = 1.0) {
  index i in 0..iterations
  index b in 0..num_envs
  index t in 0..horizon
  s[i, b, 0]         ~ E.reset()
  from[i, b, t]      = if t % window == 0 then detach(s) else s
  a[i, b, t]         = action_scale * actor(w, E.observe(from))
  (s[i, b, t+1], r, terminated, truncated) = E.step(from, a)
  loss[i]            = -mean(r for b, t)
  w[0]               ~ actor.init()
  opt[0]             = Adam.init(w[0])
  (w[i+1], opt[i+1]) = Adam.step(w, opt, clip_by_global_norm(grad(loss, w), max_grad_norm),
    linear(learning_rate, 0.0, i / iterations))
  episode_return[i]  = mean(sum(r for t) for b)
  { episode_return = episode_return[0..iterations], w = w[iterations] }
}
