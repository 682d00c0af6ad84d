use std.algorithms.checks.{choices_of, rounds_of}
use std.algorithms.episodes.gained
use std.optim.{Adam, clip_by_global_norm, linear, polyak}
use std.replay.{Sequences, unrolled_states}

## Deep Q-learning with memory (Hausknecht and Stone, 2015), from replayed sequences with stored states and burn-in, and double-Q targets, as in R2D2
## (Kapturowski et al., 2019, without its priorities). A recurrent `core`, std.nn.GRU or LSTM say (as for recurrent_ppo), turns observations into
## features, f32[n], and `head` those into action values, f32[actions]. Each update takes batch_size sequences of `length` steps, of which the first
## `burn_in` only bring the memory up to date. `timeout` is "terminal" (a time limit is an end; the default, unlike the other Q-learners') or
## "bootstrap" (its final state counts by its value). 0 <= burn_in < length - 1. The result, for each of rounds = total_timesteps // train_frequency
## rounds of steps and one update: `returns` and `episodes`, the summed returns and the number of the episodes that ended in it, [rounds] each; `w`,
## the weights { core, head } at the end; and `states`, the environment's after each round, records of [rounds, ...], a wrapper's fields among them
## (`run.states.seen`). An error: train_frequency, batch_size < 1; burn_in outside of 0..length - 1; more sequences a batch than the buffer holds when
## learning starts; learning_starts outside of 0..total_timesteps; another timeout than "terminal" and "bootstrap"; a head that gives other than
## `actions` numbers; `actions` unlike E's.
fn recurrent_dqn(E: env, core, head, actions: int, total_timesteps: int, buffer_size: int,
  batch_size: int, length: int, burn_in: int, learning_starts: int, train_frequency: int,
  learning_rate = 1e-3, gamma = 0.99, tau = 0.02, start_e = 1.0, end_e = 0.05,
  exploration_fraction = 0.5, max_grad_norm = 40.0, timeout = "terminal") {
  param F      = require(train_frequency, train_frequency >= 1, "train_frequency is at least 1")
  param rounds = rounds_of(total_timesteps, learning_starts, F)
  param first  = require(learning_starts // F,
    batch_size + length <= min(buffer_size, F * (learning_starts // F + 1)) + 1,
    "batch_size is at most how many sequences the buffer holds when learning starts")
  param learns = require(burn_in, burn_in >= 0 and burn_in < length - 1,
    "burn_in is at least 0 and less than length - 1")
  index v in 0..rounds
  index l in first..rounds  # those that learn
  index c in 0..F           # the steps of a round
  index k in 0..require(batch_size, batch_size >= 1, "batch_size is at least 1")
  index t in 0..length
  fn values(w, h) = sized(head(w.head, core.features(h)))
  fn sized(y) = require(y, len(y) == actions, "head gives as many numbers as there are actions")

  # A step, with a random action with probability ε; the memory h starts anew with each episode.
  s[0, 0]       ~ E.reset()
  s[v+1, 0]     = s[v, F]
  h[0, 0]       = core.initial()
  h[v+1, 0]     = h[v, F]
  obs[v, c]     = E.observe(s)
  x[v, c]       = core(w[max(v, first)].core, obs, h)
  ε[v, c]       = linear(start_e, end_e, (F * v + c) / (exploration_fraction * total_timesteps))
  explore[v, c] ~ Bernoulli(ε)
  random[v, c]  ~ Discrete(choices_of(E, actions))
  a[v, c]       = if explore then random
    else argmax(values(w[max(v, first)], x), axis = -1)
  (s[v, c+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[v, c]    = terminated or truncated
  h[v, c+1]     = if done then core.initial() else x

  # Sequences of the past, seen with the weights of now and of the target.
  j[l, k]         ~ Sequences(buffer_size, length).start(F * (l + 1))
  o[l, k, t]      = detach(obs[(j+t)//F, (j+t)%F])
  m[l, k, t]      = detach(h[(j+t)//F, (j+t)%F])
  ends[l, k, t]   = done[(j+t)//F, (j+t)%F]
  z[l, k, t]      = unrolled_states(core, w.core, o, m, ends, learns)
  z_slow[l, k, t] = unrolled_states(core, target.core, o, m, ends, learns)
  q[l, k, t]      = values(w, z)
  slow[l, k, t]   = values(target, z_slow)
  next[l, k, t in 0..length-1] = take_last(slow[t+1], argmax(q[t+1], axis = -1))
  # Where a time limit cuts an episode, the state behind it is that of one observation more.
  cut[l, k, t]   = ends and not terminated[(j+t)//F, (j+t)%F]
  final[l, k, t] = detach(last[(j+t)//F, (j+t)%F])
  beyond[l, k, t in 0..length-1] = if require(timeout,
    timeout == "terminal" or timeout == "bootstrap", "timeout is terminal or bootstrap") ==
    "bootstrap"
    then (if cut
      then gamma * take_last(values(target, core(target.core, final, z_slow)),
        argmax(values(w, core(w.core, final, z)), axis = -1))
      else 0.0)
    else 0.0
  y[l, k, t in 0..length-1] = r[(j+t)//F, (j+t)%F] +
    (if ends then beyond else gamma * next)
  error[l, k, t in 0..length-1] = take_last(q, a[(j+t)//F, (j+t)%F]) - detach(y)
  loss[l]        = mean(error[t: d]^2 for k, d in learns..length-1)

  w[first]           ~ { core = core.init(), head = head.init() }
  opt[first]         = Adam.init(w[first])
  (w[l+1], opt[l+1]) = Adam.step(w, opt, clip_by_global_norm(grad(loss, w), max_grad_norm),
    learning_rate)
  target[first]      = w[first]
  target[l+1]        = polyak(target, w[l+1], tau)

  G[v, c]     = gained(r, done, i = v, t = c)
  returns[v]  = sum(G for c if done)
  episodes[v] = sum(done for c)
  { returns = returns[0..rounds], episodes = episodes[0..rounds], w = w[rounds],
    states = s[1..rounds+1, 0] }
}
