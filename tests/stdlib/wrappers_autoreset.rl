# What wrappers have gathered outlives an episode, as algorithms play them, by E.autoreset: statistics count every step, and a final observation is what
# was seen at the end, through any wrappers. An environment that goes on by itself is not begun anew a second time.
# expect: observations = 27.0001
# expect: mean = true
# expect: rewards = 20.0001
# expect: episodes = [6, 6]
# expect: last length = 3
# expect: final = [3.0, 3.0, 3.0]
# expect: seen after the end = [-3.0, -3.0, -3.0]
# expect: alone = [27.0001, 6.0]
# expect: alone, final = [3.0, 3.0]
# expect: next step = [0.0, 1.0, 2.0, 3.0, 0.0, 1.0]
use std.wrappers.{Autoreset, ClipActions, EpisodeStatistics, NormalizeObservations,
  NormalizeRewards, RescaleActions, TimeLimit}

## An episode is a walk from 0 along the actions.
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

param T = 20
index t in 0..T
fn ends(over, cut) = i32(over or cut)

Limited = TimeLimit(Walk, 3)
E       = NormalizeRewards(NormalizeObservations(EpisodeStatistics(Limited)))
s[0]    ~ E.reset()
(s[t+1], r, over, cut, last) ~ E.autoreset(s, 1.0)
print "observations", s[t: T].inner.seen.count  # T steps, 7 beginnings
print "mean", abs(s[t: T].inner.seen.mean - sum(1 + t % 3 for t) / 27.0) < 1e-4
print "rewards", s[t: T].seen.count
print "episodes", [s[t: T].inner.inner.episodes, sum(ends(over, cut) for t)]
print "last length", s[t: T].inner.inner.last_length

Scaled = ClipActions(RescaleActions(Limited))
u[0]   ~ Scaled.reset()
(u[t+1], r2, over2, cut2, final) ~ Scaled.autoreset(u, 1.0)
print "final", [final[2], final[5], final[8]]
print "seen after the end", [Scaled.observe(u[3]) - final[2], Scaled.observe(u[6]) - final[5],
  Scaled.observe(u[9]) - final[8]]

Alone = NormalizeObservations(Autoreset(Limited))
z[0]  ~ Alone.reset()
(z[t+1], r3, over3, cut3) = Alone.step(z, 1.0)
print "alone",
  [z[T].seen.count + f32(sum(ends(over3, cut3) for t)), f32(sum(ends(over3, cut3) for t))]
Again = Autoreset(Limited)
v[0]  ~ Again.reset()
(v[t+1], r4, over4, cut4, last4) ~ Again.autoreset(v, 1.0)
print "alone, final", [last4[2], last4[5]]

Waiting = Autoreset(Limited, mode = "next_step")
w[0]    ~ Waiting.reset()
(w[t+1], r5, over5, cut5, last5) ~ Waiting.autoreset(w, 1.0)
print "next step", stack(list(Waiting.observe(w[k]) for k in 0..6))
