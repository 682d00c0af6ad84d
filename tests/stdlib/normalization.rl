# Statistics that stay as they are, for an evaluation, and statistics that environments share.
# expect: seen = [1.0, 0.66667]
# expect: fixed = [-1.22474, 0.0, 1.22474, -1.22474]
# expect: gained = [1.0, 2.0]
# expect: clipped = [-0.5, 0.5]
# expect: shared = [1.75, 1.3125, 8.0]
# expect: of each[e=0] = -1.09109
# expect: of each[e=1] = -0.21822
# expect: of each[e=2] = 0.65465
# expect: of each[e=3] = 1.52753
# expect: pooled = [1.75, 1.3125, 8.0]
# expect: raw = [6.0, 6.0]
# expect: moments = [0.0, 0.0]
# tolerance: 1e-3
use std.wrappers.{FixedNormalization, NormalizeObservations, RunningMoments, TimeLimit}

## A walk from `start` along the actions.
env Walk {
  state { x: f32 }
  action Box(low = -1.0, high = 1.0)
  reset { x = 0.0 }
  step(a) { x' = x + a }
  observations = Box(low = -inf, high = inf)
  observe      = x
  reward       = x'
  terminated   = false
}

index t in 0..2
Training = NormalizeObservations(Walk)
s[0]     ~ Training.reset()
(s[t+1], r, over, cut, last) ~ Training.autoreset(s, 1.0)
seen     = s[end(t)].seen  # of 0, 1 and 2
print "seen", [seen.mean, seen.var]

Tested = FixedNormalization(TimeLimit(Walk, 2), seen)
z[0]   ~ Tested.reset()
(z[t+1], gained, over2, cut2, final) ~ Tested.autoreset(z, 1.0)
print "fixed", [Tested.observe(z[0]), Tested.observe(z[1]), final[1], Tested.observe(z[2])]
print "gained", [gained[0], gained[1]]
Tight = FixedNormalization(Walk, seen, limit = 0.5)
print "clipped",
  [Tight.observe(Tight.State(inner = Walk.State(x = -9.0))),
    Tight.observe(Tight.State(inner = Walk.State(x = 9.0)))]

# Environments that began at 0, 1, 2 and 3 and go up by a half.
index e in 0..4
o[e, t] = 0.5 * t + e
m[0]    = RunningMoments.init(0.0)
m[t+1]  = RunningMoments.merge(m, mean(o for e), mean((o - mean(o for e))^2 for e), 4.0)
x[e]    = RunningMoments.normalized(m[2], o[e, 1])
print "shared", [m[2].mean, m[2].var, m[2].count]
print "of each", x

# Of environments that each have seen two steps: as if one had seen all.
apart[e, 0]   = RunningMoments.init(0.0)
apart[e, t+1] = RunningMoments.update(apart, o)
together      = RunningMoments.pooled({ mean = apart[0..4, 2].mean, var = apart[0..4, 2].var,
  count = apart[0..4, 2].count })
print "pooled", [together.mean, together.var, together.count]

# An algorithm hands out its environments' states, with the returns that it does not see and the moments that it saw by.
use std.algorithms.a2c
use std.wrappers.{EpisodeStatistics, NormalizeRewards}

policy Up(x: f32) -> Normal {
  weight w: f32 = 0.0
  Normal(1.0 + w * x, 1e-4)
}
module Zero() {
  weight w: f32[1] = 0.0
  apply(x) = w
}
run = a2c(NormalizeRewards(NormalizeObservations(EpisodeStatistics(TimeLimit(Walk, 3)))), Up,
  Zero(),
  12, 2, 3)
print "raw", run.states.inner.inner.last_total[1]
# Each saw 0, 1, 2, 3, twice, and the 0 of the next episode.
print "moments", run.states.inner.seen.mean[1] - 12.0 / 9.0
