use std.algorithms.checks.{choices_of, first_round, rounds_of}
use std.algorithms.episodes.gained
use std.optim.{Adam, polyak}

## Soft actor-critic for discrete actions (Christodoulou, 2019, algorithm 1), with two critics and an automatic temperature, as CleanRL's sac_atari.py
## has it; one environment, and an update every `update_frequency` steps. `actor` is a module from observations to logits, f32[actions]; `critic` one
## to the actions' values, f32[actions]: expectations over the actions take the place of draws. The temperature keeps the entropy near
## target_entropy_scale times that of equal probabilities, 0.5 by default where CleanRL, for Atari's games, has 0.89. A time limit is bootstrapped
## from. The result, for each of rounds = total_timesteps // update_frequency rounds: `returns` and `episodes`, the summed returns and the number of
## the episodes that ended in it, [rounds] each; `w`, the actor's weights at the end; and `states`, the environment's after each round, records of
## [rounds, ...], a wrapper's fields among them (`run.states.seen`). An error: update_frequency, batch_size < 1; total_timesteps that is no multiple
## of update_frequency; a batch larger than the buffer holds when learning starts; learning_starts outside of 0..total_timesteps; networks that give
## other than `actions` numbers; `actions` unlike E's.
fn discrete_sac(E: env, actor, critic, actions: int, total_timesteps: int, buffer_size: int,
  batch_size: int, learning_starts: int, update_frequency: int, learning_rate = 3e-4, gamma = 0.99,
  tau = 0.05, target_entropy_scale = 0.5) {
  param F      = require(update_frequency, update_frequency >= 1, "update_frequency is at least 1")
  param steps  = rounds_of(total_timesteps, learning_starts, 1)
  param rounds = require(steps // F, total_timesteps % F == 0,
    "total_timesteps is a multiple of update_frequency")
  param first  = first_round(learning_starts, F, batch_size, buffer_size)  # the first round that learns
  index v in 0..rounds
  index l in first..rounds  # those that learn
  index c in 0..F           # the steps of a round
  index k in 0..require(batch_size, batch_size >= 1, "batch_size is at least 1")
  fn sized(y) = require(y, len(y) == actions,
    "actor and critic give as many numbers as there are actions")
  fn logits(w, x) = sized(actor(w, x))
  fn value(q, x) = minimum(sized(critic(q.a, x)), sized(critic(q.b, x)))
  fn soft(p, log_p, q, α) = sum(p * (q - α * log_p))

  # A step; random ones before learning starts.
  s[0, 0]      ~ E.reset()
  s[v+1, 0]    = s[v, F]
  obs[v, c]    = E.observe(s)
  drawn[v, c]  ~ Categorical(logits(w[max(v, first)], obs))
  random[v, c] ~ Discrete(choices_of(E, actions))
  a[v, c]      = if v < first then random else drawn
  (s[v, c+1], r, terminated, truncated, last) ~ E.autoreset(s, a)
  done[v, c]   = terminated or truncated

  # A batch of the past, all of it equally likely.
  j[l, k]     ~ UniformInt(max(0, F * (l + 1) - buffer_size), F * (l + 1))
  x[l, k]     = detach(obs[j//F, j%F])
  after[l, k] = detach(last[j//F, j%F])
  next[l, k]  = log_softmax(logits(w, after))
  y[l, k]     = r[j//F, j%F] + (if terminated[j//F, j%F] then 0.0
    else gamma * soft(exp(next), next, value(target, after), exp(log_α)))

  # Critics, then the actor by the new critics, then the temperature.
  b[l, k]       = a[j//F, j%F]
  q_loss[l]     = mean((take_last(critic(q.a, x), b) - detach(y))^2 +
    (take_last(critic(q.b, x), b) - detach(y))^2 for k)
  log_p[l, k]   = log_softmax(logits(w, x))
  w_loss[l]     = -mean(soft(exp(log_p), log_p, detach(value(q[l+1], x)),
    detach(exp(log_α))) for k)
  entropy[l, k] = detach(-sum(exp(log_p) * log_p))
  α_loss[l]     = log_α *
    mean(entropy - target_entropy_scale * log(f32(actions)) for k)

  q[first]                 ~ { a = critic.init(), b = critic.init() }
  w[first]                 ~ actor.init()
  log_α[first]             = 0.0
  target[first]            = q[first]
  opt_q[first]             = Adam.init(q[first])
  opt_w[first]             = Adam.init(w[first])
  opt_α[first]             = Adam.init(log_α[first])
  (q[l+1], opt_q[l+1])     = Adam.step(q, opt_q, grad(q_loss, q), learning_rate)
  (w[l+1], opt_w[l+1])     = Adam.step(w, opt_w, grad(w_loss, w), learning_rate)
  (log_α[l+1], opt_α[l+1]) = Adam.step(log_α, opt_α, grad(α_loss, log_α), learning_rate)
  target[l+1]              = polyak(target, q[l+1], tau)

  G[v, c]     = gained(r, done, i = v, t = c)
  returns[v]  = sum(G for c if done)
  episodes[v] = sum(done for c)
  { returns = returns[0..rounds], episodes = episodes[0..rounds], w = w[rounds],
    states = s[1..rounds+1, 0] }
}
