use std.algorithms.checks.{choices_of, first_round, rounds_of, takeover}
use std.algorithms.episodes.gained
use std.losses.{atoms, cross_entropy, project}
use std.optim.{Adam, linear}

## Categorical deep Q-learning (Bellemare et al., 2017, algorithm 1), as in CleanRL's c51.py, whose names the arguments have. `net` is a module from
## observations to f32[actions * n_atoms], the logits of a distribution over n_atoms values from v_min to v_max for each action. A time limit is
## bootstrapped from. The result, for each of rounds = total_timesteps // train_frequency rounds of steps and one update: `returns` and `episodes`,
## the summed returns and the number of the episodes that ended in it, [rounds] each; the weights `w` at the end; and `states`, the environment's
## after each round, records of [rounds, ...], a wrapper's fields among them (`run.states.seen`). An error: train_frequency, batch_size < 1; n_atoms <
## 2; target_network_frequency < train_frequency; a batch larger than the buffer holds when learning starts; learning_starts outside of
## 0..total_timesteps; another shape of net(w, x); `actions` unlike E's.
fn c51(E: env, net, actions: int, total_timesteps: int, buffer_size: int, batch_size: int,
  learning_starts: int, train_frequency: int,
  target_network_frequency: int, n_atoms = 101, v_min = -100.0, v_max = 100.0,
  learning_rate = 2.5e-4, gamma = 0.99, start_e = 1.0,
  end_e = 0.05, exploration_fraction = 0.5) {
  param F      = require(train_frequency, train_frequency >= 1, "train_frequency is at least 1")
  param rounds = rounds_of(total_timesteps, learning_starts, F)
  param first  = first_round(learning_starts, F, batch_size, buffer_size)  # the first round that learns
  param period = takeover(target_network_frequency, F)
  param N      = require(n_atoms, n_atoms >= 2, "n_atoms is at least 2")
  index v in 0..rounds
  index l in first..rounds  # those that learn
  index c in 0..F           # the steps of a round
  index k in 0..require(batch_size, batch_size >= 1, "batch_size is at least 1")
  z = atoms(v_min, v_max, N)
  fn sized(y) = require(y, len(y) == actions * N, "net gives actions * n_atoms numbers")
  fn logits(w, x) = reshape(sized(net(w, x)), [actions, N])
  fn values(w, x) = softmax(logits(w, x)) @ z

  # A step, with a random action with probability ε.
  s[0, 0]       ~ E.reset()
  s[v+1, 0]     = s[v, F]
  obs[v, c]     = E.observe(s)
  ε[v, c]       = linear(start_e, end_e, (F * v + c) / (exploration_fraction * total_timesteps))
  explore[v, c] ~ Bernoulli(ε)
  random[v, c]  ~ Discrete(choices_of(E, actions))
  a[v, c]       = if explore then random else argmax(values(w[max(v, first)], obs), axis = -1)
  (s[v, c+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[v, c]    = terminated or truncated

  # Replay: of the last buffer_size steps, all equally likely. The target is the best action's distribution, shifted by the reward.
  j[l, k]     ~ UniformInt(max(0, F * (l + 1) - buffer_size), F * (l + 1))
  after[l, k] = last[j//F, j%F]
  best[l, k]  = softmax(logits(target, after))[argmax(values(target, after), axis = -1)]
  y[l, k]     = project(best, z, r[j//F, j%F], terminated[j//F, j%F], gamma)
  x[l, k]     = logits(w, detach(obs[j//F, j%F]))[a[j//F, j%F]]
  loss[l]     = mean(cross_entropy(detach(y), x) for k)

  w[first]           ~ net.init()
  opt[first]         = Adam(eps = 0.01 / batch_size).init(w[first])
  (w[l+1], opt[l+1]) = Adam(eps = 0.01 / batch_size).step(w, opt, grad(loss, w), learning_rate)
  target[first]      = w[first]
  target[l+1]        = if F * (l + 1) % period < F then w[l+1] else target

  G[v, c]     = gained(r, done, i = v, t = c)
  returns[v]  = sum(G for c if done)
  episodes[v] = sum(done for c)
  { returns = returns[0..rounds], episodes = episodes[0..rounds], w = w[rounds],
    states = s[1..rounds+1, 0] }
}
