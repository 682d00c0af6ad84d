# reset, step and observe of an environment.
# expect: r[t=0] = 0.75
# expect: r[t=1] = 1.0
# expect: r[t=2] = 1.25
# expect: terminated[t=0] = false
# expect: terminated[t=1] = false
# expect: terminated[t=2] = true
# expect: truncated[t=0] = false
# expect: truncated[t=1] = false
# expect: truncated[t=2] = false
# expect: o[t=0] = [0.0, 0.5]
# expect: o[t=1] = [1.0, 0.75]
# expect: o[t=2] = [2.0, 1.0]
# expect: n = 3

env Counter {
  param limit = 3
  state { n: i32, x: f32 }
  action Discrete(3)
  reset { n = 0; x = 0.5 }
  step(a) {
    n' = n + a
    x' = x + 0.25 * a
  }
  observe = [f32(n), x]
  reward = x'
  terminated = n' >= limit
  truncated = false
}

index t in 0..3
s[0] ~ Counter.reset()
(s[t+1], r, terminated, truncated) = Counter.step(s, 1)
o = Counter.observe(s)
print r
print terminated
print truncated
print o
print "n", s[3].n
