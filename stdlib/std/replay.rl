# Replay: which of the past steps a batch learns from. The past itself is a tensor over the steps, `obs[n: j]` reads it, and the compiler keeps as
# many of its steps as the draws reach back.

## The last `capacity` steps, with proportional priorities (Schaul et al., 2016, algorithm 1): a step is drawn with a probability proportional to
## p^alpha, p = |error| + eps, and a new one has the largest p so far. A step is known by its number, i32 >= 0, and lies at the place
## number % capacity. It is a value, as the sum tree in it: `memory[n+1] = memory.insert(n + 1).update(place, error)`, with `place ~ memory.sample()`;
## `update(place[n-1], error[n-1])` is an update that lags by one, which need not be waited for. capacity >= 1; alpha, 0 is uniform; `fanout` as of
## SumTree; `tree` and `top`, the largest p, are the memory's state.
module Prioritized(capacity: int, alpha = 0.6, eps = 1e-6, fanout = 16,
  tree = SumTree(capacity, fanout), top = 1.0) {
  ## The memory with these steps as well, i32 or i32[m], in place of those `capacity` before them.
  insert(steps) = with(tree.insert(steps % capacity, top^alpha), top)
  ## The memory with these errors, f32 or f32[m], at these places, i32 or i32[m].
  update(places, errors) = with(tree.update(places, magnitude(errors)^alpha), largest(errors))
  ## A draw of a place, i32; while the memory is empty, a run-time error.
  sample() = tree.sample()
  ## A draw from the k-th of n parts of the same total priority, k in 0..n, as the paper's batches are made.
  stratum(k, n) = tree.stratum(k, n)
  ## The number of the step at a place, where `newest` is that of the last that was inserted.
  step(place, newest) = newest - (newest - place) % capacity
  ## The importance weight of a place (section 3.4), where `steps` have been inserted: not yet divided by the largest of the batch.
  weight(place, steps, beta) = (f32(minimum(steps, capacity)) * tree.priority(place) /
    tree.total())^(-beta)

  with(changed, largest) = Prioritized(capacity, alpha, eps, fanout, changed, largest)
  magnitude(errors)      = abs(errors) + eps
  largest(errors)        = maximum(top, max(detach(magnitude(errors))))
}

## Sequences of `length` steps of the last `capacity`, for agents with memory (Hausknecht and Stone, 2015). `j ~ sequences.start(n)` draws the first
## step, i32, of one that lies within `n` steps done, all equally likely; step t of it is `obs[n: j + t]` with an index t in 0..length. length >= 1. An
## error: length < 1, or more than the capacity.
module Sequences(capacity: int, length: int) {
  start(n) = UniformInt(max(0, n - span), n + 1 - length)
  ## R2D2's priority of a sequence with these errors, f32[m] (Kapturowski et al., 2019, section 2.3): mostly the largest, and the mean.
  priority(errors, eta = 0.9) = eta * max(abs(errors)) + (1.0 - eta) * mean(abs(errors))

  span = require(capacity, length >= 1 and capacity >= length,
    "a sequence has at least one step, and at most as many as are kept")
}

## The features that a recurrent `core`, std.nn.GRU or LSTM say, makes of a replayed sequence x over t, with the weights of now: f32[m] at each t. It
## begins with the `stored` state that the core had at t when the step was done; the first `burn_in` steps only bring that state up to date and give no gradient
## (R2D2: Kapturowski et al., 2019, section 3); a step that `ended` an episode begins the next with core.initial(). burn_in >= 0.
fn unrolled(core, w, x, stored, ended: bool, burn_in: int) over t =
  core.features(unrolled_states(core, w, x, stored, ended, burn_in))

## As `unrolled`, but the states of which those are the features (Kapturowski et al., 2019, section 3): of the core's shape, f32 or a record of f32.
fn unrolled_states(core, w, x, stored, ended: bool, burn_in: int) over t {
  m[begin(t)] = detach(stored[begin(t)])
  y           = core(w, x, m)
  m[t+1]      = if ended then core.initial() else if t - begin(t) < burn_in then detach(y) else y
  y
}
