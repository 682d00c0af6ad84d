# Wrappers. Those that change an environment are environments themselves: `E = TimeLimit(Acrobot, 200)`. Those that look at a stretch of experience
# are functions over its index t. Algorithms play episode after episode by `E.autoreset`; a program that calls `E.step` alone has Autoreset(E) for that, and
# wrappers around it.

## Truncates episodes after `limit` steps, in addition to the environment's own ends (Pardo et al., 2018; Gymnasium's TimeLimit). An error: limit < 1.
env TimeLimit(E: env, limit: int) {
  state { inner: any, steps: i32 }
  action E.action_space
  reset { inner ~ E.reset(); steps = require(0, limit > 0, "a time limit is at least one step") }
  renew { inner' ~ E.renew(inner); steps' = 0 }
  step(a) {
    (inner', gained, over, cut) = E.step(inner, a)
    steps' = steps + 1
  }
  final_observation(s) = E.final_observation(s.inner)
  observations = E.observations
  observe      = E.observe(inner)
  reward       = gained
  terminated   = over
  truncated    = cut or steps' >= limit
}

## With this probability the environment does the last action once more, whatever is chosen (Machado et al., 2018). The first "last action" is 0.
env StickyActions(E: env, probability = 0.25) {
  state { inner: any, last: any }
  action E.action_space
  reset { inner ~ E.reset(); last = zeros_like(E.action_space.sample()) }
  renew { inner' ~ E.renew(inner); last' = zeros_like(last) }
  step(a) {
    sticks ~ Bernoulli(probability)
    done   = if sticks then last else a
    (inner', gained, over, cut) = E.step(inner, done)
    last'  = done
  }
  final_observation(s) = E.final_observation(s.inner)
  observations = E.observations
  observe      = E.observe(inner)
  reward       = gained
  terminated   = over
  truncated    = cut
}

## The last n observations of the episode, the oldest first: f32[n, ...] of observations f32[...]; before there are as many, the first one stands in
## (Mnih et al., 2015; Gymnasium's FrameStackObservation). For algorithms, which see one observation at a time; `frames` is that of a stretch of
## experience. An error: a stack of n < 1 observations.
env FrameStack(E: env, n: int) {
  state { inner: any, seen: any }
  action E.action_space
  reset { inner ~ E.reset(); seen = copies(E.observe(inner)) }
  renew { inner' ~ E.renew(inner); seen' = copies(E.observe(inner')) }
  step(a) {
    (inner', gained, over, cut) = E.step(inner, a)
    seen' = pushed(seen, E.observe(inner'))
  }
  copies(x)       = stack(list(x for k in 0..held), axis = 0)
  pushed(seen, x) = stack(list(if k + 1 < n then seen[k+1] else x for k in 0..held), axis = 0)
  held = max(n, 1)
  final_observation(s) = stack(
    list(if k + 1 < n then s.seen[k] else E.final_observation(s.inner) for k in 0..held), axis = 0)
  observations = Box(low = stack(list(E.observations.low for k in 0..held), axis = 0),
    high = stack(list(E.observations.high for k in 0..held), axis = 0))
  observe      = seen
  reward       = gained
  terminated   = require(over, n >= 1, "there is at least one observation in a stack")
  truncated    = cut
}

## Takes any real action, and clips it to the environment's bounds (Gymnasium's ClipAction).
env ClipActions(E: env) {
  state { inner: any }
  action Box(low = E.action_space.low - inf, high = E.action_space.high + inf)
  reset { inner ~ E.reset() }
  renew { inner' ~ E.renew(inner) }
  step(a) {
    (inner', gained, over, cut) = E.step(inner, clip(a, E.action_space.low, E.action_space.high))
  }
  final_observation(s) = E.final_observation(s.inner)
  observations = E.observations
  observe      = E.observe(inner)
  reward       = gained
  terminated   = over
  truncated    = cut
}

## Takes actions in [low, high], and maps them linearly to the environment's bounds, which are finite (Gymnasium's RescaleAction). An error: bounds of
## E that are not finite.
env RescaleActions(E: env, low = -1.0, high = 1.0) {
  state { inner: any }
  action Box(low = low + zeros_like(E.action_space.low),
    high = high + zeros_like(E.action_space.high))
  reset { inner ~ E.reset() }
  renew { inner' ~ E.renew(inner) }
  step(a) {
    (inner', gained, over, cut) = E.step(inner, mapped(a, E.action_space.low, E.action_space.high))
  }
  mapped(a, from, to)  = from + (a - low) / (high - low) * finite(to - from)
  finite(x)            = require(x, all(x < inf), "the environment's bounds are finite",
    "clip around the mapping: ClipActions(RescaleActions(E))")
  final_observation(s) = E.final_observation(s.inner)
  observations = E.observations
  observe      = E.observe(inner)
  reward       = gained
  terminated   = over
  truncated    = cut
}

## Goes on by itself after an episode's end, so that `E.step` is all that a program calls. mode = "same_step": the step that ends an episode already
## returns the next one's first state, and `E.final_observation(s)` is what was seen at the end. "next_step": the state after it is the episode's
## last one, and the next step, whose action does not count, begins another with reward 0. "none": nothing is done. Gymnasium's `AutoresetMode`.
## Not for an algorithm's E: algorithms call E.autoreset, and wrappers would see each beginning twice. Another mode is an error.
env Autoreset(E: env, mode = "same_step") {
  state { inner: any, final: any, over: bool }
  action E.action_space
  reset { inner ~ E.reset(); final = E.observe(inner); over = known(false) }
  renew {
    fresh  = E.renew(inner)
    inner' = if mode == "none" then fresh else inner
    over'  = if mode == "none" then false else over
  }
  step(a) {
    fresh  = E.renew(if mode == "next_step" then inner else moved)
    (moved, gained, ends, cut) = E.step(inner, a)
    final' = E.observe(moved)
    renews = if mode == "same_step" then ends or cut else if mode == "next_step" then over
      else false
    waits  = mode == "next_step" and over
    inner' = if renews then fresh else moved
    over'  = (ends or cut) and not waits
  }
  known(x)             = require(x, mode == "same_step" or mode == "next_step" or mode == "none",
    "the mode is one of \"same_step\", \"next_step\" and \"none\"")
  final_observation(s) = s.final
  observations = E.observations
  observe      = E.observe(inner)
  reward       = if waits then 0.0 else gained
  terminated   = ends and not waits
  truncated    = cut and not waits
}

## Adds up each episode's reward and length. The state's `total` and `length`
## are those of the episode so far, `last_total` and `last_length` those of the last one that ended, `episodes` how many did (Gymnasium's RecordEpisodeStatistics).
env EpisodeStatistics(E: env) {
  state { inner: any, total: f32, length: i32, last_total: f32, last_length: i32, episodes: i32 }
  action E.action_space
  reset {
    inner       ~ E.reset();
    total       = 0.0;
    length      = 0;
    last_total  = 0.0;
    last_length = 0;
    episodes    = 0
  }
  renew { inner' ~ E.renew(inner) }
  step(a) {
    (inner', gained, over, cut) = E.step(inner, a)
    ends         = over or cut
    total'       = if ends then 0.0 else total + gained
    length'      = if ends then 0 else length + 1
    last_total'  = if ends then total + gained else last_total
    last_length' = if ends then length + 1 else last_length
    episodes'    = if ends then episodes + 1 else episodes
  }
  final_observation(s) = E.final_observation(s.inner)
  observations = E.observations
  observe      = E.observe(inner)
  reward       = gained
  terminated   = over
  truncated    = cut
}

## Observations less their running mean, over their running deviation, clipped to [-limit, limit]; each environment has its own statistics, which
## begin with the first observation and outlive its episodes (Gymnasium's NormalizeObservation).
env NormalizeObservations(E: env, limit = 10.0) {
  state { inner: any, seen: any }
  action E.action_space
  reset {
    inner ~ E.reset();
    seen  = RunningMoments.update(RunningMoments.init(E.observe(inner)), E.observe(inner))
  }
  renew { inner' ~ E.renew(inner); seen' = RunningMoments.update(seen, E.observe(inner')) }
  step(a) {
    (inner', gained, over, cut) = E.step(inner, a)
    seen' = RunningMoments.update(seen, E.observe(inner'))
  }
  normal(x, seen)      = clip(RunningMoments.normalized(seen, x), -limit, limit)
  final_observation(s) = normal(E.final_observation(s.inner), s.seen)
  observations = Box(low = zeros_like(E.observations.low) - limit,
    high = zeros_like(E.observations.high) + limit)
  observe      = normal(E.observe(inner), seen)
  reward       = gained
  terminated   = over
  truncated    = cut
}

## Observations less the mean of these moments, over their deviation, clipped to [-limit, limit]: those of RunningMoments, which stay as they are, as
## an evaluation wants them (Gymnasium's NormalizeObservation with update_running_mean off). `moments` is { mean, var } of the observation's shape,
## f32: `FixedNormalization(E, s[end(t)].seen)` after NormalizeObservations(E). Those of an algorithm's environments stand in its result's `states`;
## `RunningMoments.pooled` makes one of them.
env FixedNormalization(E: env, moments, limit = 10.0) {
  state { inner: any }
  action E.action_space
  reset { inner ~ E.reset() }
  renew { inner' ~ E.renew(inner) }
  step(a) { (inner', gained, over, cut) = E.step(inner, a) }
  normal(x)            = clip(RunningMoments.normalized(moments, x), -limit, limit)
  final_observation(s) = normal(E.final_observation(s.inner))
  observations = Box(low = zeros_like(E.observations.low) - limit,
    high = zeros_like(E.observations.high) + limit)
  observe      = normal(E.observe(inner))
  reward       = gained
  terminated   = over
  truncated    = cut
}

## Rewards over the running deviation of the discounted sum of past rewards (Engstrom et al., 2020), clipped to [-limit, limit];
## the statistics outlive the episodes.
env NormalizeRewards(E: env, gamma = 0.99, limit = 10.0) {
  state { inner: any, discounted: f32, seen: any }
  action E.action_space
  reset { inner ~ E.reset(); discounted = 0.0; seen = RunningMoments.init(0.0) }
  renew { inner' ~ E.renew(inner) }
  step(a) {
    (inner', gained, over, cut) = E.step(inner, a)
    discounted' = gamma * (if over then 0.0 else discounted) + gained
    seen'       = RunningMoments.update(seen, discounted')
  }
  final_observation(s) = E.final_observation(s.inner)
  observations = E.observations
  observe      = E.observe(inner)
  reward       = clip(gained / sqrt(seen'.var + 1e-8), -limit, limit)
  terminated   = over
  truncated    = cut
}

## Mean and variance of everything seen so far, element by element, as a recurrence: m[0] = RunningMoments.init(x[0]), m[t+1] =
## RunningMoments.update(m, x). `merge` takes a batch by its mean, variance and size (Chan, Golub and LeVeque, 1979): n environments share their
## statistics, as in Stable-Baselines3's VecNormalize, by m[t+1] = RunningMoments.merge(m, mean(o for e), mean((o - mean(o for e))^2 for e), n).
## `pooled` makes one of the moments of n environments that have seen equally much, [n, ...] each, by the law of total variance.
## They begin as `count` samples of mean 0 and variance 1. x: f32, any shape.
module RunningMoments(count = 1e-4) {
  init(x)          = { mean = zeros_like(x), var = ones_like(x), count = count }
  update(m, x)     = merge(m, x, zeros_like(x), 1.0)
  normalized(m, x) = (x - m.mean) / sqrt(m.var + 1e-8)
  pooled(m)        = { mean = mean(m.mean, axis = 0),
    var = mean(m.var, axis = 0) + var(m.mean, axis = 0), count = sum(m.count) }
  merge(m, mean, var, size) {
    total = m.count + size
    gap   = mean - m.mean
    { mean = m.mean + gap * (size / total),
      var = (m.var * m.count + var * size + gap * gap * (m.count * size / total)) / total,
      count = total }
  }
}

## The first step of the episode that step t belongs to: i32. `ended`: bool, whether step t was an episode's last one.
fn episode_start(ended: bool) over t -> i32 {
  first[begin(t)] = begin(t)
  first[t+1]      = if ended then t + 1 else first
  first
}

## The last n observations of the episode, the oldest first, [n, ...]: before there are as many, the first one stands in (Gymnasium's
## FrameStackObservation). `start`: i32, where the episode began: `frames(o, episode_start(ended), 4)`.
fn frames(o, start: i32,
  n: int) over t = stack(list(o[t: clip(start, max(begin(t), t+1+k-n), t)] for k in 0..n), axis = 0)

## What an episode has gained up to and including step t: f32. At its last step that is the episode's return.
fn running_return(r: f32, ended: bool) over t -> f32 {
  before[begin(t)] = 0.0
  before[t+1]      = if ended then 0.0 else before + r
  before + r
}
