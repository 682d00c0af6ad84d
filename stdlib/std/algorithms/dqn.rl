use std.algorithms.checks.{choices_of, first_round, rounds_of, takeover}
use std.algorithms.episodes.gained
use std.algorithms.evaluate.{better, first_kept, spacing, unscored}
use std.losses.{atoms, distributional_error, huber}
use std.optim.{Adam, clip_by_global_norm, linear}
use std.replay.Prioritized
use std.returns.replayed_return

## Deep Q-learning (Mnih et al., 2015), as in CleanRL's dqn.py, whose names the arguments have. `net` is a module from observations to action values,
## f32[actions]. Its options together are a Rainbow (Hessel et al., 2018) that explores by ε: `double` lets the online network choose the target's
## action (van Hasselt et al., 2016); std.nn.Dueling as `net` makes it a dueling one; `n_steps` sums that many rewards before the target's value;
## `clipped_error` takes Huber's loss instead of the square; n_atoms > 1 learns a distribution over that many values from v_min to v_max (Bellemare et
## al., 2017), of which `net` gives the logits, f32[actions * n_atoms], as std.nn.DuelingAtoms does; `prioritized` draws steps by their last error
## (with n_atoms > 1: divergence) to the power of alpha (Schaul et al., 2016), with importance weights whose exponent goes from beta to 1. A round's
## errors count from the next round on, or `lag` rounds later; `fanout` is the sum tree's. Without it, all steps are equally likely. `optimizer` is
## one of std.optim's. A time limit is bootstrapped from. learning_starts >= n_steps. The result, for each of rounds = total_timesteps //
## train_frequency rounds of steps and one update: `returns` and `episodes`, the summed returns and the number of the episodes that ended in it,
## [rounds] each; the weights `w` at the end; `best`, of the weights after every evaluation_frequency steps those for which `score`, a function from
## weights to f32, is the highest (std.algorithms.evaluate); and `states`, the environment's after each round, records of [rounds, ...], a wrapper's
## fields among them (`run.states.seen`). An error: train_frequency, gradient_steps, batch_size, n_steps, n_atoms < 1; lag < 0;
## target_network_frequency or evaluation_frequency < train_frequency; a batch larger than the buffer holds when learning starts; learning_starts
## outside of 0..total_timesteps; another shape of net(w, x); `actions` unlike E's.
fn dqn(E: env, net, actions: int, total_timesteps: int, buffer_size: int, batch_size: int,
  learning_starts: int, train_frequency: int,
  target_network_frequency: int, gradient_steps = 1, learning_rate = 2.5e-4, gamma = 0.99,
  start_e = 1.0, end_e = 0.05,
  exploration_fraction = 0.5, double = false, n_steps = 1, clipped_error = false,
  max_grad_norm = 1e9, prioritized = false, alpha = 0.6, beta = 0.4, lag = 0, fanout = 16,
  n_atoms = 1, v_min = -10.0, v_max = 10.0, evaluation_frequency = total_timesteps,
  score = unscored, optimizer = Adam) {
  param F      = require(train_frequency, train_frequency >= 1, "train_frequency is at least 1")
  param rounds = rounds_of(total_timesteps, learning_starts, F)
  param steps  = require(n_steps, n_steps >= 1, "n_steps is at least 1")
  param filled = first_round(learning_starts, F, batch_size, buffer_size)
  param first  = require(filled, learning_starts >= n_steps,
    "as many steps are done before learning starts as a target sums rewards: learning_starts >= n_steps")
  param period = takeover(target_network_frequency, F)
  param every  = spacing(evaluation_frequency, F, first, rounds)
  param N      = require(n_atoms, n_atoms >= 1, "n_atoms is at least 1")
  index v in 0..rounds
  index l in first..rounds  # those that learn
  index c in 0..F           # the steps of a round
  index g in 0..require(gradient_steps, gradient_steps >= 1, "gradient_steps is at least 1")
  index k in 0..require(batch_size, batch_size >= 1, "batch_size is at least 1")
  index d in 0..steps
  fn sized(y) = require(y, len(y) == actions * N, "net gives actions * n_atoms numbers")
  fn logits(w, x) = reshape(sized(net(w, x)), [actions, N])
  fn values(w, x) = if N > 1 then softmax(logits(w, x)) @ atoms(v_min, v_max, N)
    else sized(net(w, x))
  fn played(l) = F * (l + 1)                             # the steps so far
  fn oldest(l, n) = max(0, played(l) - buffer_size - n)  # n before the first that is kept

  # A step, with a random action with probability ε.
  s[0, 0]       ~ E.reset()
  s[v+1, 0]     = s[v, F]
  obs[v, c]     = E.observe(s)
  ε[v, c]       = linear(start_e, end_e, (F * v + c) / (exploration_fraction * total_timesteps))
  explore[v, c] ~ Bernoulli(ε)
  random[v, c]  ~ Discrete(choices_of(E, actions))
  a[v, c]       = if explore then random else argmax(values(w[max(v, first), 0], obs), axis = -1)
  (s[v, c+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[v, c]    = terminated or truncated

  # Replay: steps m of the last buffer_size, all equally likely or by priority.
  j[l, g, k]     ~ UniformInt(oldest(l, 0), played(l) - (steps - 1))
  newest[l]      = played(l) - (steps - 1) + arange(F)
  memory[first]  = Prioritized(buffer_size, alpha, fanout = fanout).insert(
    arange(played(first) - (steps - 1)))
  memory[l+1]    = memory.insert(newest) where l < first + lag
  memory[l+1]    = memory.insert(newest).update(
    flatten(place[l-lag, 0..gradient_steps, 0..batch_size]),
    flatten(error[l-lag, 0..gradient_steps, 0..batch_size]))
    where l >= first + require(lag, lag >= 0, "lag is at least 0")
  place[l, g, k] ~ memory.sample()
  m[l, g, k]     = if prioritized then clip(memory.step(place, played(l) - steps),
    oldest(l, steps), played(l) - steps) else j
  share[l, g, k] = memory.weight(place, played(l) - (steps - 1), linear(beta, 1.0, l / rounds))

  # The rewards of the steps from each on, as long as its episode lasts, and what was seen behind the last of them.
  gain[l, g, k, d] = r[(m+d)//F, (m+d)%F]
  ends[l, g, k, d] = done[(m+d)//F, (m+d)%F]
  path[l, g, k, d] = replayed_return(gain, ends, gamma)
  stop[l, g, k]    = clip(m + path[d: steps-1].steps - 1, oldest(l, steps),
    played(l) - 1)
  after[l, g, k]   = last[stop//F, stop%F]
  weight[l, g, k]  = if terminated[stop//F, stop%F] then 0.0 else gamma^(stop - m + 1)
  chosen[l, g, k]  = argmax(values(if double then w else target, after), axis = -1)
  x[l, g, k]       = detach(obs[m//F, m%F])
  b[l, g, k]       = a[m//F, m%F]
  error[l, g, k]   = if N > 1
    then distributional_error(logits(w, x)[b], logits(target, after)[chosen],
      atoms(v_min, v_max, N), path[d: steps-1].R, weight)
    else take_last(net(w, x), b) -
    detach(path[d: steps-1].R + weight * take_last(net(target, after), chosen))
  cost[l, g, k]    = if N > 1 then error else if clipped_error then huber(error) else error^2
  loss[l, g]       = mean((if prioritized then share / max(share for k) else 1.0) * cost for k)

  w[first, 0]              ~ net.init()
  opt[first, 0]            = optimizer.init(w[first, 0])
  (w[l, g+1], opt[l, g+1]) = optimizer.step(w, opt,
    clip_by_global_norm(grad(loss, w), max_grad_norm), learning_rate)
  w[l+1, 0]                = w[l, gradient_steps]
  opt[l+1, 0]              = opt[l, gradient_steps]
  target[first]            = w[first, 0]
  target[l+1]              = if played(l) % period < F then w[l+1, 0] else target
  kept[first]              = first_kept(w[first, 0])
  kept[l+1]                = better(kept, w[l+1, 0], score(w[l+1, 0])) where (l + 1) % every == 0
  kept[l+1]                = kept where (l + 1) % every != 0

  G[v, c]     = gained(r, done, i = v, t = c)
  returns[v]  = sum(G for c if done)
  episodes[v] = sum(done for c)
  { returns = returns[0..rounds], episodes = episodes[0..rounds], w = w[rounds, 0],
    best = kept[rounds].w, states = s[1..rounds+1, 0] }
}
