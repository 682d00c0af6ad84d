# `renew` says what the state of a new episode keeps of the last one; what it does not name stays as it is. The wrapper hands it on.
# expect: count = 3
# expect: x[t=0] = 0
# expect: x[t=1] = 1
# expect: x[t=2] = 2
# expect: x[t=3] = 10
# expect: x[t=4] = 11
# expect: x[t=5] = 12
# expect: x[t=6] = 10
# expect: episodes[t=0] = 1
# expect: episodes[t=1] = 1
# expect: episodes[t=2] = 1
# expect: episodes[t=3] = 2
# expect: episodes[t=4] = 2
# expect: episodes[t=5] = 2
# expect: episodes[t=6] = 3
# expect: last[t=0] = 1
# expect: last[t=1] = 2
# expect: last[t=2] = 3
# expect: last[t=3] = 11
# expect: last[t=4] = 12
# expect: last[t=5] = 13
# expect: last[t=6] = 11
# expect: renewed = {x: 10, episodes: 5, steps: 2}
# expect: choices = [0, 4]
env Counting(start: int = 10) {
  state { x: i32, episodes: i32, steps: i32 }
  action Discrete(4)
  reset { x = 0; episodes = 1; steps = 0 }
  renew { x' = start; episodes' = episodes + 1 }
  step(a) { x' = x + 1; steps' = (steps + 1) % 3 }
  observe    = x
  reward     = 0.0
  terminated = steps' == 0
}
env Around(E: env) {
  state { inner: any }
  action Box(low = -1.0, high = 1.0)
  reset { inner ~ E.reset() }
  renew { inner' ~ E.renew(inner) }
  step(a) { (inner', gained, over, cut) = E.step(inner, 0) }
  observe    = E.observe(inner)
  reward     = gained
  terminated = over
}

index t in 0..7
E    = Around(Counting())
s[0] ~ E.reset()
(s[t+1], r, terminated, truncated, last) ~ E.autoreset(s, 0.5)
print "count", s[t: 7].inner.episodes
print "x", s[t: t].inner.x
print "episodes", s[t: t].inner.episodes
print last
print "renewed", Counting().renew(Counting.State(x = 7, episodes = 4, steps = 2))
print "choices", [E.choices, Counting.choices]
