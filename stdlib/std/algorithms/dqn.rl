use std.losses.huber
use std.optim.{Adam, clip_by_global_norm, linear}

## Deep Q-learning (Mnih et al., 2015) with uniform replay, as in CleanRL's dqn.py, whose names the arguments have. `net` is a module from observations
## to action values, f32[actions] (std.nn.Dueling makes it a dueling one). `double` lets the online network choose the target's action (van Hasselt et
## al., 2016), `n_steps` sums that many rewards before the target's value, `clipped_error` takes Huber's loss instead of the square. A time limit is
## bootstrapped from. The result, for each of rounds = total_timesteps // train_frequency rounds of steps and one update: `returns` and `episodes`, the
## summed returns and the number of the episodes that ended in it, [rounds] each; and the weights `w` at the end.
fn dqn(E: env, net, actions: int, total_timesteps: int, buffer_size: int, batch_size: int,
  learning_starts: int, train_frequency: int,
  target_network_frequency: int, gradient_steps = 1, learning_rate = 2.5e-4, gamma = 0.99,
  start_e = 1.0, end_e = 0.05,
  exploration_fraction = 0.5, double = false, n_steps = 1, clipped_error = false,
  max_grad_norm = 1e9) {
  param F      = train_frequency
  param rounds = total_timesteps // F
  param first  = learning_starts // F  # the first round that learns
  param period = target_network_frequency // F
  index v in 0..rounds
  index c in 0..F  # the steps of a round
  index g in 0..gradient_steps
  index k in 0..batch_size
  index d in 0..n_steps

  # A step, with a random action with probability ε.
  s[0, 0]       ~ E.reset()
  s[v+1, 0]     = s[v, F]
  obs[v, c]     = E.observe(s)
  ε[v, c]       = linear(start_e, end_e, (F * v + c) / (exploration_fraction * total_timesteps))
  explore[v, c] ~ Bernoulli(ε)
  random[v, c]  ~ Discrete(actions)
  a[v, c]       = if explore then random else argmax(net(w[max(v, first), 0], obs), axis = -1)
  (s[v, c+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[v, c]    = terminated or truncated

  # Replay: of the last buffer_size steps, all equally likely, and the n_steps from each on, as long as its episode lasts.
  j[v in first..rounds, g, k] ~ UniformInt(max(0, F * (v + 1) - buffer_size),
    F * (v + 1) - (n_steps - 1))
  go[v in first..rounds, g, k, 0] = true
  R[v in first..rounds, g, k, 0] = 0.0
  go[v in first..rounds, g, k, d+1] = go and not done[(j+d)//F, (j+d)%F]
  R[v in first..rounds, g, k, d+1] = R + (if go then gamma^d * r[(j+d)//F, (j+d)%F] else 0.0)
  stop[v in first..rounds, g, k] = clip(j + sum(go for d) - 1, max(0, F * (v + 1) - buffer_size),
    F * (v + 1) - 1)
  after[v in first..rounds, g, k] = last[stop//F, stop%F]
  weight[v in first..rounds, g, k] = if terminated[stop//F, stop%F] then 0.0
    else gamma^(stop - j + 1)
  best[v in first..rounds, g, k] = if double
    then take_last(net(target, after), argmax(net(w, after), axis = -1))
    else max(net(target, after))
  error[v in first..rounds, g, k] = take_last(net(w, detach(obs[j//F, j%F])), a[j//F, j%F]) -
    detach(R[d: n_steps] + weight * best)
  loss[v in first..rounds, g] = mean((if clipped_error then huber(error) else error^2) for k)

  w[first, 0]   ~ net.init()
  opt[first, 0] = Adam.init(w[first, 0])
  (w[v in first..rounds, g+1], opt[v in first..rounds, g+1]) = Adam.step(w, opt,
    clip_by_global_norm(grad(loss, w), max_grad_norm), learning_rate)
  w[v+1, 0]     = w[v, gradient_steps] where v >= first
  opt[v+1, 0]   = opt[v, gradient_steps] where v >= first
  target[first] = w[first, 0]
  target[v+1]   = (if (v + 1) % period == 0 then w[v+1, 0] else target) where v >= first

  so_far[0, 0]   = 0.0
  so_far[v, c+1] = if done then 0.0 else so_far + r
  so_far[v+1, 0] = so_far[v, F]
  returns[v]     = sum(so_far + r for c if done)
  episodes[v]    = sum(done for c)
  { returns = returns[0..rounds], episodes = episodes[0..rounds], w = w[rounds, 0] }
}
